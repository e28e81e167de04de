package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.schema.Relation;
import io.leeway.privoxy.internal.schema.TableSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what is allowed in a policy but probably not meant. Not thread-safe; used once.
 *
 * <p>It finds nothing unsafe, as whatever a policy says is what its author wants to show; it finds what shows more or
 * less than most people mean.
 */
public final class PolicyLint {

    /** In the name of a function that stands for a comparison of values of different types. */
    private static final String COMPARISON = "cmp:";

    private static final String KEY_PREFIX = "key:";

    private final LoadedPolicy loaded;
    private final Policy policy;
    private final Schema schema;
    private final Redundancy redundancy;
    private final List<Finding> findings = new ArrayList<>();

    private PolicyLint(LoadedPolicy loaded, Redundancy redundancy) {
        this.loaded = loaded;
        this.policy = loaded.policy();
        this.schema = policy.schema();
        this.redundancy = redundancy;
    }

    /**
     * Tells what adds nothing; that takes the engine that decides queries.
     *
     * <p>Handed in by who has an engine: this package must not depend on deciding.
     */
    public interface Redundancy {

        /** Whether everything that the view shows follows from what the others show, for every user. */
        boolean isCovered(View view, List<View> others);

        /** Whether the schema alone says what the assertion says. */
        boolean isOfTheSchema(Inclusion assertion);
    }

    /**
     * Everything there is to say about a policy, what was noticed while loading it included.
     *
     * <p>Sorted and without doubles, as several checks may say the same of one place.
     *
     * @param relations the tables that the policy mentions, as the database describes them
     * @param names all tables of the database, to find tables and columns without a view; empty if not to be looked for
     */
    public static List<Finding> check(
            LoadedPolicy loaded, List<Relation> relations, List<String> names, Redundancy redundancy) {
        var lint = new PolicyLint(loaded, redundancy);
        lint.findings.addAll(loaded.warnings());
        lint.views();
        lint.inclusions();
        lint.relations(relations);
        if (!names.isEmpty()) {
            lint.hiddenColumns();
        }
        lint.uncovered(names);
        return lint.findings.stream().distinct().sorted(Finding.BY_POSITION).toList();
    }

    /** The same with all that a table source tells. */
    public static List<Finding> check(LoadedPolicy loaded, TableSource tables, Redundancy redundancy) {
        var relations = new ArrayList<Relation>();
        for (String name : loaded.policy().schema().tables().keySet()) {
            Relation relation = tables.known(name);
            if (relation != null) {
                relations.add(relation);
            }
        }
        return check(loaded, relations, tables.names(tables.searchPath()), redundancy);
    }

    private void views() {
        var seen = new HashMap<UnionQuery, String>();
        for (View view : policy.views()) {
            Position position = loaded.position(view.name());
            String twin = seen.putIfAbsent(view.query(), view.name());
            if (twin != null) {
                String message = "the view " + view.name() + " shows the same as " + twin;
                findings.add(Finding.warning(position, message, "Remove one of them."));
            }
            for (ConjunctiveQuery query : view.query().disjuncts()) {
                disjunct(query, position);
            }
        }
        redundant();
    }

    private void disjunct(ConjunctiveQuery query, Position position) {
        var facts = new QueryFacts(query, schema);
        String contradiction = facts.contradiction();
        if (contradiction != null) {
            findings.add(Finding.warning(
                    position,
                    "a part of the view is never true: " + contradiction,
                    "Correct or remove the condition."));
            // Of a part that is never true nothing else is worth saying.
            return;
        }
        wholeTables(query, position);
        keys(query, facts, position);
        products(facts, position);
        for (Condition condition : query.conditions()) {
            types(condition, facts, position);
        }
        equalities(query, facts, position);
    }

    /** Right for what is public; worth a look because it is so easily written. */
    private void wholeTables(ConjunctiveQuery query, Position position) {
        if (query.conditions().isEmpty() && query.atoms().size() == 1) {
            Atom atom = query.atoms().get(0);
            long shown = IntStream.range(0, atom.arity())
                    .filter(column -> query.head().contains(new Term.Variable(atom.firstVariable() + column)))
                    .count();
            if (shown == atom.arity()) {
                findings.add(Finding.note(
                        position,
                        "the view shows all of " + atom.table() + " to everybody",
                        "Name the columns and add a condition if that is not meant."));
            }
        }
    }

    /** Columns of tables with views that no view returns or asks for. */
    private void hiddenColumns() {
        Map<String, Position> uses = firstUses();
        var shown = new HashMap<String, Set<Integer>>();
        for (View view : policy.views()) {
            for (ConjunctiveQuery query : view.query().disjuncts()) {
                for (Atom atom : query.atoms()) {
                    Set<Integer> columns = shown.computeIfAbsent(atom.table(), table -> new HashSet<>());
                    Mentions.walk(query, term -> {
                        if (term instanceof Term.Variable variable) {
                            columns.add(variable.index() - atom.firstVariable());
                        }
                    });
                }
            }
        }
        for (Map.Entry<String, Position> use : uses.entrySet()) {
            Table table = schema.table(use.getKey());
            Set<Integer> columns = shown.getOrDefault(use.getKey(), Set.of());
            String hidden = table == null
                    ? ""
                    : IntStream.range(0, table.arity())
                            .filter(column -> !columns.contains(column))
                            .mapToObj(column -> table.columns().get(column).name())
                            .collect(Collectors.joining(", "));
            // Often forgotten when a column is added to a table later.
            if (!hidden.isEmpty()) {
                findings.add(Finding.note(
                        use.getValue(),
                        "no view mentions these columns of " + use.getKey() + ": " + hidden,
                        "Every query on them is refused; add them to a view if that is not meant."));
            }
        }
    }

    /**
     * A view is a set: how often a row occurs is not shown unless keys tell the rows apart.
     *
     * <p>A view's own text, asked as a query, is refused then: the query also asks how often each row occurs, which the
     * view does not show.
     */
    private void keys(ConjunctiveQuery query, QueryFacts facts, Position position) {
        Set<Atom> determined = facts.determined(query.head());
        String missing = query.atoms().stream()
                .filter(atom -> !determined.contains(atom))
                .map(Atom::table)
                .distinct()
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            findings.add(Finding.note(
                    position,
                    "the view returns no key of " + missing + "; it shows which rows there are, not how many",
                    "Add the key columns if counts, or rows one by one, may be known."));
        }
    }

    /** Tables that nothing connects; a row that is pinned by constants or the context is a guard and fine. */
    private void products(QueryFacts facts, Position position) {
        // FROM events e, users u WHERE u.id = ?MyUId AND u.is_admin: one row that grants, no product. The
        // dissertation's third example view is of this form (Chang, UCB/EECS-2021-244, Example 3.3.3).
        Set<Atom> pinned = facts.determined(List.of());
        List<String> loose = facts.groups().stream()
                .filter(group -> !pinned.containsAll(group))
                .map(group -> group.stream().map(Atom::table).sorted().collect(Collectors.joining(" with ")))
                .sorted()
                .toList();
        if (loose.size() > 1) {
            findings.add(Finding.warning(
                    position,
                    "nothing connects " + String.join(" and ", loose) + ": every row is combined with every other",
                    "Add the join condition."));
        }
    }

    /**
     * A comparison across types is a function of which nothing is known, so such a view hardly ever proves anything.
     */
    private void types(Condition condition, QueryFacts facts, Position position) {
        types(Mentions.terms(condition), facts, position);
    }

    private void types(List<Term> terms, QueryFacts facts, Position position) {
        for (Term term : terms) {
            // A comparison of two types was made a function; what is compared is inside.
            if (term instanceof Term.Function function && function.symbol().contains(COMPARISON)) {
                types(function.arguments(), facts, position);
            }
            for (Term other : terms) {
                if (bare(term) instanceof Term.Context parameter) {
                    type(parameter, facts.column(bare(other)), position);
                }
            }
        }
    }

    /** Kinds and not names of types: a BIGINT parameter for an INT column is fine. */
    private void type(Term.Context parameter, @Nullable Column column, Position position) {
        ColumnType declared = policy.context().get(parameter.name());
        if (column != null && declared != null && column.type().kind() != declared.kind()) {
            findings.add(Finding.warning(
                    position,
                    "?" + parameter.name() + " is a " + declared.sqlName() + " and is compared with " + column.name()
                            + ", a " + column.type().sqlName(),
                    "Declare it with the column's type."));
        }
    }

    /** 'BOB' sees bob's rows where the column's collation says so; the author should have seen that. */
    private void equalities(ConjunctiveQuery query, QueryFacts facts, Position position) {
        var columns = new TreeSet<String>();
        Mentions.walk(query, term -> {
            if (term instanceof Term.Function function && function.symbol().startsWith(KEY_PREFIX)) {
                for (Term argument : function.arguments()) {
                    Column column = facts.column(argument);
                    if (column != null) {
                        columns.add(column.name() + " (" + function.symbol().substring(KEY_PREFIX.length()) + ")");
                    }
                }
            }
        });
        if (!columns.isEmpty()) {
            findings.add(Finding.note(
                    position,
                    "equal does not mean identical for " + String.join(", ", columns),
                    "Check that values which differ in case, accents or trailing spaces may count as one."));
        }
    }

    private static Term bare(Term term) {
        return term instanceof Term.Function function
                        && function.symbol().startsWith(KEY_PREFIX)
                        && function.arguments().size() == 1
                ? function.arguments().get(0)
                : term;
    }

    private void redundant() {
        var kept = new ArrayList<>(policy.views());
        for (View view : policy.views()) {
            var others = new ArrayList<>(kept);
            // Against those that are kept only: of two views that show the same one is told, not both.
            others.remove(view);
            if (!view.query().disjuncts().isEmpty() && redundancy.isCovered(view, others)) {
                kept = others;
                findings.add(Finding.note(
                        loaded.position(view.name()),
                        "the view " + view.name() + " shows nothing that the others do not show",
                        "Remove it, unless it is there for its readers."));
            }
        }
    }

    private void inclusions() {
        for (Inclusion inclusion : policy.inclusions()) {
            Position position = loaded.position(inclusion.name());
            if (redundancy.isOfTheSchema(inclusion)) {
                findings.add(Finding.warning(
                        position,
                        "the assertion " + inclusion.name() + " says nothing new: it follows from the schema",
                        "Remove it, or check that it says what was meant."));
            }
        }
    }

    private void relations(List<Relation> relations) {
        Map<String, Position> firstUse = firstUses();
        for (Relation relation : relations) {
            String name = relation.table().name();
            Position position = firstUse.getOrDefault(name, new Position("policy", 1, 1));
            // It counts as a table of its own, since privoxy does not look into its definition.
            if (relation.kind() == Relation.Kind.VIEW) {
                findings.add(Finding.warning(
                        position,
                        name
                                + " is a view of the database or a foreign table; it has no keys, and what it shows is not "
                                + "derived from its tables",
                        "Write the policy over tables."));
            }
            if (relation.kind() == Relation.Kind.TABLE
                    && relation.table().keys().isEmpty()) {
                findings.add(Finding.warning(
                        position,
                        name + " has no key: rows that are equal cannot be told apart, so a count of them"
                                + " is taken for a count of different rows",
                        "Add a primary key."));
            }
            for (String note : relation.notes()) {
                findings.add(Finding.note(position, name + ": " + note, ""));
            }
        }
    }

    private Map<String, Position> firstUses() {
        var uses = new HashMap<String, Position>();
        for (View view : policy.views()) {
            for (ConjunctiveQuery query : view.query().disjuncts()) {
                for (Atom atom : query.atoms()) {
                    uses.putIfAbsent(atom.table(), loaded.position(view.name()));
                }
            }
        }
        return uses;
    }

    /** A note: tables that nobody shall see are as they should be. */
    private void uncovered(List<String> names) {
        var covered = new HashSet<>(firstUses().keySet());
        List<String> missing =
                names.stream().filter(name -> !covered.contains(name)).sorted().toList();
        if (!missing.isEmpty()) {
            Position first = policy.views().isEmpty()
                    ? new Position("policy", 1, 1)
                    : loaded.position(policy.views().get(0).name());
            findings.add(Finding.note(
                    new Position(first.file(), 1, 1),
                    "no view shows anything of " + String.join(", ", missing),
                    "Every query on them is refused; add views if that is not meant."));
        }
    }
}
