package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A policy prepared for deciding. Queries are interned: equal queries share one {@link Shape} or {@link Goal}, so that
 * identity serves as their key. Tables that only queries name are added as they appear. Thread-safe.
 *
 * <p>One belongs to one version of policy and schema and is replaced, never changed, when either moves, together with
 * templates and whatever was remembered with it.
 */
public final class CompiledPolicy {

    /**
     * Tables by number, and for each foreign key of each the table that it leads to; replaced as a whole.
     *
     * <p>Readers take the whole of it in one volatile read, so that numbers and tables fit together while another
     * thread adds one.
     */
    @SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
    private record Catalogue(Map<String, Integer> numbers, List<CompiledTable> tables, int[][] targets) {

        Catalogue(Map<String, Integer> numbers, List<CompiledTable> tables) {
            this(
                    numbers,
                    tables,
                    tables.stream().map(table -> targets(numbers, table)).toArray(int[][]::new));
        }

        private static int[] targets(Map<String, Integer> numbers, CompiledTable table) {
            return table.foreignKeys.stream()
                    .mapToInt(key -> numbers.getOrDefault(key.target(), -1))
                    .toArray();
        }
    }

    private final Policy policy;
    private volatile Catalogue catalogue;
    private final ConcurrentHashMap<ConjunctiveQuery, Shape> shapes = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UnionQuery, Goal> goals = new ConcurrentHashMap<>();
    private final List<CompiledView> views;
    private final List<CompiledInclusion> inclusions;
    /** For the catalogue that it was made of; made again when a table is added. */
    private volatile @Nullable AssertedTables asserted;

    private record AssertedTables(
            Catalogue catalogue, Grounds.Asserted tables, ConcurrentHashMap<Shape, CanonicalRows> canonical) {}

    private CompiledPolicy(Policy policy) {
        this.policy = policy;
        this.catalogue = new Catalogue(Map.of(), List.of());
        policy.schema().tables().values().stream()
                // By name, so that numbers, and with them the order in which rules look at tables,
                // are the same in each run: an effort is counted in steps and must not hang on a
                // hash.
                .sorted(Comparator.comparing(Table::name))
                .forEach(this::addTable);
        List<CompiledView> compiledViews = new ArrayList<>();
        for (View view : policy.views()) {
            compiledViews.add(new CompiledView(view, shapes(view.query()), this));
        }
        this.views = List.copyOf(compiledViews);
        List<CompiledInclusion> compiledInclusions = new ArrayList<>();
        for (Inclusion inclusion : policy.inclusions()) {
            compiledInclusions.add(
                    CompiledInclusion.of(inclusion.name(), shapes(inclusion.left()), shapes(inclusion.right())));
        }
        this.inclusions = List.copyOf(compiledInclusions);
    }

    /** Prepares a policy. */
    public static CompiledPolicy of(Policy policy) {
        return new CompiledPolicy(policy);
    }

    public Policy policy() {
        return policy;
    }

    /**
     * Makes a table known that the policy does not name. Known tables stay as they are.
     *
     * <p>Policies name few of a schema's tables. A table that no view names can still be asked for, and its foreign
     * keys can lead to tables that views show.
     */
    public synchronized void addTable(Table table) {
        if (catalogue.numbers().containsKey(table.name())) {
            return;
        }
        Map<String, Integer> numbers = new HashMap<>(catalogue.numbers());
        List<CompiledTable> tables = new ArrayList<>(catalogue.tables());
        numbers.put(table.name(), tables.size());
        tables.add(new CompiledTable(table));
        catalogue = new Catalogue(Map.copyOf(numbers), List.copyOf(tables));
    }

    /** A table known by now, or null. */
    public @Nullable Table table(String name) {
        Catalogue known = catalogue;
        Integer number = known.numbers().get(name);
        return number == null ? null : known.tables().get(number).table;
    }

    /** A table's name as people say it: without its schema, unless another table known by now has the same. */
    public String shownName(String table) {
        String last = table.substring(table.lastIndexOf('.') + 1);
        long namesakes = catalogue.numbers().keySet().stream()
                .filter(other -> other.substring(other.lastIndexOf('.') + 1).equals(last))
                .count();
        return namesakes > 1 ? table : last;
    }

    /** The interned form of a conjunctive query. */
    public Shape shape(ConjunctiveQuery query) {
        Shape known = shapes.get(query);
        return known != null ? known : shapes.computeIfAbsent(query, this::compile);
    }

    /** The interned form of a goal. */
    public Goal goal(UnionQuery query) {
        Goal known = goals.get(query);
        if (known != null) {
            return known;
        }
        Goal compiled = new Goal(query, shapes(query), this);
        // Two threads may compile the same at once; one object wins for both, as identity is the key.
        Goal earlier = goals.putIfAbsent(query, compiled);
        return earlier != null ? earlier : compiled;
    }

    private Shape[] shapes(UnionQuery query) {
        return query.disjuncts().stream().map(this::shape).toArray(Shape[]::new);
    }

    /** A goal that is asked once, and kept by nobody. */
    Goal compileGoal(ConjunctiveQuery query) {
        return new Goal(UnionQuery.of(query), new Shape[] {compile(query)}, this);
    }

    /** A query that is asked once, and kept by nobody. */
    Shape compile(ConjunctiveQuery query) {
        int[] tables = new int[query.atoms().size()];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = tableNumber(query.atoms().get(i));
        }
        return new Shape(query, tables);
    }

    /**
     * A text that was normalised under one schema must not be decided under another: columns would be taken for their
     * neighbours. The number of columns is the last sign of that; the versions of schema and policy are compared before
     * ({@code Session.placed}).
     */
    private int tableNumber(Atom atom) {
        Integer number = catalogue.numbers().get(atom.table());
        if (number == null) {
            throw new SchemaChangedException(atom.table());
        }
        if (catalogue.tables().get(number).arity != atom.arity()) {
            throw new SchemaChangedException(atom.table());
        }
        return number;
    }

    /** The schema with all tables known by now. */
    public Schema schema() {
        Map<String, Table> all = new HashMap<>();
        catalogue.tables().forEach(table -> all.put(table.table.name(), table.table));
        return new Schema(all);
    }

    /** The policy with the tables that only queries name. */
    public Policy whole() {
        return new Policy(schema(), policy.context(), policy.views(), policy.inclusions());
    }

    List<CompiledView> views() {
        return views;
    }

    List<CompiledInclusion> inclusions() {
        return inclusions;
    }

    /** The tables of which constraints say more than keys do. */
    Grounds.Asserted asserted() {
        return known().tables();
    }

    /**
     * Whether rows of some atoms of a view's part may be of an earlier state than those of the others.
     *
     * <p>Not if one of them is one row with another of the others, nor if the time or the settings decide of it.
     */
    public boolean canBeEarlier(ConjunctiveQuery part, BitSet atoms) {
        return canonical(shape(part)).canBeEarlier(atoms);
    }

    /** What a part of a view says of its rows at one moment. */
    CanonicalRows canonical(Shape part) {
        ConcurrentHashMap<Shape, CanonicalRows> canonical = known().canonical();
        CanonicalRows rows = canonical.get(part);
        return rows != null ? rows : canonical.computeIfAbsent(part, each -> CanonicalRows.of(each, this));
    }

    @SuppressWarnings("ReferenceEquality") // Each catalogue is an object of its own.
    private AssertedTables known() {
        Catalogue now = catalogue;
        AssertedTables known = asserted;
        // Two threads may compute it at once; both results are equal, and which object is kept
        // decides only what is asked anew.
        if (known == null || known.catalogue() != now) {
            known = new AssertedTables(now, Grounds.Asserted.of(this), new ConcurrentHashMap<>());
            asserted = known;
        }
        return known;
    }

    /**
     * Assertions after which a table could never have a row: they say more about the database than that it is in order.
     * One that says so is most likely a mistake, and everything would follow from a row that is there all the same.
     *
     * <p>Such an assertion would make every fact about the table a contradiction, and a contradiction must prove
     * nothing, so the user would get nothing; or, without that test, everything. Neither is meant, so it has no effect
     * and is warned of.
     *
     * <p>Nor has one that asks for the time or the settings. It may hold at every moment; what a statement is told of the time
     * is of another one than its rows, where it waits, or where its transaction has a snapshot or the clock of its begin.
     */
    public Set<String> voidAssertions() {
        Set<String> names = new TreeSet<>();
        inclusions.stream()
                .filter(inclusion -> !inclusion.isSteady())
                .forEach(inclusion -> names.add(inclusion.name()));
        Grounds.Asserted known = asserted();
        for (int table = 0; table < tables().size(); table++) {
            int number = table;
            if (known.speakers().get(table) && !new Grounds(this, Budget.DEFAULT).canHaveRows(table)) {
                inclusions.stream()
                        .filter(inclusion -> Relevance.tables(inclusion.left()).get(number))
                        .forEach(inclusion -> names.add(inclusion.name()));
            }
        }
        return names;
    }

    List<CompiledTable> tables() {
        return catalogue.tables();
    }

    /** By table, the numbers of the tables that its foreign keys lead to; -1 for one that is not known. */
    int[][] targets() {
        return catalogue.targets();
    }

    /** Number of a table, or -1 if it is not known. */
    int tableNumber(String name) {
        return catalogue.numbers().getOrDefault(name, -1);
    }
}
