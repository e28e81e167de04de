package io.leeway.lazybase.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.SqlWith;

/** What PostgreSQL calls results that a query gives no name: after the function, the column that is cast, or not at all. Stateless. */
final class ResultNames {

    static final String UNKNOWN = "?column?";

    private ResultNames() {}

    /** The names of a query's results; empty if they cannot be told before it is validated. */
    static List<String> of(SqlNode query) {
        if (query instanceof SqlOrderBy ordered) {
            return of(ordered.query);
        }
        if (query instanceof SqlWith with) {
            return of(with.body);
        }
        if (!(query instanceof SqlSelect select)) {
            return query instanceof SqlCall call && SqlKind.SET_QUERY.contains(call.getKind())
                    ? of(call.operand(0))
                    : List.of();
        }
        var names = new ArrayList<String>();
        for (SqlNode item : select.getSelectList()) {
            if (item instanceof SqlIdentifier identifier && identifier.isStar()) {
                return List.of();
            }
            names.add(name(item));
        }
        return names;
    }

    private static String name(SqlNode item) {
        if (item instanceof SqlIdentifier identifier) {
            return identifier.names.get(identifier.names.size() - 1);
        }
        if (!(item instanceof SqlCall call)) {
            return UNKNOWN;
        }
        return switch (call.getKind()) {
            case OVER, FILTER, WITHIN_GROUP, RESPECT_NULLS, IGNORE_NULLS -> name(call.operand(0));
            case CAST -> {
                String inner = name(call.operand(0));
                yield inner.equals(UNKNOWN) && call.operandCount() > 1
                        ? call.operand(1).toString().toLowerCase(Locale.ROOT)
                        : inner;
            }
            case CASE -> "case";
            case EXISTS -> "exists";
            case SCALAR_QUERY -> UNKNOWN;
            default -> {
                boolean function = call.getOperator() instanceof SqlFunction
                        || call.getOperator() instanceof SqlUnresolvedFunction
                        || (call instanceof SqlBasicCall && call.getKind() == SqlKind.OTHER_FUNCTION);
                yield function ? last(call.getOperator().getName()) : UNKNOWN;
            }
        };
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }
}
