package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Arbiters;
import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Assignment;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.MergeWhen;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Emits the read part of statements that write.
 *
 * <p>UPDATE and DELETE tell how many rows their WHERE matches; the values assigned are copies of what they are computed
 * from; RETURNING shows rows. So each is revealed as the query that returns all that, with keys of the rows written.
 * The count is taken to be that of matched rows, which is what JDBC drivers report unless they are told otherwise
 * ({@code useAffectedRows}). MERGE is the outer join of its source with its target.
 *
 * <p>Whether a write is allowed is not the question here (the limits page says why): only what it tells. It tells by
 * its count, by RETURNING, by what it copies from rows into others, by errors that name a key, and by the order in
 * which rows get numbers or are cut off.
 */
final class WriteReader {

    private static final String WITHOUT_KEY = " without an ORDER BY that has a key; add one, here";
    private static final String ANY_OF_SEVERAL =
            "a value from any of several rows that a row is joined with (join it with one, by a key),";
    private static final String RETURNED =
            "RETURNING of several rows in no order (name one row by its key, or use WITH rows AS (…)"
                    + " SELECT … FROM rows ORDER BY …),";

    /**
     * Without an argument each gives what nobody can foresee. Not uuidv7 and uuid_v7, which begin with the time, nor
     * MariaDB's uuid(), which has it in it.
     */
    private static final Set<String> RANDOM =
            Set.of("gen_random_uuid", "uuid_generate_v4", "uuidv4", "uuid_v4", "random_uuid");

    private static final String ROWS = "rows that the statement finds and what it reads of them";

    private final Work work;
    private final Set<Change> changes = new LinkedHashSet<>();
    /**
     * Whether the statement that is read is one of WITH. WITH rows AS (UPDATE … RETURNING …) SELECT … ORDER BY: the
     * query around gives the order, so RETURNING need not.
     */
    private boolean isInside;

    WriteReader(Work work) {
        this.work = work;
    }

    /** What is done to tables. */
    List<Change> changes() {
        return List.copyOf(changes);
    }

    /** Emits the obligations of a statement that writes. */
    void read(Statement statement, Place place) {
        if (statement instanceof Statement.Insert insert) {
            Place inside = with(insert.with(), place);
            TableResolver.BaseTable target = target(insert.table(), inside);
            String name = target.table().name();
            // A conflict clause that updates changes rows by keys that need not be in the text.
            changes.add(InsertReader.onlyAdds(insert) ? new Change.Added(name) : new Change.Any(name));
            new InsertReader(work, target).read(insert, inside);
        } else if (statement instanceof Statement.Update update) {
            update(update, with(update.with(), place));
        } else if (statement instanceof Statement.Delete delete) {
            delete(delete, with(delete.with(), place));
        } else if (statement instanceof Statement.Merge merge) {
            merge(merge, with(merge.with(), place));
        } else {
            throw work.refuse("this statement", statement.position());
        }
    }

    /**
     * Emits what the statements of a WITH clause read; its queries are revealed where they are used.
     *
     * <p>All of them, whether or not the query names them: PostgreSQL runs each data-modifying WITH.
     */
    Place with(@Nullable With with, Place place) {
        Place inside = CommonTables.enter(with, place);
        if (with != null) {
            for (With.CommonTable table : with.tables()) {
                if (!(table.statement() instanceof Statement.Select)) {
                    inside(table.statement(), inside);
                }
            }
        }
        return inside;
    }

    /** One whose rows are shown by the query around it, in its order. */
    private void inside(Statement statement, Place place) {
        boolean wasInside = isInside;
        isInside = true;
        read(statement, place);
        isInside = wasInside;
        work.columns = StatementPlan.ANY_NUMBER;
    }

    private TableResolver.BaseTable target(QualifiedName name, Place place) {
        CommonTables tables = place.tables();
        // Databases differ in whether that is the table or an error.
        if (name.isSimple() && tables != null && tables.find(name.last().text(), work, name.position()) != null) {
            throw work.refuse("writing to " + name + ", which is a name of WITH", name.position());
        }
        TableResolver.Found found = found(name, place);
        if (found instanceof TableResolver.BaseTable base) {
            return base;
        }
        if (found instanceof TableResolver.Unknown unknown && unknown.reason() == null) {
            List<String> parts = name.parts().stream().map(Name::text).toList();
            throw work.noTable("the table " + name + ", which does not exist", name.position(), parts);
        }
        throw work.refuse("writing to " + name + ", which is not a table", name.position());
    }

    private TableResolver.Found found(QualifiedName name, Place place) {
        return work.resolver.resolve(name.parts().stream().map(Name::text).toList(), place.searchPath());
    }

    // --- UPDATE and DELETE -------------------------------------------------------------------------------------------

    private void update(Statement.Update update, Place place) {
        Returned.check(update.returning(), work);
        work.account.ignore(update.limit(), Account.Ignored.LIMIT);
        List<FromItem> items = new ArrayList<>(update.targets());
        items.addAll(update.from());
        List<Expr> others = new ArrayList<>();
        // What is assigned is copied from where it is read, also if nobody sees it in this statement: SET shown =
        // secret.
        addValues(update.assignments(), others);
        update.orderBy().forEach(item -> others.add(item.key()));
        refuseCarried(update.targets(), update.assignments(), place);
        // One table, as the standard has it; MariaDB also updates joins.
        boolean single = update.targets().size() == 1 && update.targets().get(0) instanceof FromItem.Table;
        if (isStamped(update.targets(), update.assignments(), place)) {
            // The old values: the time is set iff one of them becomes another.
            update.assignments().forEach(one -> one.targets().forEach(column -> others.add(new Expr.Column(column))));
        }
        boolean counts = update.assignments().stream().anyMatch(one -> isNext(one.value()));
        // Which rows a limit takes, and which number a row gets, is the order in which they are found.
        RowCheck check = update.limit() != null || counts
                ? new RowCheck(
                        update.orderBy(),
                        counts ? "numbers of a sequence for rows in no order" : "UPDATE … LIMIT" + WITHOUT_KEY)
                : returned(update.returning(), update.orderBy());
        matched(
                items,
                update.where(),
                update.returning(),
                others,
                update.assignments(),
                single,
                place,
                update.position(),
                check);
        if (single) {
            Table table = target(((FromItem.Table) update.targets().get(0)).name(), place)
                    .table();
            changes.add(new Touched(work, table)
                    // With other tables in sight a name in WHERE may be theirs.
                    .update(update.assignments(), update.from().isEmpty() ? update.where() : null));
        } else {
            addWritten(update.targets(), place);
        }
    }

    /**
     * Whether the database sets the time of an update, and only where a value becomes another one: then that time tells
     * what the values were, and they count as read. Not if the statement sets the time itself.
     *
     * <p>{@code UPDATE t SET secret = 7 WHERE id = 1} followed by a look at {@code updated_at} tells whether the secret
     * was 7 ({@code AttackerCasesIT.theTimeOfAnUpdateDoesNotTellWhetherAGuessIsRight}). PostgreSQL's trigger that
     * leaves out updates which change nothing tells it by the count.
     */
    private boolean isStamped(List<? extends FromItem> items, List<Assignment> assignments, Place place) {
        for (FromItem item : items) {
            if (item instanceof FromItem.Join join
                    && isStamped(List.of(join.left(), join.right()), assignments, place)) {
                return true;
            }
            if (item instanceof FromItem.Table named
                    && found(named.name(), place) instanceof TableResolver.BaseTable base) {
                // Where the catalogue does not show whether there is such a column, there may be one.
                if (!base.arbiters().known() && work.dialect != Dialect.POSTGRESQL
                        || base.arbiters().triggers().contains(Arbiters.Doing.SKIPS_EQUAL)) {
                    return true;
                }
                for (int stamped : base.arbiters().stamped()) {
                    String column = base.table().columns().get(stamped).name();
                    if (assignments.stream()
                            .flatMap(one -> one.targets().stream())
                            .noneMatch(target ->
                                    SelectColumns.sameName(column, target.last().text(), work.dialect))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * Refuses to set what the database computes from columns that are not read here, and what it carries on into rows
     * of other tables.
     *
     * <p>{@code ON UPDATE CASCADE} writes rows that the statement does not name, some of which a view shows by the
     * column that changes; a default that is computed from other columns copies them into this one
     * ({@code SecondAttackIT.aCascadeIsAWriteOfTheRowsThatItReaches},
     * {@code .aDefaultThatIsComputedReadsWhatItIsComputedFrom}).
     */
    private void refuseCarried(List<? extends FromItem> items, List<Assignment> assignments, Place place) {
        for (FromItem item : items) {
            if (item instanceof FromItem.Join join) {
                refuseCarried(List.of(join.left(), join.right()), assignments, place);
            } else if (item instanceof FromItem.Table named
                    && found(named.name(), place) instanceof TableResolver.BaseTable base) {
                refuseCarried(base, assignments, work);
            }
        }
    }

    /** The same for one table. */
    static void refuseCarried(TableResolver.BaseTable base, List<Assignment> assignments, Work work) {
        for (Assignment assignment : assignments) {
            for (QualifiedName target : assignment.targets()) {
                if (isOneOf(base.arbiters().cascading(), target, base, work)) {
                    throw work.refuse(
                            "changing " + target + ", which the database carries on into other tables,",
                            target.position());
                }
                boolean counts = base.arbiters().triggers().contains(Arbiters.Doing.COUNTS);
                if ((counts || isOneOf(base.arbiters().computed(), target, base, work))
                        && isDefault(assignment.value())) {
                    throw work.refuse("the default of " + target + ", where defaults are computed,", target.position());
                }
            }
        }
    }

    /**
     * Refuses to delete what gives other rows a default for what they refer to.
     *
     * <p>{@code ON DELETE SET DEFAULT} points rows of others at whatever the default names
     * ({@code SecondAttackIT.aDefaultInThePlaceOfADeletedRowIsAWriteToo}).
     */
    private void refuseRedirected(List<? extends FromItem> items, Place place) {
        for (FromItem item : items) {
            if (item instanceof FromItem.Join join) {
                refuseRedirected(List.of(join.left(), join.right()), place);
            } else if (item instanceof FromItem.Table named
                    && found(named.name(), place) instanceof TableResolver.BaseTable base
                    && base.arbiters().triggers().contains(Arbiters.Doing.REDIRECTS)) {
                throw work.refuse(
                        "deleting from " + named.name() + ", which gives rows of other tables a default,",
                        named.position());
            }
        }
    }

    private static boolean isOneOf(Set<Integer> columns, QualifiedName name, TableResolver.BaseTable base, Work work) {
        return columns.stream()
                .map(column -> base.table().columns().get(column).name())
                .anyMatch(column -> SelectColumns.sameName(column, name.last().text(), work.dialect));
    }

    private static boolean isDefault(Expr value) {
        return value instanceof Expr.Default
                || value instanceof Expr.Row row && row.values().stream().anyMatch(WriteReader::isDefault);
    }

    private void delete(Statement.Delete delete, Place place) {
        // DELETE a FROM a JOIN b: what stands before FROM are names of what stands behind it.
        List<FromItem> items = new ArrayList<>(delete.multiTable() ? List.of() : delete.targets());
        items.addAll(delete.using());
        refuseRedirected(items, place);
        refuseRedirected(delete.targets(), place);
        List<Expr> others = new ArrayList<>();
        delete.orderBy().forEach(item -> others.add(item.key()));
        Returned.check(delete.returning(), work);
        // The targets of a multi-table DELETE are aliases; all tables in it are taken to be written.
        if (delete.multiTable()) {
            delete.targets().forEach(target -> work.account.ignore(target, Account.Ignored.NAMES_OF_TARGETS));
        }
        work.account.ignore(delete.limit(), Account.Ignored.LIMIT);
        RowCheck check = delete.limit() != null
                ? new RowCheck(delete.orderBy(), "DELETE … LIMIT" + WITHOUT_KEY)
                : returned(delete.returning(), delete.orderBy());
        matched(
                items,
                delete.where(),
                delete.returning(),
                others,
                List.of(),
                !delete.multiTable(),
                place,
                delete.position(),
                check);
        if (delete.multiTable() || !delete.using().isEmpty()) {
            addWritten(delete.multiTable() ? items : delete.targets(), place);
        } else {
            Table table = target(delete.targets().get(0).name(), place).table();
            changes.add(new Touched(work, table).delete(delete.where()));
        }
    }

    /** That it does not matter in which order rows are found. */
    private record RowCheck(List<OrderItem> orderBy, String what) {}

    /** Rows that are returned come in the order in which they are found. */
    private @Nullable RowCheck returned(List<SelectItem> returning, List<OrderItem> orderBy) {
        return returning.isEmpty() || isInside ? null : new RowCheck(orderBy, RETURNED);
    }

    /**
     * Whether a value is the next of several that tell in which order they were made: a number of a sequence, an
     * identifier with the time in it, or a default, which may be one of these. (MariaDB's is a constant, or refused
     * elsewhere.)
     *
     * <p>Rows that are numbered as they are found tell the order of a hidden index, also by a random-looking identifier
     * that begins with the time ({@code SixthAttackIT.defaultsThatCountAreWrittenInNoHiddenOrder}).
     */
    private boolean isNext(Node value) {
        return value instanceof Expr.SequenceValue
                || value instanceof Expr.Default && work.dialect != Dialect.MARIADB
                || value instanceof Expr.Call call && tellsOrder(call)
                || Tree.children(value).stream().anyMatch(this::isNext);
    }

    private boolean tellsOrder(Expr.Call call) {
        String name = call.name().last().text().toLowerCase(Locale.ROOT);
        boolean isRandom = RANDOM.contains(name) && call.arguments().isEmpty();
        return work.kind(call.name()) == FunctionKind.FRESH && !isRandom;
    }

    static void addValues(List<Assignment> assignments, List<Expr> values) {
        assignments.forEach(assignment -> values.add(assignment.value()));
    }

    private void addWritten(List<? extends FromItem> items, Place place) {
        for (FromItem item : items) {
            if (item instanceof FromItem.Table table) {
                changes.add(new Change.Any(target(table.name(), place).table().name()));
            } else if (item instanceof FromItem.Join join) {
                addWritten(List.of(join.left(), join.right()), place);
            }
        }
    }

    /**
     * The rows found.
     *
     * @param others what else is read of them
     * @param assignments what is written to them
     * @param single whether the first item alone is written: then the others only decide which of its rows are found,
     *     and how often a row is found does not matter
     */
    private void matched(
            List<FromItem> items,
            @Nullable Expr where,
            List<SelectItem> returning,
            List<Expr> others,
            List<Assignment> assignments,
            boolean single,
            Place place,
            int position,
            @Nullable RowCheck check) {
        for (From from : new FromReader(work, Absence.NONE).readAll(items, place)) {
            Place inside = place.within(from.scope(place.scope()));
            List<Filter> filters = new ArrayList<>(from.filters);
            filters.addAll(Filter.of(where, work, inside));
            var returned = new OutputReader(work, inside, returning);
            work.columns = returning.isEmpty()
                    ? StatementPlan.ANY_NUMBER
                    : returned.columns().size();
            Outputs outputs = returned.of(others);
            // UPDATE t … FROM u finds each row of t once, however many of u fit.
            boolean set = single && items.size() > 1;
            Outputs all = set ? with(outputs, from.rows.get(0)) : outputs;
            var block = new Block(work, from, filters, Absence.NONE, position);
            if (check != null) {
                work.order.write(block, new OutputReader(work, inside, List.of()), check.orderBy, set, check.what);
            }
            if (from.rows.size() + from.optional.size() > 1 || from.opaque || !from.absent.isEmpty()) {
                // With a single table and no join there is one row for each row.
                joined(block, inside, assignments, returning, set);
            }
            block.reveal(Context.ROOT, set ? Mode.SET : Mode.BAG, all, ROWS);
        }
    }

    /**
     * What rows get, and what is returned of them, must not come from any of several rows that are joined with them.
     *
     * <p>Otherwise: {@code UPDATE t SET x = u.secret FROM u WHERE u.team = t.team} takes the value of the first u that
     * is found, in the order of an index or a hash ({@code FifthAttackIT.aRowIsWrittenFromOneOtherOrNone}).
     */
    private void joined(
            Block block, Place inside, List<Assignment> assignments, List<SelectItem> returning, boolean isFirst) {
        var reader = new OutputReader(work, inside, returning);
        if (isFirst) {
            List<Outputs.Reader> read = new ArrayList<>(reader.items());
            assignments.forEach(one -> read.add(new OutputReader(work, inside, List.of()).reader(one.value())));
            work.order.joined(block, null, read, ANY_OF_SEVERAL);
            return;
        }
        var values = new OutputReader(work, inside, List.of());
        for (Assignment assignment : assignments) {
            for (QualifiedName target : assignment.targets()) {
                work.order.joined(
                        block,
                        values.reader(new Expr.Column(target)),
                        List.of(values.reader(assignment.value())),
                        ANY_OF_SEVERAL);
            }
        }
    }

    /** With the key of a row. */
    private static Outputs with(Outputs outputs, Use use) {
        List<Outputs.Reader> others = new ArrayList<>(outputs.others());
        for (Term column : new Closure(List.of(use), List.of()).keyOf(use, List.of())) {
            // As a term only, to tell rows apart; it is compared with nothing.
            others.add(now -> new Operand.Plain(column, new Sort.Unknown("key"), true));
        }
        return new Outputs(outputs.items(), others);
    }

    // --- MERGE -------------------------------------------------------------------------------------------------------

    private void merge(Statement.Merge merge, Place place) {
        changes.add(new Change.Any(target(merge.target().name(), place).table().name()));
        Returned.check(merge.returning(), work);
        boolean bySource = merge.clauses().stream()
                .anyMatch(clause -> clause.matched() == MergeWhen.Matched.NOT_MATCHED_BY_SOURCE);
        // The source decides what is done: its rows with a match are updated or deleted, those without inserted. NOT
        // MATCHED BY SOURCE is about target rows without one.
        var kind = bySource ? FromItem.JoinKind.FULL : FromItem.JoinKind.LEFT;
        FromItem join =
                new FromItem.Join(kind, false, merge.source(), merge.target(), merge.on(), List.of(), merge.position());
        List<Expr> others = new ArrayList<>();
        for (MergeWhen clause : merge.clauses()) {
            refuseCarried(List.of(merge.target()), clause.updates(), place);
            refuseRedirected(List.of(merge.target()), place);
            if (isStamped(List.of(merge.target()), clause.updates(), place)) {
                clause.updates().forEach(one -> one.targets().forEach(column -> others.add(new Expr.Column(column))));
            }
            if (clause.condition() != null) {
                others.add(clause.condition());
            }
            others.addAll(clause.values());
            addValues(clause.updates(), others);
        }
        for (From from : new FromReader(work, Absence.NONE).readAll(List.of(join), place)) {
            Place inside = place.within(from.scope(place.scope()));
            Outputs outputs = new OutputReader(work, inside, merge.returning()).of(others);
            var block = new Block(work, from, from.filters, Absence.NONE, merge.position());
            if (!merge.returning().isEmpty() && !isInside) {
                // MERGE has no ORDER BY, so only a single row may be returned, or one for each key.
                work.order.write(block, new OutputReader(work, inside, List.of()), List.of(), false, RETURNED);
            }
            if (merge.clauses().stream()
                    .flatMap(clause -> clause.updates().stream())
                    .anyMatch(one -> isNext(one.value()))) {
                work.order.write(
                        block,
                        new OutputReader(work, inside, List.of()),
                        List.of(),
                        false,
                        "numbers of a sequence, or defaults, for rows of a MERGE in no order");
            }
            if (numbers(merge, place)) {
                work.order.inserted(block, "new rows of a MERGE in no order, which get numbers or defaults,");
            }
            block.reveal(Context.ROOT, Mode.BAG, withTarget(outputs, from, inside), ROWS);
        }
    }

    /** Whether new rows may get something that tells in which order they come: a column that is not given. */
    private boolean numbers(Statement.Merge merge, Place place) {
        TableResolver.BaseTable target = target(merge.target().name(), place);
        for (MergeWhen clause : merge.clauses()) {
            if (clause.action() == MergeWhen.Action.INSERT) {
                // Columns that are not given get defaults, and nobody looks at which of these count.
                boolean isWhole = clause.values().size() == target.visibleColumns();
                if (!isWhole || clause.values().stream().anyMatch(value -> isDefault(value) || isNext(value))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a source row has a match is told by what is done with it: the target's key makes the join matter. */
    private Outputs withTarget(Outputs outputs, From from, Place inside) {
        List<Outputs.Reader> others = new ArrayList<>(outputs.others());
        Relation target = from.relations.get(from.relations.size() - 1);
        for (ScopeColumn column : target.columns()) {
            if (isKey(column.cell())) {
                others.add(now -> new ValueReader(work, inside, now).read(column.cell()));
            }
        }
        return new Outputs(outputs.items(), others);
    }

    private static boolean isKey(Cell cell) {
        if (cell instanceof Cell.Optional optional) {
            return isKey(optional.cell());
        }
        return cell instanceof Cell.OfRow row
                && new Closure(List.of(row.use()), List.of())
                        .keyOf(row.use(), List.of())
                        .contains(row.use().variable(row.column()));
    }
}
