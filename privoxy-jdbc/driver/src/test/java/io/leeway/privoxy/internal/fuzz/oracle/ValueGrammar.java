package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.fuzz.oracle.TwinTable.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.List;

/** Draws values, conditions, and calls of aggregates and in windows. */
final class ValueGrammar {

    private final Choices choices;
    private final Dialect dialect;
    private final QueryGrammar queries;

    ValueGrammar(Choices choices, Dialect dialect, QueryGrammar queries) {
        this.choices = choices;
        this.dialect = dialect;
        this.queries = queries;
    }

    /** A column if there is one, or a literal that is no position. */
    String own(Scope scope, Kind kind) {
        String column = scope.column(choices, kind);
        return column != null
                ? column
                : switch (kind) {
                    case NUMBER -> "(1 + 0)";
                    case TEXT -> "concat('x', '')";
                    case DECIMAL -> "(1.5 + 0)";
                    case TRUTH -> "(1 = 1)";
                };
    }

    String value(Scope scope, Kind kind, int depth) {
        int roll = choices.below(depth > 0 ? 14 : 9);
        if (roll < 7) {
            return own(scope, kind);
        }
        return switch (roll) {
            case 7 -> literal(kind);
            case 8 -> function(scope, kind);
            case 9 -> "COALESCE(" + value(scope, kind, depth - 1) + ", " + literal(kind) + ")";
            case 10 ->
                "CASE WHEN " + condition(scope, depth - 1) + " THEN " + value(scope, kind, depth - 1) + " ELSE "
                        + literal(kind) + " END";
            case 11 -> kind == Kind.TEXT && dialect != Dialect.MARIADB ? array(scope, depth) : own(scope, kind);
            default -> "(" + queries.scalar(scope, depth - 1, kind) + ")";
        };
    }

    private String function(Scope scope, Kind kind) {
        return switch (kind) {
            case NUMBER ->
                choices.pick(
                        own(scope, kind) + " + 1",
                        "char_length(" + own(scope, Kind.TEXT) + ")",
                        "-" + own(scope, kind));
            case TEXT ->
                choices.pick(
                        "lower(" + own(scope, kind) + ")",
                        "concat(" + own(scope, kind) + ", 'x')",
                        "NULLIF(" + own(scope, kind) + ", 'a')");
            case DECIMAL -> own(scope, kind) + " * 2";
            case TRUTH -> "(" + atom(scope, 0) + ")";
        };
    }

    /** The rows of a query in one value. */
    private String array(Scope scope, int depth) {
        String array = "ARRAY(" + queries.query(scope, depth - 1, List.of(Kind.TEXT)) + ")";
        return dialect == Dialect.POSTGRESQL
                ? choices.pick("array_to_string(" + array + ", ',')", "(" + array + ")[1]")
                : choices.pick("CAST(" + array + " AS VARCHAR)", array + "[1]");
    }

    String literal(Kind kind) {
        return switch (kind) {
            case NUMBER -> choices.pick("(1)", "0 + 0", "NULL", "(2)", "(7)");
            case TEXT -> choices.pick("'a'", "'c'", "'Ada'", "'b'", "''", "'L'");
            case DECIMAL -> choices.pick("1.50", "4.5");
            case TRUTH -> choices.pick("(1 = 1)", "(1 = 0)");
        };
    }

    String condition(Scope scope, int depth) {
        if (depth <= 0) {
            return atom(scope, 0);
        }
        Kind kind = choices.pick(Kind.NUMBER, Kind.TEXT);
        return switch (choices.below(14)) {
            case 6 -> "(" + condition(scope, depth - 1) + " AND " + condition(scope, depth - 1) + ")";
            case 7 -> "(" + condition(scope, depth - 1) + " OR " + condition(scope, depth - 1) + ")";
            case 8 -> "NOT (" + condition(scope, depth - 1) + ")";
            case 9 ->
                "(" + condition(scope, depth - 1) + ") IS "
                        + choices.pick("TRUE", "NOT TRUE", "FALSE", "NOT FALSE", "UNKNOWN");
            case 10 -> choices.pick("EXISTS (", "NOT EXISTS (") + queries.query(scope, depth - 1, List.of()) + ")";
            case 11 ->
                own(scope, kind) + choices.pick(" IN (", " NOT IN (", " = ANY (", " <> ALL (", " > ALL (")
                        + set(scope, depth - 1, kind) + ")";
            case 12 ->
                own(scope, kind) + choices.pick(" = ", " <> ", " < ") + "(" + queries.scalar(scope, depth - 1, kind)
                        + ")";
            default -> atom(scope, depth);
        };
    }

    /** A set of values; MariaDB does not take a limit there. */
    private String set(Scope scope, int depth, Kind kind) {
        String query = queries.query(scope, depth, List.of(kind));
        return query.contains(" LIMIT ") && dialect == Dialect.MARIADB
                ? "SELECT c0 FROM (" + query + ") " + queries.name()
                : query;
    }

    private String atom(Scope scope, int depth) {
        Kind kind = choices.pick(Kind.NUMBER, Kind.TEXT, Kind.TRUTH, Kind.DECIMAL);
        String left = value(scope, kind, depth - 1);
        return switch (choices.below(9)) {
            case 4 -> left + choices.pick(" IS NULL", " IS NOT NULL");
            case 5 -> left + choices.pick(" IN (", " NOT IN (") + literal(kind) + ", " + literal(kind) + ")";
            case 6 ->
                dialect == Dialect.MARIADB
                        ? left + " <=> " + own(scope, kind)
                        : left + choices.pick(" IS DISTINCT FROM ", " IS NOT DISTINCT FROM ") + own(scope, kind);
            case 7 ->
                own(scope, Kind.TEXT) + choices.pick(" LIKE ", " NOT LIKE ") + choices.pick("'a%'", "'%'", "'L%'");
            case 8 -> choices.pick("1 = 1", "1 = 0", "NULL = 1");
            default ->
                left
                        + choices.pick(" = ", " <> ", " = ", " < ", " >= ")
                        + choices.pick(literal(kind), own(scope, kind));
        };
    }

    String aggregate(Scope scope, Kind kind, int depth) {
        String number = own(scope, Kind.NUMBER);
        String text = own(scope, Kind.TEXT);
        return switch (kind) {
            case NUMBER ->
                choices.pick(
                        "count(*)",
                        "max(" + number + ")",
                        "sum(" + number + ")",
                        "count(DISTINCT " + text + ")",
                        filtered(scope, depth),
                        "sum(" + floating(scope) + ")",
                        "avg(" + floating(scope) + ")",
                        "stddev_pop(" + floating(scope) + ")",
                        "min(" + number + ")");
            case TEXT -> choices.pick("max(" + text + ")", "min(" + text + ")", collected(scope, text));
            case DECIMAL -> "sum(" + own(scope, kind) + ")";
            case TRUTH ->
                dialect == Dialect.MARIADB ? "max(" + own(scope, kind) + ")" : "bool_or(" + own(scope, kind) + ")";
        };
    }

    private String filtered(Scope scope, int depth) {
        return dialect == Dialect.MARIADB
                ? "count(" + own(scope, Kind.TEXT) + ")"
                : "count(*) FILTER (WHERE " + condition(scope, Math.min(depth, 1)) + ")";
    }

    /** Numbers whose sum depends on the order in which they are added. */
    private String floating(Scope scope) {
        String cases = "CASE " + own(scope, Kind.TEXT) + " WHEN 'a' THEN 1e20 WHEN 'c' THEN -1e20 ELSE 1e0 END";
        return dialect == Dialect.MARIADB ? cases : "CAST(" + cases + " AS DOUBLE PRECISION)";
    }

    /** A list, with an order of its own or without. */
    private String collected(Scope scope, String text) {
        String order = choices.pick("", " ORDER BY " + scope.any(choices), " ORDER BY " + text);
        String distinct = choices.pick("", "", "DISTINCT ");
        return switch (dialect) {
            case POSTGRESQL ->
                choices.pick(
                        "string_agg(" + distinct + text + ", ','" + order + ")",
                        "(array_agg(" + text + order + "))[1]",
                        "CAST(json_agg(" + text + order + ") AS TEXT)",
                        "any_value(" + text + ")",
                        "mode() WITHIN GROUP (ORDER BY " + text + ")",
                        "CAST(json_object_agg(" + scope.any(choices) + ", " + text + order + ") AS TEXT)");
            case MARIADB ->
                choices.pick(
                        "group_concat(" + distinct + text + order + ")",
                        "json_arrayagg(" + text + order + ")",
                        "json_objectagg(" + scope.any(choices) + ", " + text + ")",
                        "group_concat(" + text + order + " LIMIT 1)");
            case H2 ->
                choices.pick(
                        "listagg(" + text + ", ',')"
                                + (order.isEmpty() ? "" : " WITHIN GROUP (" + order.substring(1) + ")"),
                        "(array_agg(" + text + order + "))[1]",
                        "any_value(" + text + ")",
                        "CAST(json_arrayagg(" + text + order + ") AS VARCHAR)");
        };
    }

    /** A function of a window. */
    String call(Scope scope, Kind kind) {
        String own = own(scope, kind);
        return kind == Kind.NUMBER
                ? choices.pick(
                        "rank()",
                        "row_number()",
                        "count(*)",
                        "dense_rank()",
                        "ntile(2)",
                        "lag(" + own + ")",
                        "sum(" + own + ")",
                        "max(" + own + ")")
                : choices.pick(
                        "lag(" + own + ")",
                        "first_value(" + own + ")",
                        "last_value(" + own + ")",
                        "nth_value(" + own + ", 2)",
                        "min(" + own + ")");
    }
}
