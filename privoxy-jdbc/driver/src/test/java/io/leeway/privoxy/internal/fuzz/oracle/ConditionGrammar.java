package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.fuzz.oracle.ColumnType.Family;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Draws conditions on a column {@code c}: comparisons with literals, parameters, casts, lists and queries, in which what
 * stands beside something decides the type in which it is compared.
 */
final class ConditionGrammar {

    private static final Pattern SIMPLE = Pattern.compile("^c (=|<>|<|>=|>) (.*)$");

    private final Choices choices;
    private final Dialect dialect;
    private final ColumnType type;
    private final List<Bound> values = new ArrayList<>();
    private boolean hasParameters = true;

    ConditionGrammar(Choices choices, Dialect dialect, ColumnType type) {
        this.choices = choices;
        this.dialect = dialect;
        this.type = type;
    }

    /** A condition for a view: without parameters and queries. */
    String ofView() {
        if (!choices.onceIn(3)) {
            return "c" + choices.pick(" = ", " <> ", " < ", " >= ", " > ") + choices.pick(type.literals());
        }
        hasParameters = false;
        String atom = atom(0);
        hasParameters = true;
        return atom.contains("SELECT") ? "c IS NOT NULL" : atom;
    }

    /** A condition for a query: the view's with something else, in another form, or any. */
    Condition ofQuery(String view) {
        values.clear();
        String sql = switch (choices.below(8)) {
            case 0, 1 -> near(view);
            case 2, 3 -> "(" + view + ") AND " + condition(1);
            default -> condition(1);
        };
        return new Condition(sql, values);
    }

    private String condition(int depth) {
        return switch (choices.below(9)) {
            case 5 -> "NOT (" + atom(depth) + ")";
            case 6 -> "(" + atom(depth) + " AND " + atom(depth) + ")";
            case 7 -> "(" + atom(depth) + ") IS " + choices.pick("TRUE", "NOT FALSE", "NOT TRUE", "UNKNOWN");
            case 8 -> "(" + atom(depth) + " OR " + atom(0) + ")";
            default -> atom(depth);
        };
    }

    private String atom(int depth) {
        String column = column(depth);
        return switch (choices.below(13)) {
            case 6 ->
                column + choices.pick(" IN (", " NOT IN (") + constant(depth) + ", " + constant(depth)
                        + choices.pick("", ", " + constant(0)) + ")";
            case 7 -> column + choices.pick(" BETWEEN ", " NOT BETWEEN ") + constant(depth) + " AND " + constant(depth);
            case 8 -> column + choices.pick(" IN ", " NOT IN ", " = ANY ", " <> ALL ", " > ALL ") + set(depth);
            case 9 ->
                dialect == Dialect.MARIADB
                        ? column + " <=> " + constant(depth)
                        : column + choices.pick(" IS DISTINCT FROM ", " IS NOT DISTINCT FROM ") + constant(depth);
            case 10 -> "(" + column + ", 1)" + choices.pick(" = ", " <> ", " < ") + "(" + constant(depth) + ", 1)";
            case 11 -> constant(depth) + choices.pick(" = ", " <> ", " < ", " >= ") + column;
            case 12 -> inner(column, depth);
            default -> column + choices.pick(" = ", " <> ", " < ", " <= ", " > ", " >= ") + constant(depth);
        };
    }

    private String set(int depth) {
        String more = choices.pick(
                "",
                " UNION ALL SELECT " + choices.pick(constant(depth), other()) + from()
                        + choices.pick(" WHERE 1 = 1", " WHERE 1 = 0", ""));
        return "(SELECT " + constant(depth) + from() + more + ")";
    }

    private String from() {
        return dialect == Dialect.MARIADB ? " FROM DUAL" : "";
    }

    private String inner(String column, int depth) {
        if (dialect == Dialect.POSTGRESQL && choices.onceIn(2)) {
            return column + choices.pick(" = ANY (ARRAY[", " <> ALL (ARRAY[") + constant(depth) + ", " + constant(depth)
                    + "])";
        }
        return "EXISTS (SELECT 1 FROM (SELECT " + constant(depth) + " AS v) q WHERE " + column
                + choices.pick(" = ", " <> ", " < ", " >= ") + "q.v)";
    }

    private String column(int depth) {
        Family family = type.family();
        return depth == 0
                ? "c"
                : switch (choices.below(17)) {
                    case 10 -> "CAST(c AS " + target() + ")";
                    case 11 -> "COALESCE(c, " + choices.pick("c", base()) + ")";
                    case 12 -> family.isNumber() ? choices.pick("(c + 0)", "(-c)", "(c * 1)") : "c";
                    case 13 -> family == Family.TEXT ? choices.pick("lower(c)", "trim(c)", "char_length(c)") : "c";
                    case 14 -> family != Family.TEXT ? "c" : dialect == Dialect.MARIADB ? "concat(c, '')" : "(c || '')";
                    case 15 -> "(SELECT c)";
                    case 16 -> "NULLIF(c, " + base() + ")";
                    default -> "c";
                };
    }

    /** A literal, a parameter. */
    private String base() {
        String literal = choices.pick(type.literals());
        if (!hasParameters || literal.equals("NULL") || !choices.onceIn(4)) {
            return literal;
        }
        values.add(Bound.of(literal, choices));
        return choices.onceIn(5) ? "CAST(? AS " + target() + ")" : "?";
    }

    /** A constant, in forms that may change its type. */
    private String constant(int depth) {
        String base = base();
        if (depth == 0) {
            return base;
        }
        Family family = type.family();
        return switch (choices.below(16)) {
            case 6 -> "CAST(" + base + " AS " + target() + ")";
            case 7 -> "(" + base + ")";
            case 8 -> "COALESCE(" + base + ", " + constant(0) + ")";
            case 9 -> "COALESCE(NULL, " + base + ")";
            case 10 -> family.isNumber() ? base + choices.pick(" + 0", " * 1", " - 0") : text(base);
            case 11 -> "CASE WHEN 1 = 1 THEN " + base + " END";
            case 12 -> "COALESCE(" + none() + ", " + base + ")";
            case 13 -> "(SELECT " + base + ")";
            case 14 -> "COALESCE(" + base + ", " + none() + ")";
            case 15 -> "NULLIF(" + base + ", " + none() + ")";
            default -> base;
        };
    }

    private String text(String base) {
        return type.family() != Family.TEXT
                ? base
                : dialect == Dialect.MARIADB ? "concat(" + base + ", '')" : base + " || ''";
    }

    /** A NULL of some type. */
    private String none() {
        return switch (type.family()) {
            case WHOLE, DECIMAL ->
                choices.pick(
                        "NULL",
                        "CAST(NULL AS " + (dialect == Dialect.MARIADB ? "SIGNED" : "INT") + ")",
                        "CAST(NULL AS DECIMAL(5,2))",
                        "sqrt(NULL)",
                        "NULL * 1.5");
            case TEXT, CHOICE -> choices.pick("NULL", "lower(NULL)", "trim(NULL)", "CAST(NULL AS CHAR(3))");
            default -> choices.pick("NULL", "CAST(NULL AS DATE)");
        };
    }

    /** A value of another type. */
    private String other() {
        return switch (type.family()) {
            case WHOLE, DECIMAL ->
                choices.pick(
                        "1",
                        "1.5",
                        dialect == Dialect.MARIADB ? "1e0" : "CAST(1 AS DOUBLE PRECISION)",
                        "CAST('1' AS DECIMAL(3,0))");
            case TEXT, CHOICE -> choices.pick("'x'", "CAST('x' AS CHAR(3))");
            default -> choices.pick("'x'", "DATE '2020-01-01'", "TIMESTAMP '2020-01-01 00:00:00'");
        };
    }

    /** A type to cast to. */
    private String target() {
        boolean isMariaDb = dialect == Dialect.MARIADB;
        return switch (type.family()) {
            case WHOLE -> isMariaDb ? "SIGNED" : choices.pick("INT", "BIGINT", "SMALLINT");
            case DECIMAL -> choices.pick("DECIMAL(10,2)", "DECIMAL(4,1)", isMariaDb ? "DOUBLE" : "DOUBLE PRECISION");
            case TEXT, CHOICE ->
                isMariaDb ? choices.pick("CHAR", "CHAR(3)") : choices.pick("VARCHAR", "CHAR(3)", "VARCHAR(1)");
            case TRUTH -> isMariaDb ? "SIGNED" : "BOOLEAN";
            case DATE -> "DATE";
            case MOMENT -> isMariaDb ? "DATETIME" : choices.pick("TIMESTAMP", "DATE");
            case TIME -> "TIME";
            case IDENTITY -> "UUID";
            case OTHER -> isMariaDb ? "CHAR" : "VARCHAR";
        };
    }

    /** The view's own comparison in another form. */
    private String near(String view) {
        Matcher matcher = SIMPLE.matcher(view);
        if (!matcher.matches()) {
            return view;
        }
        String operator = matcher.group(1);
        String literal = matcher.group(2);
        var own = new ConditionGrammar(choices, dialect, type.with(literal));
        String text = own.like(operator, literal);
        values.addAll(own.values);
        return text;
    }

    private String like(String operator, String literal) {
        boolean isEqual = operator.equals("=");
        boolean isOther = operator.equals("<>");
        return switch (choices.below(6)) {
            case 1 ->
                (isEqual ? "c IN (" : isOther ? "c NOT IN (" : "c " + operator + " (") + base()
                        + (isEqual || isOther ? ", " + constant(1) : "") + ")";
            case 2 -> "NOT (c " + opposite(operator) + " " + constant(1) + ")";
            case 3 -> "c " + operator + (isOther ? " ALL" : " ANY") + " (SELECT " + constant(1) + ")";
            case 4 ->
                dialect == Dialect.POSTGRESQL
                        ? "c " + operator + (isOther ? " ALL" : " ANY") + " (ARRAY[" + constant(1) + "])"
                        : "c " + operator + " (SELECT " + constant(1) + ")";
            case 5 -> "EXISTS (SELECT 1 WHERE c " + operator + " " + constant(1) + ")";
            default -> "c " + operator + " " + choices.pick(constant(1), literal);
        };
    }

    static String opposite(String operator) {
        return switch (operator) {
            case "=" -> "<>";
            case "<>" -> "=";
            case "<" -> ">=";
            case ">=" -> "<";
            default -> "<=";
        };
    }
}
