package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.sql.ast.Expr;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What determines the rows of a block before they are put together.
 *
 * <p>The rows that are always there must be determined by themselves: what an outer join joins by does not hold where
 * its nullable side is absent, and there its columns are NULL. Whether the side is absent follows from the rows before
 * it, so it is the next to be determined, by what holds where it is there.
 *
 * <p>An attacker had a key of an optional side tell rows apart that have no such side
 * ({@code FifthAttackIT.theKeyOfAnOptionalSideIsNoneOfTheOther}): in {@code FROM a LEFT JOIN b ON b.a = a.id ORDER BY
 * b.id} the id of b determines its row, and by {@code b.a = a.id} that of a; but all rows of a without a b have NULL
 * there, and come in the order of some index.
 */
final class RowKeys {

    /**
     * A value that is known of each row.
     *
     * <p>A column of an optional side is NULL in many rows, so knowing it there says nothing about the row that is
     * always there.
     *
     * @param parts the optional parts that it is read from: where one is absent it is another value
     */
    record Known(Term term, Set<OptionalPart> parts) {}

    /** An expression as it was read. */
    record Read(Operand operand, Work.Mentions mentions) {}

    /**
     * Rows that are there together.
     *
     * @param own the rows that are to be determined
     * @param all these and the ones that are there whenever they are
     * @param parts the optional parts among them
     */
    private record Level(List<Use> own, List<Use> all, List<Condition> conditions, Set<OptionalPart> parts) {

        List<Term> of(Collection<Known> known) {
            return known.stream()
                    .filter(one -> parts.containsAll(one.parts))
                    .map(Known::term)
                    .toList();
        }

        /** The columns of the rows before these. */
        List<Term> before() {
            List<Term> columns = new ArrayList<>();
            for (Use use : all) {
                if (!own.contains(use)) {
                    columns.addAll(columnsOf(use));
                }
            }
            return columns;
        }

        Closure closure(Collection<Known> known) {
            return new Closure(all, conditions).add(of(known));
        }
    }

    /** To find the keys of so many rows together takes a second; of more, none are looked for. */
    private static final int MAX_ROWS = 64;
    /** Names of WITH that are put in their place can double the rows with each: no database joins so many. */
    private static final int MOST_ROWS = 100;

    private final Work work;
    private final Block block;
    private final From from;
    private final Absence absence;
    private final List<Fact> facts;
    private final Level base;
    private final List<Level> optional = new ArrayList<>();

    RowKeys(Work work, Block block, Absence absence) {
        this.work = work;
        this.block = block;
        this.from = block.from;
        // WITH a AS (… t, t), b AS (… a, a), …: thirty names are a thousand million rows of FROM
        // (SeventhAttackIT.namesThatDoubleTheirRowsAreRefusedSoon).
        if (from.rows.size() + from.optional.size() > MOST_ROWS) {
            throw work.refuse("a query of more than " + MOST_ROWS + " tables", Math.max(block.position, 0));
        }
        Absence now = absence;
        for (OptionalPart part : from.absent) {
            now = now.plus(part);
        }
        this.absence = now;
        this.facts = facts();
        // What WHERE needs is there in every row, so its conditions hold throughout: a LEFT JOIN that WHERE makes an
        // inner one.
        Set<OptionalPart> needed = needed(Set.of());
        List<Use> always = new ArrayList<>(from.rows);
        needed.forEach(part -> always.addAll(part.uses));
        this.base = level(always, needed);
        for (OptionalPart part : from.optional) {
            if (!needed.contains(part)) {
                optional.add(level(part.uses, needed(withOuter(part, needed))));
            }
        }
    }

    private static Set<OptionalPart> withOuter(OptionalPart part, Set<OptionalPart> needed) {
        Set<OptionalPart> present = new LinkedHashSet<>(needed);
        for (OptionalPart one = part; one != null; one = one.parent) {
            present.add(one);
        }
        return present;
    }

    /**
     * A condition, read once.
     *
     * @param of the part that joins by it, or null for all rows
     * @param mentioned the optional parts that it reads
     * @param needs those of them without which it does not hold
     * @param holds what follows from it where all that it mentions is there
     */
    private record Fact(
            @Nullable OptionalPart of, Set<OptionalPart> mentioned, Set<OptionalPart> needs, List<Condition> holds) {}

    private List<Fact> facts() {
        List<Fact> found = new ArrayList<>();
        block.filters().forEach(filter -> found.add(fact(null, filter)));
        for (OptionalPart part : from.optional) {
            part.filters.forEach(filter -> found.add(fact(part, filter)));
        }
        return found;
    }

    private Fact fact(@Nullable OptionalPart of, Filter filter) {
        List<Dnf> held = new ArrayList<>();
        Set<OptionalPart> mentioned = parts(watch(() -> held.add(filter.holds(absence))));
        Set<OptionalPart> needs = new LinkedHashSet<>();
        for (OptionalPart part : mentioned) {
            // By trying: read with the part's columns NULL the condition can never be TRUE.
            if (block.fails(List.of(filter), absence.plus(part), from.optional)) {
                needs.add(part);
            }
        }
        return new Fact(of, mentioned, needs, Conditions.common(held.get(0).conjuncts()));
    }

    /**
     * The parts that are there if some are: without them WHERE, or what these join by, would not hold.
     *
     * <p>Until nothing is added: what a part joins by may need another part, and so on.
     */
    private Set<OptionalPart> needed(Set<OptionalPart> present) {
        Set<OptionalPart> needed = new LinkedHashSet<>(present);
        boolean changed = true;
        while (changed) {
            Set<OptionalPart> more = new LinkedHashSet<>(needed);
            for (Fact fact : facts) {
                if (fact.of == null || needed.contains(fact.of)) {
                    fact.needs.forEach(part -> more.addAll(withOuter(part, Set.of())));
                }
            }
            changed = needed.addAll(more);
        }
        return needed;
    }

    private Level level(List<Use> own, Set<OptionalPart> present) {
        List<Use> all = new ArrayList<>(from.rows);
        present.forEach(part -> all.addAll(part.uses));
        List<Condition> conditions = new ArrayList<>();
        for (Fact fact : facts) {
            // A condition of a part says nothing where that part is not there; and one that mentions a part was read
            // with it there.
            boolean holds = fact.of == null || present.contains(fact.of);
            if (holds && present.containsAll(fact.mentioned)) {
                conditions.addAll(fact.holds);
            }
        }
        return new Level(List.copyOf(own), all, conditions, present);
    }

    private Work.Mentions watch(Runnable action) {
        if (from.optional.isEmpty()) {
            action.run();
            return Work.Mentions.NONE;
        }
        return work.watch(action);
    }

    // --- what is known -----------------------------------------------------------------------------------------------

    /**
     * What a value is known to be; nothing if it is no term.
     *
     * <p>An aggregate or a sub-query is no term; it is left out, which only makes less known.
     */
    Set<Known> known(Collection<Outputs.Reader> readers) {
        Set<Known> known = new LinkedHashSet<>();
        for (Outputs.Reader reader : readers) {
            List<Operand> read = new ArrayList<>();
            Work.Mentions mentions = watch(() -> read.add(reader.read(absence)));
            if (read.get(0) instanceof Operand.Plain plain) {
                known.add(new Known(plain.term(), parts(mentions)));
            }
        }
        return known;
    }

    private Set<OptionalPart> parts(Work.Mentions mentions) {
        return new LinkedHashSet<>(mentions.among(from.optional));
    }

    /** Reads an expression and finds out all that it depends on. */
    Read read(Outputs.Reader reader) {
        List<Operand> read = new ArrayList<>();
        Work.Mentions mentions = work.watch(() -> read.add(reader.read(absence)));
        return new Read(read.get(0), mentions);
    }

    /** All of the rows that a column is of. */
    Set<Known> rowOf(Term.Variable column) {
        Set<Known> known = new LinkedHashSet<>();
        for (Use use : from.rows) {
            addRow(use, column, Set.of(), known);
        }
        for (OptionalPart part : from.optional) {
            for (Use use : part.uses) {
                addRow(use, column, withOuter(part, Set.of()), known);
            }
        }
        return known;
    }

    private static void addRow(Use use, Term.Variable column, Set<OptionalPart> parts, Set<Known> known) {
        if (use.owns(column.index())) {
            columnsOf(use).forEach(term -> known.add(new Known(term, parts)));
        }
    }

    /** All of the rows that are always there. */
    Set<Known> firstRow() {
        Set<Known> known = new LinkedHashSet<>();
        columnsOf(from.rows.get(0)).forEach(term -> known.add(new Known(term, Set.of())));
        return known;
    }

    private static List<Term> columnsOf(Use use) {
        List<Term> columns = new ArrayList<>();
        for (int column = 0; column < use.table().arity(); column++) {
            columns.add(use.variable(column));
        }
        return columns;
    }

    // --- what follows ------------------------------------------------------------------------------------------------

    // Rows of an opaque query, of a function or of a FULL JOIN's other reading are no combinations of rows of tables,
    // so no keys of tables tell them apart.
    private boolean isWhole() {
        return base.all.size() <= MAX_ROWS
                && optional.size() <= MAX_ROWS
                && !from.opaque
                && from.pendings.isEmpty()
                && from.absent.isEmpty()
                && from.optional.stream().noneMatch(part -> part.opaque);
    }

    /** Whether no two rows agree on what is known. */
    boolean determineAll(Collection<Known> known) {
        return isWhole()
                && base.closure(known).coversAll(base.own)
                && optional.stream()
                        .allMatch(level ->
                                // Given the rows before it, as these have been determined at an earlier level.
                                level.closure(known).add(level.before()).coversAll(level.own));
    }

    /** Whether no two rows of the first table agree on what is known. */
    boolean determineFirst(Collection<Known> known) {
        return base.closure(known).covers(from.rows.get(0));
    }

    /** Whether there is at most one row of those that are always there. */
    boolean isFirstUnique() {
        return isWhole() && base.closure(List.of()).coversAll(base.own);
    }

    /**
     * Whether what was read is the same in all rows that agree on what is known.
     *
     * @param revealed columns that are known, of relations whose rows are revealed by themselves
     */
    boolean determine(Collection<Known> known, Set<Cell.Revealed> revealed, Read read) {
        if (read.operand instanceof Operand.Plain plain
                && known.contains(new Known(plain.term(), parts(read.mentions)))) {
            return true;
        }
        // If whole rows are determined, everything read of them is, sub-queries too.
        if (determineAll(known)) {
            return true;
        }
        Set<Cell.Revealed> following = new LinkedHashSet<>(revealed);
        Closure closure = base.closure(known);
        // Columns of opaque queries follow from what tells these queries' rows apart.
        from.uniques.stream()
                .filter(unique -> unique.key().stream().allMatch(closure::determines))
                .forEach(unique -> following.addAll(unique.columns()));
        return following.containsAll(read.mentions.revealed())
                && read.mentions.among(from.optional).stream().allMatch(part -> isTold(part, known))
                && read.mentions.columns().stream().allMatch(column -> determines(known, column));
    }

    /**
     * Whether it is known of each row whether it has this part: by a column of it that is never NULL.
     *
     * <p>A column that may be NULL does not tell: the part may be there with a NULL in it.
     */
    private boolean isTold(OptionalPart part, Collection<Known> known) {
        if (base.parts.contains(part)) {
            return true;
        }
        for (Known one : known) {
            for (Use use : part.uses) {
                if (one.term instanceof Term.Variable variable
                        && use.owns(variable.index())
                        && !use.table()
                                .columns()
                                .get(variable.index() - use.first())
                                .nullable()) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean determines(Collection<Known> known, Term.Variable column) {
        for (OptionalPart part : from.optional) {
            if (part.owns(column.index()) && !base.parts.contains(part)) {
                return optional.stream()
                        .filter(level -> level.own.equals(part.uses))
                        .allMatch(level -> level.closure(known).determines(column));
            }
        }
        // That of a row outside of the block is the same in all of its rows.
        boolean isOutside = base.all.stream().noneMatch(use -> use.owns(column.index()))
                && from.behind.stream().noneMatch(use -> use.owns(column.index()));
        return isOutside || base.closure(known).determines(column);
    }

    /**
     * The columns of keys, as they are named here, that determine the rows together with what is known; null if they
     * cannot be named.
     *
     * @param preferred what is shown anyway
     */
    @Nullable
    List<String> missing(Collection<Known> known, Collection<Known> preferred) {
        if (!isWhole()) {
            return null;
        }
        // Columns of keys are what an ORDER BY is extended by; they have to be written into the text by name, so one
        // without a clear name makes it impossible.
        Set<Term> missing = new LinkedHashSet<>(
                Keys.missing(base.own, base.all, base.conditions, base.of(known), base.of(preferred)));
        for (Level level : optional) {
            List<Term> before = new ArrayList<>(level.before());
            before.addAll(level.of(known));
            missing.addAll(Keys.missing(level.own, level.all, level.conditions, before, level.of(preferred)));
        }
        List<String> names = new ArrayList<>();
        for (Term term : missing) {
            String name = term instanceof Term.Variable variable ? name(variable) : null;
            if (name == null) {
                return null;
            }
            names.add(name);
        }
        return names;
    }

    // --- names -------------------------------------------------------------------------------------------------------

    private @Nullable String name(Term.Variable variable) {
        List<Use> uses = new ArrayList<>(from.rows);
        from.optional.forEach(part -> uses.addAll(part.uses));
        for (Use use : uses) {
            if (use.owns(variable.index())) {
                int column = variable.index() - use.first();
                // Rows without any key give all their columns; sorting by all of them is done by the order's own rules
                // (RowOrder), as columns may be of types that have no order.
                return isOfKey(use, column) ? name(use, column) : null;
            }
        }
        return null;
    }

    private static boolean isOfKey(Use use, int column) {
        for (Key key : use.table().keys()) {
            if (key.columns().contains(column)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable String name(Use use, int column) {
        for (Relation relation : from.relations) {
            for (ScopeColumn one : relation.columns()) {
                if (isCell(one.cell(), use, column) && isOne(relation) && isNamed(relation, one)) {
                    return quoted(relation.name()) + '.' + quoted(one.name());
                }
            }
        }
        return null;
    }

    /** The name of what a column of the select list shows, or null if it is no column or none that can be named. */
    @Nullable
    String nameOf(Cell shown) {
        Cell cell = inner(shown);
        for (Relation relation : from.relations) {
            for (ScopeColumn one : relation.columns()) {
                if (one.cell().equals(cell) && isOne(relation) && isNamed(relation, one)) {
                    return quoted(relation.name()) + '.' + quoted(one.name());
                }
            }
        }
        return null;
    }

    /** What an expression stands for that is a name only. */
    private Cell inner(Cell cell) {
        if (cell instanceof Cell.OfExpression expression && expression.expression() instanceof Expr.Column column) {
            Scope scope = expression.place().scope();
            List<Cell> found = scope == null ? List.of() : scope.local(column.name(), work);
            return found.size() == 1 ? found.get(0) : cell;
        }
        return cell;
    }

    /**
     * Whether the column's name is its own in the relation.
     *
     * <p>Without regard to case on all databases: the name is added to a text that is read by the server under its
     * settings, and a wrong column would sort by something that is hidden.
     */
    private boolean isNamed(Relation relation, ScopeColumn column) {
        return !column.name().equals(ScopeColumn.UNNAMED)
                && relation.columns().stream()
                                .filter(other -> work.dialect.mayBeOne(other.name(), column.name())
                                        || other.name().equalsIgnoreCase(column.name()))
                                .count()
                        == 1;
    }

    private boolean isOne(Relation relation) {
        return !relation.name().isEmpty()
                && from.relations.stream()
                                .filter(other -> work.dialect.mayBeOne(other.name(), relation.name())
                                        || other.name().equalsIgnoreCase(relation.name()))
                                .count()
                        == 1;
    }

    private boolean isCell(Cell shown, Use use, int column) {
        Cell cell = inner(shown);
        if (cell instanceof Cell.OfExpression && !cell.equals(shown)) {
            return isCell(cell, use, column);
        }
        if (cell instanceof Cell.Optional optional) {
            return isCell(optional.cell(), use, column);
        }
        return cell instanceof Cell.OfRow row && row.use().equals(use) && row.column() == column;
    }

    // Quoted, so that the server takes it as it stands, whatever it looks like.
    private String quoted(String name) {
        return work.dialect.quoted(name);
    }
}
