package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Aggregation;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.Window;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls of functions, read as values. A scalar function is a function of its arguments. An aggregate or window function
 * is a function of what its arguments, order, partition and filter are in <em>all</em> rows of the block: it is hidden
 * and reads these; that the block's rows are told apart is seen to where the block is revealed.
 *
 * <p>Three kinds of result: a term, if nothing but the arguments goes into it; hidden, if rows of the block do or the
 * call itself makes the value; a refusal, for what is on no list ({@link FunctionCatalogue}) or stands where its kind
 * means nothing.
 */
final class CallReader {

    private final ValueReader values;
    private final Work work;

    CallReader(ValueReader values) {
        this.values = values;
        this.work = values.work();
    }

    Operand read(Expr.Call call) {
        FunctionKind kind = kind(call);
        // First: sum(x) OVER (…) is an aggregate by its name, but has a value for each row of the block.
        if (call.over() != null) {
            return window(call);
        }
        if (kind.isAggregate()) {
            return aggregate(call);
        }
        if (kind.isValue()) {
            return scalar(call, kind);
        }
        return switch (kind) {
            // Rows made from a value: which and how many, the arguments tell.
            case ROWS -> exactless(Hidden.over(readArguments(call)), call);
            // Where these may stand Vetting has decided; what is left is to read what is in their arguments.
            case FRESH, LOCK, CATALOGUE, ALLOWED -> exactless(checked(call), call);
            default -> throw work.refuse("the function " + call.name() + " here", call.position());
        };
    }

    /** The kind of the function; one that is not allowed is refused. */
    private FunctionKind kind(Expr.Call call) {
        FunctionKind kind = work.kind(call.name());
        if (kind == null) {
            throw work.refuse("the function " + call.name(), call.position());
        }
        return kind;
    }

    /**
     * A deterministic function of its arguments, as a term under its name. Apart are those of which more is known:
     * session functions without arguments, MariaDB's {@code VALUES(c)}, {@code COALESCE} and its relatives, and H2's
     * {@code JSON_ARRAY} of a sub-query.
     */
    private Operand scalar(Expr.Call call, FunctionKind kind) {
        String name = work.functions.canonical(call.name().last().text());
        if (kind == FunctionKind.IDENTITY && call.arguments().isEmpty()) {
            return values.function(kind, name, List.of());
        }
        if (name.equals("values") || name.equals("value")) {
            // MariaDB, behind ON DUPLICATE KEY UPDATE: what was to be inserted, which is the writer's own.
            if (call.arguments().size() == 1 && call.arguments().get(0) instanceof Expr.Column column) {
                work.account.ignore(column, Account.Ignored.VALUES_TO_INSERT);
            }
            return exactless(Hidden.NOTHING, call);
        }
        // COALESCE(a.x, b.x) is what FULL JOIN … USING makes, and where one argument is surely NULL it is just the
        // other: read as a plain function it would lose both.
        if (name.equals("coalesce") || name.equals("ifnull") || name.equals("nvl")) {
            return values.firstNonNull(readArguments(call));
        }
        if (name.equals("json_array") && work.dialect == Dialect.H2) {
            // To H2 a sub-query in it is a list of its rows.
            List<Operand> operands = new ArrayList<>();
            call.arguments().forEach(argument -> operands.add(values.readCollected(argument)));
            return values.function(kind, name, operands);
        }
        // {fn length(x)} is rewritten by the driver, each in its own way, so it is not the database's function of that
        // name: two symbols, of which neither is taken for the other.
        boolean translated = call.form() == Expr.CallForm.JDBC;
        return values.function(kind, translated ? "{fn " + name + "}" : name, readArguments(call));
    }

    private List<Operand> readArguments(Expr.Call call) {
        return values.readAll(call.arguments());
    }

    /**
     * Nothing of the database depends on the result; but the arguments may have sub-queries.
     *
     * <p>Of a function that the operator allows the arguments are what it is told, so they count as read.
     */
    private Hidden checked(Expr.Call call) {
        return Hidden.over(readArguments(call));
    }

    // Over columns of an outer query (SELECT (SELECT count(o.x)) FROM o) the aggregate belongs to that outer query and
    // makes it one that groups, in PostgreSQL and MariaDB. Nobody here has read the outer query as such, so it is
    // refused.
    private Operand aggregate(Expr.Call call) {
        // A reader of its own, so that it tells how far out the nearest column in the arguments stands.
        var inner = new ValueReader(work, values.place(), values.absence());
        List<Operand> operands = inner.readAll(call.arguments());
        addAggregation(call.aggregation(), inner, operands);
        if (inner.nearest() != Integer.MAX_VALUE && inner.nearest() > 0) {
            throw work.refuse("an aggregate over columns of an outer query", call.position());
        }
        return exactless(Hidden.over(operands), call);
    }

    // The value of a window function for one row depends on other rows: on how they are partitioned and sorted, and
    // where the frame ends. All of that is read of every row of the block.
    private Operand window(Expr.Call call) {
        List<Operand> operands = readArguments(call);
        addAggregation(call.aggregation(), values, operands);
        Window window = call.over();
        if (window != null) {
            operands.addAll(values.readAll(windowKeys(window)));
        }
        return exactless(Hidden.over(operands), call);
    }

    /** The expressions of a window; those of a named one are read where it is defined. */
    static List<Expr> windowKeys(Window window) {
        List<Expr> keys = new ArrayList<>(window.partitionBy());
        addKeys(window.orderBy(), keys);
        if (window.frame() != null) {
            addOffset(window.frame().start(), keys);
            addOffset(window.frame().end(), keys);
        }
        return keys;
    }

    private static void addOffset(Window.@Nullable Bound bound, List<Expr> keys) {
        if (bound != null && bound.offset() != null) {
            keys.add(bound.offset());
        }
    }

    private static void addKeys(List<OrderItem> items, List<Expr> keys) {
        for (OrderItem item : items) {
            keys.add(item.key());
        }
    }

    private static void addAggregation(@Nullable Aggregation aggregation, ValueReader reader, List<Operand> operands) {
        if (aggregation == null) {
            return;
        }
        List<Expr> more = new ArrayList<>();
        addKeys(aggregation.orderBy(), more);
        addKeys(aggregation.withinGroup(), more);
        if (aggregation.filter() != null) {
            more.add(aggregation.filter());
        }
        if (aggregation.separator() != null) {
            more.add(aggregation.separator());
        }
        operands.addAll(reader.readAll(more));
        // GROUP_CONCAT(x LIMIT 3) of MariaDB: all that is collected counts as shown.
        reader.work().account.ignore(aggregation.limit(), Account.Ignored.LIMIT);
    }

    /** Hidden values have no place in a policy, which must be exact. */
    private Operand exactless(Hidden hidden, Expr.Call call) {
        return work.exact ? values.refuseInPolicy("the function " + call.name(), call.position()) : hidden;
    }
}
