package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import java.util.List;

/**
 * PostgreSQL's {@code SELECT set_config('search_path', …, …)}, which is SET search_path with a value that can be a
 * parameter. Anywhere else, and with any other setting, the function is refused.
 *
 * <p>It changes what later names mean, so its effect must be known for certain: nothing but literals and parameters, no
 * table, no other column.
 */
final class SearchPathCall {

    private SearchPathCall() {}

    /**
     * Whether the query is just that call: any clause beside it could read something, or run the call more than once.
     */
    static boolean is(Query query, Dialect dialect) {
        return dialect == Dialect.POSTGRESQL
                && query.with() == null
                && query.orderBy().isEmpty()
                && query.limit() == null
                && query.locking().isEmpty()
                && query.body() instanceof QueryBody.Select select
                && isPlain(select)
                && select.items().size() == 1
                && select.items().get(0) instanceof SelectItem.Value value
                && value.expr() instanceof Expr.Call call
                && isMeant(call);
    }

    private static boolean isPlain(QueryBody.Select select) {
        return !select.distinct()
                && select.from().isEmpty()
                && select.where() == null
                && select.groupBy().isEmpty()
                && select.having() == null
                && select.windows().isEmpty()
                && select.qualify() == null;
    }

    private static boolean isMeant(Expr.Call call) {
        List<Expr> arguments = call.arguments();
        return call.form() == Expr.CallForm.NORMAL
                && call.name().isSimple()
                && call.name().last().text().equals("set_config")
                && call.aggregation() == null
                && call.over() == null
                && arguments.size() == 3
                && arguments.get(0) instanceof Expr.Literal name
                && name.kind() == Expr.LiteralKind.STRING
                && name.text().equals("search_path")
                && arguments.stream().allMatch(SearchPathCall::isValue);
    }

    private static boolean isValue(Expr argument) {
        return argument instanceof Expr.Literal || argument instanceof Expr.Parameter;
    }
}
