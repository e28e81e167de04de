package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Arbiters;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Storable;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Assignment;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.Expr.Truth;
import io.leeway.privoxy.internal.sql.ast.InsertSource;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.OnConflict;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.Statement.InsertKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The read part of INSERT.
 *
 * <p>The rows written are the writer's own: a plain INSERT of values reads nothing, RETURNING shows what was written
 * and what the database added. INSERT … SELECT reads its query. A conflict clause (ON CONFLICT, ON DUPLICATE KEY,
 * IGNORE, REPLACE, MERGE … KEY) tells whether a row with the same key was there: that is a question for each row and
 * key, which also returns what an update reads of the old row and what RETURNING then shows of it. A key none of whose
 * columns is given comes from defaults, and may be that of any row, unless the database numbers a column of it.
 */
final class InsertReader {

    private final Work work;
    private final Table table;
    private final int visibleColumns;
    private final Arbiters arbiters;
    private final TableResolver.BaseTable target;

    InsertReader(Work work, TableResolver.BaseTable target) {
        this.work = work;
        this.table = target.table();
        this.visibleColumns = target.visibleColumns();
        this.arbiters = target.arbiters();
        this.target = target;
    }

    void read(Statement.Insert insert, Place place) {
        // Before all else: a sub-query in RETURNING reads another state than that of the rows.
        Returned.check(insert.returning(), work);
        InsertSource source = insert.source();
        if (source instanceof InsertSource.FromQuery query) {
            // Rows that are copied get numbers, times and places one after the other, so their order shows in the new
            // rows.
            new QueryReader(work).copied(query.query(), place);
        } else if (source instanceof InsertSource.Rows rows) {
            values(rows, insert, place);
        }
        if (!insert.returning().isEmpty()) {
            returning(insert, place);
        }
        if (tellsConflicts(insert)) {
            conflicts(insert, place);
        }
    }

    /**
     * Whether rows that are there stay what they are.
     *
     * <p>Then all facts stay: conjunctive queries are monotone, so a new row makes none of them false
     * ({@code ForgettingPropertyTest}).
     */
    static boolean onlyAdds(Statement.Insert insert) {
        boolean leavesOld = insert.kind() == InsertKind.INSERT || insert.kind() == InsertKind.INSERT_IGNORE;
        OnConflict clause = insert.onConflict();
        return leavesOld && (clause == null || clause.updates().isEmpty());
    }

    // A plain INSERT fails where a key is there (23505). That it fails is the database's word on a single key and is
    // not withheld; see the limits page. A conflict clause asks the same without failing, for as many keys as one
    // likes.
    private static boolean tellsConflicts(Statement.Insert insert) {
        return insert.onConflict() != null || insert.kind() != InsertKind.INSERT;
    }

    // --- values ------------------------------------------------------------------------------------------------------

    /** Values may have sub-queries. A column in them is one of the row that is being written (MariaDB). */
    private void values(InsertSource.Rows rows, Statement.Insert insert, Place place) {
        Place inside = place.within(
                new Scope(place.scope(), List.of(own(insert)), own(insert).columns()));
        List<Outputs.Reader> readers = new ArrayList<>();
        for (List<Expr> row : rows.rows()) {
            for (Expr value : row) {
                readers.add(now -> new ValueReader(work, inside, now).read(value));
            }
        }
        reveal(new Outputs(readers, List.of()), rows.position());
    }

    private void returning(Statement.Insert insert, Place place) {
        Place inside = place.within(
                new Scope(place.scope(), List.of(own(insert)), own(insert).columns()));
        var returned = new OutputReader(work, inside, insert.returning());
        work.columns = returned.columns().size();
        reveal(returned.of(List.of()), insert.position());
    }

    private void reveal(Outputs outputs, int position) {
        new Block(work, new From(), List.of(), Absence.NONE, position)
                .reveal(Context.ROOT, Mode.BAG, outputs, "what a sub-query in the values reads");
    }

    /** The row that is written, for names. */
    private Relation own(Statement.Insert insert) {
        List<ScopeColumn> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            columns.add(new ScopeColumn(column.name(), Cell.REVEALED));
        }
        return new Relation(name(insert), null, columns);
    }

    private static String name(Statement.Insert insert) {
        Name alias = insert.alias();
        return alias != null ? alias.text() : insert.table().last().text();
    }

    // --- conflicts ---------------------------------------------------------------------------------------------------

    private void conflicts(Statement.Insert insert, Place place) {
        if (!(insert.source() instanceof InsertSource.Rows rows)) {
            // Which rows are struck depends on all rows of the query and all keys of the table; there is no small
            // question for it.
            throw work.refuse("a conflict clause for the rows of a query", insert.position());
        }
        if (!arbiters.known()) {
            // Of a view, or where the account may not see the indexes: a row may be struck by a key that nobody asked
            // about.
            throw work.refuse("a conflict clause for a table whose unique keys are not known", insert.position());
        }
        OnConflict clause = insert.onConflict();
        // An update that would break a key is left out, without an error: whether it was tells of a row that no key of
        // the statement names (SixthAttackIT.noUpdateIsLeftOutInSilence).
        if (clause != null && insert.kind() == InsertKind.INSERT_IGNORE) {
            throw work.refuse(
                    "IGNORE with ON DUPLICATE KEY UPDATE, which leaves out updates that fail in silence,",
                    insert.position());
        }
        if (clause != null) {
            WriteReader.refuseCarried(target, clause.updates(), work);
        }
        if (insert.kind() == InsertKind.MERGE_KEYS) {
            refuseCarriedKeys(insert);
        }
        List<Integer> positions = positions(insert);
        boolean strikes = false;
        for (Key key : keys(insert)) {
            for (List<Expr> row : rows.rows()) {
                Map<Integer, Expr> given = given(row, positions, insert);
                // AUTO_INCREMENT gives a number that no row has. A sequence of PostgreSQL's may lag behind the rows, a
                // constant default is that of many (AttackerCasesIT.aKeyFromASequenceThatLagsBehindIsAskedFor).
                boolean isNew = key.columns().stream().noneMatch(given::containsKey)
                        && key.columns().stream().anyMatch(arbiters.numbered()::contains);
                if (!isNew) {
                    strikes = true;
                    conflict(insert, key, given, place);
                }
            }
        }
        // Unique indexes that are no keys to the checker, as they are on prefixes, expressions or parts of the rows,
        // and exclusion constraints: what is struck on them may be any row (Map.of() gives no column).
        for (Key other : arbiters.others()) {
            if (mayBeMeant(other, insert)) {
                strikes = true;
                conflict(insert, other.columns().isEmpty() ? wholeRow(other) : other, Map.of(), place);
            }
        }
        if (!strikes) {
            work.account.ignore(clause, Account.Ignored.STRIKES_NOTHING);
        }
    }

    /**
     * H2's MERGE updates all columns that are given but those that it finds the row by. An UPDATE of such a column is
     * refused, and MERGE INTO t KEY (…) is one for the rows that it finds.
     */
    private void refuseCarriedKeys(Statement.Insert insert) {
        List<Integer> found = insert.keys().isEmpty()
                ? table.keys().stream()
                        .limit(1)
                        .flatMap(key -> key.columns().stream())
                        .toList()
                : insert.keys().stream().map(this::position).toList();
        for (int column : positions(insert)) {
            if (!found.contains(column) && arbiters.cascading().contains(column)) {
                throw work.refuse(
                        "changing " + table.columns().get(column).name()
                                + ", which the database carries on into other tables,",
                        insert.position());
            }
        }
    }

    /** What an index is computed from, if that is not known. */
    private Key wholeRow(Key key) {
        // All columns, so that the question shows the whole row: whether it struck may depend on any of them.
        return new Key(key.name(), IntStream.range(0, table.arity()).boxed().toList(), true);
    }

    /** Whether a conflict may be noticed on an index that is no key. */
    private boolean mayBeMeant(Key other, Statement.Insert insert) {
        OnConflict clause = insert.onConflict();
        if (insert.kind() == InsertKind.MERGE_KEYS && !insert.keys().isEmpty()) {
            return false;
        }
        if (clause == null || (clause.keys().isEmpty() && clause.constraint() == null)) {
            return true;
        }
        return isMeant(other, clause);
    }

    /** The table's columns that the values are for. */
    private List<Integer> positions(Statement.Insert insert) {
        List<Integer> positions = new ArrayList<>();
        // Without a list, values are for the columns that * gives, in their order.
        if (insert.columns().isEmpty()) {
            for (int i = 0; i < visibleColumns; i++) {
                positions.add(i);
            }
        }
        for (Name column : insert.columns()) {
            positions.add(position(column));
        }
        return positions;
    }

    private int position(Name name) {
        for (int i = 0; i < table.arity(); i++) {
            if (SelectColumns.sameName(table.columns().get(i).name(), name.text(), work.dialect)) {
                return i;
            }
        }
        throw work.noColumn("the column " + name + ", which its table does not have", name.position());
    }

    private Map<Integer, Expr> given(List<Expr> row, List<Integer> positions, Statement.Insert insert) {
        if (row.size() > positions.size()) {
            throw work.refuse("more values than columns", insert.position());
        }
        Map<Integer, Expr> given = new LinkedHashMap<>();
        for (int i = 0; i < row.size(); i++) {
            // DEFAULT gives the column whatever it is: as if it were not named.
            if (!(row.get(i) instanceof Expr.Default)) {
                given.put(positions.get(i), row.get(i));
            }
        }
        return given;
    }

    /** The keys on which a conflict is noticed. */
    private List<Key> keys(Statement.Insert insert) {
        OnConflict clause = insert.onConflict();
        if (insert.kind() == InsertKind.MERGE_KEYS && !insert.keys().isEmpty()) {
            return List.of(
                    new Key("", insert.keys().stream().map(this::position).toList(), true));
        }
        if (clause == null || (clause.keys().isEmpty() && clause.constraint() == null)) {
            return table.keys();
        }
        List<Key> keys =
                table.keys().stream().filter(key -> isMeant(key, clause)).toList();
        // ON CONFLICT (a) WHERE … means a partial index, which is unique among some rows only.
        if (keys.isEmpty() || clause.keyWhere() != null) {
            throw work.refuse("ON CONFLICT on anything but a unique key of the table", clause.position());
        }
        return keys;
    }

    private boolean isMeant(Key key, OnConflict clause) {
        Name constraint = clause.constraint();
        if (constraint != null) {
            return key.name().equals(constraint.text());
        }
        Set<Integer> columns = new HashSet<>();
        for (Expr expression : clause.keys()) {
            if (!(expression instanceof Expr.Column column)) {
                throw work.refuse("ON CONFLICT on an expression", expression.position());
            }
            work.account.read(column);
            columns.add(position(column.name().last()));
        }
        return columns.equals(Set.copyOf(key.columns()));
    }

    /** Whether there is a row with the key of a row to be written, as far as it is given, and what is read of it. */
    private void conflict(Statement.Insert insert, Key key, Map<Integer, Expr> given, Place place) {
        List<Integer> known = key.columns().stream()
                // A BEFORE trigger may give the row any other key, a generated column is computed by the database: what
                // the text says is then not what strikes.
                .filter(column -> !arbiters.triggers().contains(Arbiters.Doing.REWRITES)
                        && !arbiters.computed().contains(column)
                        && isStoredAsGiven(given.get(column), column))
                .toList();
        var from = new From();
        Use use = work.use(table);
        from.rows.add(use);
        Relation old = old(insert, use);
        from.relations.add(old);
        from.visible.addAll(old.columns());
        // PostgreSQL's name for the row that was to be inserted. Its values are the writer's own, so they read nothing.
        from.relations.add(new Relation("excluded", null, own(insert).columns()));
        Place inside = place.within(from.scope(place.scope()));
        List<Filter> filters = new ArrayList<>();
        for (int column : known) {
            Expr value = given.get(column);
            if (value != null) {
                filters.add(now -> isEqual(use, key, column, value, place, now));
            }
        }
        Outputs read = readOfOld(insert, inside);
        List<Outputs.Reader> others = new ArrayList<>(read.others());
        // What the answer tells besides whether a row was struck: the parts of the key that are not given, old values
        // of which a count tells whether they change, the number of the row.
        Set<Integer> more = new TreeSet<>(counted(insert));
        more.addAll(key.columns());
        known.forEach(more::remove);
        more.addAll(numbersShown(insert));
        for (int column : more) {
            others.add(now -> new ValueReader(work, inside, now).read(new Cell.OfRow(use, column)));
        }
        new Block(work, from, filters, Absence.NONE, insert.position())
                .reveal(
                        Context.ROOT,
                        Mode.SET,
                        new Outputs(read.items(), others),
                        "whether a row with the same key is there");
    }

    /**
     * Columns of the old row of which the count tells whether they had the new values already: MariaDB counts 2 for a
     * row that is changed, 1 or 0 for one that is not, and REPLACE counts a row of the same values as not deleted. Or
     * of which a time tells it that the database sets.
     */
    private List<Integer> counted(Statement.Insert insert) {
        // PostgreSQL and H2 count a row that is set to what it was like any other.
        if (work.dialect != Dialect.MARIADB && arbiters.stamped().isEmpty()) {
            return List.of();
        }
        if (insert.kind() == InsertKind.MERGE_KEYS) {
            return positions(insert);
        }
        if (insert.kind() == InsertKind.REPLACE) {
            // REPLACE deletes and inserts: whether anything differed is a matter of all columns.
            return IntStream.range(0, table.arity()).boxed().toList();
        }
        OnConflict clause = insert.onConflict();
        List<Integer> columns = new ArrayList<>();
        if (clause != null) {
            for (Assignment assignment : clause.updates()) {
                assignment.targets().forEach(target -> columns.add(position(target.last())));
            }
        }
        return columns;
    }

    /** Columns of the old row that MariaDB answers with where ON DUPLICATE KEY UPDATE has changed it. */
    private Set<Integer> numbersShown(Statement.Insert insert) {
        OnConflict clause = insert.onConflict();
        boolean answers =
                work.asksNumbers && clause != null && !clause.updates().isEmpty();
        // MariaDB gives the number of the row that was there, for whom asks for generated keys; and its driver asks
        // whenever keys are wanted, after batches of texts always
        // (SixthAttackIT.theNumberOfARowThatAnUpsertStrikesIsNotTold).
        return answers ? arbiters.numbered() : Set.of();
    }

    /**
     * Whether the column gets just the value that the text says. Otherwise the row may get any key: what an expression
     * gives is converted, rounded or cut before it is stored. Of a parameter that is found out when it is bound.
     *
     * <p>Tests name the ways: rounded, cut, without blanks, in time or scale
     * ({@code SecondAttackIT.aKeyThatIsRoundedMayStrikeAnyRow} and the following). {@code INSERT INTO t (id) VALUES
     * (1.4) ON CONFLICT DO NOTHING} asked whether there is a row 1.4, of which the answer is known, and told whether
     * there is a row 1.
     */
    private boolean isStoredAsGiven(@Nullable Expr value, int column) {
        ColumnType type = table.columns().get(column).type();
        if (value instanceof Expr.Literal literal) {
            Value stored = literal.kind() == LiteralKind.NULL
                    ? Value.NULL
                    : Literals.as(literal.kind(), literal.text(), type, work.dialect);
            return stored != null && Storable.asItIs(stored, type);
        }
        if (value instanceof Expr.Parameter parameter) {
            LiteralKind kind = work.arguments.kind(parameter.slot());
            // A string beside a number is converted; it is not looked at how.
            return kind == LiteralKind.NULL
                    || Literals.fits(kind, type, work.dialect)
                            && (type.kind() != ValueKind.NUMBER
                                    || kind == null
                                    || Literals.isNumber(kind, work.dialect))
                            && work.arguments.expectStored(parameter.slot(), type);
        }
        return false;
    }

    private Dnf isEqual(Use use, Key key, int column, Expr value, Place place, Absence now) {
        var values = new ValueReader(work, place, now);
        Operand given = values.read(value);
        var comparer = new Comparer(work);
        Operand cell = values.read(new Cell.OfRow(use, column));
        Dnf equal = comparer.when(Truth.TRUE, ComparisonOperator.EQ, cell, given, value.position());
        // A parameter may be NULL. Then the row that it strikes need not equal it (NULL equals nothing), so a given
        // NULL has to count as a match of any row.
        return strikesByNull(key, column) ? equal.or(comparer.isNull(given), work, value.position()) : equal;
    }

    /**
     * Whether a null may strike a row: one that has a null too, or one with the value that MariaDB puts in its place.
     */
    private boolean strikesByNull(Key key, int column) {
        if (table.columns().get(column).nullable()) {
            return !key.nullsDistinct();
        }
        // Outside of strict mode, and in inserts of several rows, MariaDB puts 0 or '' in the place of a NULL for a
        // column that may hold none (AttackerCasesIT.aNullStrikesTheRowWithTheValueThatMariaDbPutsInItsPlace).
        return work.dialect == Dialect.MARIADB && !arbiters.numbered().contains(column);
    }

    /** What an update reads of the old row, and RETURNING shows of it. */
    private Outputs readOfOld(Statement.Insert insert, Place inside) {
        OnConflict clause = insert.onConflict();
        List<Expr> others = new ArrayList<>();
        // DO NOTHING returns nothing of the old row, and RETURNING no row at all.
        if (clause == null || clause.updates().isEmpty()) {
            return Outputs.NONE;
        }
        WriteReader.addValues(clause.updates(), others);
        if (clause.where() != null) {
            others.add(clause.where());
        }
        return new OutputReader(work, inside, insert.returning()).of(others);
    }

    private Relation old(Statement.Insert insert, Use use) {
        List<ScopeColumn> columns = new ArrayList<>();
        for (int i = 0; i < table.arity(); i++) {
            columns.add(new ScopeColumn(table.columns().get(i).name(), new Cell.OfRow(use, i), i >= visibleColumns));
        }
        return new Relation(name(insert), null, columns);
    }
}
