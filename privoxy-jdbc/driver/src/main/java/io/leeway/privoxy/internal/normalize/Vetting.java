package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Assignment;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.InsertSource;
import io.leeway.privoxy.internal.sql.ast.Limit;
import io.leeway.privoxy.internal.sql.ast.MergeWhen;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a whole statement, every node of it, before anything else is made of it: only functions, operators and
 * variables that are known to be harmless may occur anywhere, and the tables are either all ordinary or all of the
 * catalogue. What the later readers do not look into (a select list that nobody uses, a query cut off by LIMIT 0) is
 * still run by the database and so has been seen here.
 *
 * <p>It is apart from the readers since these may stop early where a part makes no difference to the rows; a function
 * with side effects makes one wherever it stands. Each field notes something that is judged at the end, when it is
 * known whether the statement reads tables at all.
 */
final class Vetting {

    // Settings, versions and limits: no counters, no row counts, nothing of other sessions, no last errors or warnings.
    private static final Set<String> VARIABLES = Set.of("""
            version version_comment version_compile_os version_compile_machine sql_mode autocommit tx_isolation \
            transaction_isolation tx_read_only transaction_read_only character_set_client character_set_connection \
            character_set_results character_set_server character_set_database collation_connection collation_server \
            collation_database time_zone system_time_zone max_allowed_packet wait_timeout interactive_timeout \
            net_write_timeout net_read_timeout net_buffer_length lower_case_table_names auto_increment_increment \
            auto_increment_offset init_connect license port have_ssl performance_schema query_cache_size \
            query_cache_type sql_auto_is_null foreign_key_checks unique_checks sql_safe_updates \
            default_storage_engine storage_engine max_connections read_only in_transaction sql_select_limit \
            max_statement_time max_execution_time lc_time_names div_precision_increment group_concat_max_len \
            explicit_defaults_for_timestamp innodb_lock_wait_timeout lock_wait_timeout skip_networking log_bin""".split(" "));

    /**
     * Functions about the session that change something: PostgreSQL's give a transaction its number. That a number was
     * given shows afterwards: whether a condition that has it was computed for any row.
     */
    private static final Set<String> COUNTERS = Set.of("txid_current", "pg_current_xact_id");
    /** With an argument it becomes what later calls give. */
    private static final String SETTING = "last_insert_id";

    private final Work work;
    private final List<String> searchPath;
    private final List<Named> tables = new ArrayList<>();
    /** What stands for all columns of a table. */
    private final List<Node> stars = new ArrayList<>();

    private final List<Expr.Column> columns = new ArrayList<>();
    /** Names of columns that are no expression: fields of rows, what joins compare. */
    private final List<Name> named = new ArrayList<>();

    private final Set<String> rows = new HashSet<>();
    // Judged at the end, since a function may stand before the FROM that says what it is beside.
    private final List<Expr> catalogueOnly = new ArrayList<>();
    private @Nullable Expr field;
    private @Nullable Expr tableless;
    private @Nullable Expr fresh;
    /** Counts how often it is run, and may be run for rows that are not found. */
    private @Nullable Expr counted;

    /**
     * What is run once for each row that is written. A value to write is computed once for each row that is written,
     * and how many these are is the statement's answer anyway.
     */
    private final Set<Expr> oncePerRow = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean writes;

    /** A name in FROM, and whether it is one of a WITH clause around it. */
    private record Named(FromItem.Table table, boolean common) {}

    Vetting(Work work, List<String> searchPath) {
        this.work = work;
        this.searchPath = searchPath;
    }

    /** Refuses what is not allowed; tells whether the statement reads the catalogue only (or no tables at all). */
    boolean isPublic(Statement statement) {
        visit(statement, true, Set.of());
        // After the walk, as WITH says which names are tables.
        boolean catalogue = resolve();
        boolean none = tables.isEmpty();
        if (!catalogue && !catalogueOnly.isEmpty()) {
            throw refuse("a function of the catalogue together with tables", catalogueOnly.get(0));
        }
        // (t).f is a field if there is one, else a function f(t) (PostgreSQL;
        // NormalizerHolesTest.aFieldOfARowMayBeAFunction).
        if (!catalogue && field != null) {
            // If there is no such field it is a call: f(row), which may do anything.
            throw refuse("a field of a row", field);
        }
        if (tableless != null && !none) {
            throw refuse("this function together with tables", tableless);
        }
        if (counted != null && !none) {
            throw refuse(
                    "a function that counts its calls, together with tables, other than as a value to write,", counted);
        }
        // A query's rows would be numbered in the order in which they are found.
        if (fresh != null && !none && !writes) {
            throw refuse("a new value of a sequence together with tables", fresh);
        }
        return catalogue && !writes;
    }

    /** Whether a variable of the name tells about settings only. */
    static boolean isPlain(String variable) {
        return VARIABLES.contains(variable.toLowerCase(Locale.ROOT));
    }

    private RuntimeException refuse(String construct, Node node) {
        return work.refuse(construct, node.position());
    }

    // --- the walk ----------------------------------------------------------------------------------------------------

    /**
     * Sees a node and what is in it.
     *
     * @param common the names of WITH clauses that are known there
     */
    private void visit(Node node, boolean outermost, Set<String> common) {
        work.spend(node.position());
        if (node instanceof Expr expression) {
            expression(expression);
        } else if (node instanceof FromItem.Table table) {
            tables.add(new Named(table, isCommon(table.name(), common)));
            rows.add(folded(
                    table.alias() == null ? table.name().last() : table.alias().name()));
        } else if (node instanceof QueryBody.Table table) {
            tables.add(new Named(new FromItem.Table(table.name(), false, null), isCommon(table.name(), common)));
            stars.add(table);
        } else if (node instanceof FromItem.Join join) {
            named.addAll(join.using());
            // It compares columns that it does not name, as USING does with names.
            if (join.natural()) {
                stars.add(join);
            }
        } else if (node instanceof SelectItem.All all) {
            stars.add(all);
        } else if (node instanceof QueryBody.SetOperation || node instanceof QueryBody.Values) {
            refuseUntyped((QueryBody) node);
        } else if (node instanceof Limit limit) {
            limit(limit);
        } else if (node instanceof With.CommonTable table) {
            // PostgreSQL takes them at the top only; elsewhere nobody would read what it writes.
            if (!outermost && !(table.statement() instanceof Statement.Select)) {
                throw refuse("a data-modifying WITH inside another query", table);
            }
        } else if (node instanceof Statement statement) {
            writes |= !(statement instanceof Statement.Select);
            if (statement instanceof Statement.Insert insert) {
                noteValues(insert.source());
            }
        } else if (node instanceof Assignment assignment) {
            noteValue(assignment.value());
        } else if (node instanceof MergeWhen clause) {
            clause.values().forEach(this::noteValue);
        }
        // The outermost WITH clause is at most two steps down: statement, query.
        boolean still = outermost && (node instanceof Statement || node instanceof Query);
        Set<String> inside = common;
        for (Node child : Tree.children(node)) {
            if (child instanceof With with) {
                inside = enter(with, still, common);
            }
        }
        for (Node child : Tree.children(node)) {
            if (!(child instanceof With)) {
                visit(child, still, inside);
            }
        }
    }

    /**
     * The names known beside a WITH clause. In it each knows those before it, and itself if it may be recursive.
     *
     * <p>By place and not for the whole statement: once a name of an inner WITH was taken for one that is known
     * outside, where it was a table that nobody looked at
     * ({@code NormalizerHolesTest.aNameOfWithMeansSomethingOnlyWhereItIsKnown}).
     */
    private Set<String> enter(With with, boolean outermost, Set<String> common) {
        work.spend(with.position());
        Set<String> names = new HashSet<>(common);
        for (With.CommonTable table : with.tables()) {
            Set<String> known = new HashSet<>(names);
            names.add(table.name().text());
            visit(table, outermost, with.recursive() ? Set.copyOf(names) : known);
        }
        return names;
    }

    private static boolean isCommon(QualifiedName name, Set<String> common) {
        return name.isSimple() && common.contains(name.last().text());
    }

    /** To H2 a parameter among other rows is of their type: of 199.6 beside 1 it makes 200. */
    private void refuseUntyped(QueryBody body) {
        boolean several =
                !(body instanceof QueryBody.Values values) || values.rows().size() > 1;
        if (work.dialect == Dialect.H2 && several && hasParameter(body)) {
            throw refuse("a parameter without a type in one of several rows (give it one by CAST)", body);
        }
    }

    private static boolean hasParameter(QueryBody body) {
        if (body instanceof QueryBody.Select select) {
            return select.items().stream()
                    .anyMatch(item -> item instanceof SelectItem.Value value && value.expr() instanceof Expr.Parameter);
        }
        if (body instanceof QueryBody.Values values) {
            return values.rows().stream().anyMatch(row -> row.stream().anyMatch(Expr.Parameter.class::isInstance));
        }
        if (body instanceof QueryBody.SetOperation both) {
            return hasParameter(both.left()) || hasParameter(both.right());
        }
        return body instanceof QueryBody.Nested nested
                && hasParameter(nested.query().body());
    }

    private void noteValues(InsertSource source) {
        if (source instanceof InsertSource.Rows rows) {
            rows.rows().forEach(row -> row.forEach(this::noteValue));
            // Only of a query without anything between its rows and those written: sorted, grouped or cut off, an item
            // is
            // computed for rows that are not written.
        } else if (source instanceof InsertSource.FromQuery copied
                && copied.query().orderBy().isEmpty()
                && copied.query().limit() == null
                && copied.query().body() instanceof QueryBody.Select select
                && !select.distinct()
                && select.groupBy().isEmpty()
                && select.having() == null) {
            for (SelectItem item : select.items()) {
                if (item instanceof SelectItem.Value value) {
                    noteValue(value.expr());
                }
            }
        }
    }

    // A cast of it is computed as often.
    private void noteValue(Expr value) {
        oncePerRow.add(value instanceof Expr.Cast cast ? cast.operand() : value);
    }

    private void counts(Expr e) {
        if (!oncePerRow.contains(e)) {
            counted = e;
        }
    }

    /**
     * How many rows pass tells what the limit is, and nobody reads the rest of it.
     *
     * <p>How many rows come back says what the limit is: {@code LIMIT (SELECT COUNT(*) FROM hidden)} would count hidden
     * rows, and so did, on PostgreSQL, a column of a query around
     * ({@code SixthAttackIT.noColumnOfAQueryAroundSaysHowManyRowsPass}).
     */
    private void limit(Node node) {
        for (Node child : Tree.children(node)) {
            if (child instanceof Query) {
                throw refuse("a sub-query in LIMIT or OFFSET", child);
            }
            // PostgreSQL takes columns of the queries around.
            boolean isFixed = child instanceof Expr.Literal
                    || child instanceof Expr.Parameter
                    || child instanceof Expr.Cast
                    || child instanceof Expr.Unary
                    || child instanceof Expr.Binary
                    || child instanceof Expr.Call;
            if (child instanceof Expr && !isFixed) {
                throw refuse(
                        "anything but literals, parameters and what is computed from them in LIMIT or OFFSET", child);
            }
            limit(child);
        }
    }

    private void expression(Expr e) {
        if (e instanceof Expr.Call call) {
            call(call);
        } else if (e instanceof Expr.Column column) {
            columns.add(column);
        } else if (e instanceof Expr.Variable variable) {
            variable(variable);
        } else if (e instanceof Expr.Binary binary) {
            operator(binary.operator(), binary);
        } else if (e instanceof Expr.Unary unary) {
            operator(unary.operator(), unary);
        } else if (e instanceof Expr.QuantifiedArray quantified) {
            quantifier(quantified.operator(), quantified);
        } else if (e instanceof Expr.QuantifiedQuery quantified) {
            quantifier(quantified.operator(), quantified);
        } else if (e instanceof Expr.SequenceValue value) {
            // It tells how far the sequence has come.
            if (value.previous()) {
                throw refuse("the current value of a sequence", value);
            }
            fresh = value;
            counts(value);
        } else if (e instanceof Expr.Field part) {
            field = e;
            named.add(part.name());
        } else if (e instanceof Expr.WholeRow) {
            stars.add(e);
        }
    }

    private void quantifier(String operator, Expr e) {
        // The grammar's own; any other operator before ANY or ALL may be a user's.
        boolean comparison = Set.of("=", "<>", "<", "<=", ">", ">=").contains(operator);
        boolean like = operator.endsWith("LIKE");
        if (!comparison && !like) {
            operator(operator, e);
        }
    }

    private void operator(String operator, Expr e) {
        if (!Operators.isKnown(operator, work.dialect)) {
            throw refuse("the operator " + operator, e);
        }
    }

    private void variable(Expr.Variable variable) {
        if (!variable.system()) {
            throw refuse("the user variable @" + variable.name(), variable);
        }
        if (!isPlain(variable.name())) {
            throw refuse("the variable @@" + variable.name(), variable);
        }
    }

    private void call(Expr.Call call) {
        QualifiedName name = call.name();
        FunctionKind kind = work.kind(name);
        if (kind == null) {
            throw refuse("the function " + name, call);
        }
        switch (kind) {
            case LOCK -> tableless = call;
            case CATALOGUE -> catalogueOnly.add(call);
            case FRESH -> {
                fresh = call;
                counts(call);
            }
            case IDENTITY -> {
                if (COUNTERS.contains(folded(name.last()))
                        || folded(name.last()).equals(SETTING)
                                && !call.arguments().isEmpty()) {
                    counts(call);
                }
            }
            case WINDOW -> {
                if (call.over() == null) {
                    throw refuse("the function " + name + " without OVER", call);
                }
            }
            // Kinds that need no more than to be known.
            default -> {
                // A value, an aggregate or rows: what they read is revealed where they stand.
            }
        }
    }

    // --- tables ------------------------------------------------------------------------------------------------------

    /**
     * Whether all tables are public ones of the catalogue. Beside these names of WITH are read like any others.
     *
     * <p>All or none: a catalogue table beside others would be a table of which no question is asked.
     */
    private boolean resolve() {
        List<TableResolver.CatalogueTable> found = new ArrayList<>();
        for (Named named : tables) {
            FromItem.Table table = named.table;
            List<String> parts = table.name().parts().stream().map(Name::text).toList();
            TableResolver.Found meaning = work.resolver.resolve(parts, searchPath);
            if (meaning instanceof TableResolver.CatalogueTable catalogue) {
                check(catalogue, table);
                found.add(catalogue);
                // A name of WITH that is a table's as well is read as that by H2; it is looked at as one here on all
                // databases.
            } else if (!named.common || work.resolver.isTaken(parts, searchPath)) {
                return false;
            }
        }
        if (!found.isEmpty()) {
            refuseSizes(found);
        }
        return tables.isEmpty() || !found.isEmpty();
    }

    private void check(TableResolver.CatalogueTable catalogue, FromItem.Table table) {
        if (!Catalogues.isPublic(catalogue)) {
            throw refuse("the catalogue table " + table.name() + ", which is not public", table);
        }
        boolean sized = !Catalogues.isFreeOfSizes(catalogue, work.dialect);
        // Under other names the columns of sizes could not be told: pg_class AS c (a, b, c, …).
        if (sized && table.alias() != null && !table.alias().columns().isEmpty()) {
            throw refuse("other column names for " + table.name(), table);
        }
    }

    /** By name, or with all columns: by a star, as a whole row, by what joins compare without naming it. */
    private void refuseSizes(List<TableResolver.CatalogueTable> found) {
        columns.forEach(column -> refuseSize(column.name().last(), column));
        named.forEach(name -> refuseSize(name, name));
        boolean sized = found.stream().anyMatch(table -> !Catalogues.isFreeOfSizes(table, work.dialect));
        if (!sized) {
            return;
        }
        // A bare name that is a table's is its whole row (PostgreSQL).
        columns.stream()
                .filter(column -> column.name().isSimple()
                        && rows.contains(folded(column.name().last())))
                .forEach(stars::add);
        if (!stars.isEmpty()) {
            throw refuse("all columns of a catalogue table that shows how much data there is; name them", stars.get(0));
        }
    }

    private void refuseSize(Name name, Node where) {
        if (Catalogues.isSize(name.text())) {
            throw refuse("the column " + name + " of the catalogue, which shows how much data there is", where);
        }
    }

    private static String folded(Name name) {
        return name.text().toLowerCase(Locale.ROOT);
    }
}
