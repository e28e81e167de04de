package io.leeway.privoxy.internal.sql;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Random expressions as text with few parentheses, so that precedence and associativity decide what they mean. Columns
 * {@code a}, {@code b}, {@code c} are integers, {@code s}, {@code t} strings, {@code p}, {@code q} booleans.
 */
final class ExpressionTexts {

    private final Dialect dialect;
    private final RandomGenerator random;

    ExpressionTexts(Dialect dialect, RandomGenerator random) {
        this.dialect = dialect;
        this.random = random;
    }

    String next() {
        return expression(3 + random.nextInt(4));
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** An expression of about that many operators; types are not kept, the database refuses what it must. */
    private String expression(int operators) {
        if (operators <= 0) {
            return operand();
        }
        int left = random.nextInt(operators);
        int right = operators - 1 - left;
        return switch (random.nextInt(20)) {
            case 0, 1 -> pick(prefixes()) + " " + expression(operators - 1);
            case 2 -> expression(left) + " " + pick(List.of("IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT FALSE"));
            case 3 -> expression(left) + not() + " BETWEEN " + expression(right / 2) + " AND " + expression(right / 2);
            case 4 -> expression(left) + not() + " IN (" + expression(right / 2) + ", " + operand() + ")";
            case 5 -> expression(left) + not() + " " + pick(likes()) + " " + expression(right) + escape();
            case 6 -> "(" + expression(operators - 1) + ")";
            case 7 -> "CASE WHEN " + expression(left) + " THEN " + operand() + " ELSE " + operand() + " END";
            case 8 -> expression(left) + " " + pick(List.of("AND", "OR")) + " " + expression(right);
            case 9 -> expression(left) + pick(suffixes());
            default -> infix(left, right);
        };
    }

    private String operand() {
        if (dialect == Dialect.POSTGRESQL) {
            return pick(
                    List.of("a", "b", "c", "p", "q", "s", "t", "'1'", "(SELECT s)", "coalesce(a, t)", "x.a", "r[1]"));
        }
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> pick(List.of("a", "b", "c"));
            case 3, 4 -> pick(List.of("p", "q"));
            case 5, 6 -> pick(List.of("s", "t"));
            case 7 -> pick(List.of("0", "1", "2", "3", "7"));
            case 8 -> pick(List.of("'x'", "'1'", "''"));
            case 9 -> pick(List.of("TRUE", "FALSE", "NULL"));
            case 10 -> pick(List.of("(SELECT 1)", "abs(a)", "coalesce(a, 1)"));
            default -> pick(List.of("a", "p"));
        };
    }

    private String not() {
        return random.nextInt(3) == 0 ? " NOT" : "";
    }

    private String infix(int left, int right) {
        String operator = pick(infixes());
        return expression(left) + " "
                + (operator.endsWith("ANY") ? operator + " (r)" : operator + " " + expression(right));
    }

    /** Behind REGEXP it is a syntax error. */
    private String escape() {
        return random.nextInt(6) == 0 ? " ESCAPE '|'" : "";
    }

    private List<String> likes() {
        return switch (dialect) {
            case POSTGRESQL -> List.of("LIKE", "ILIKE", "SIMILAR TO");
            case MARIADB -> List.of("LIKE", "REGEXP", "RLIKE");
            case H2 -> List.of("LIKE", "ILIKE", "REGEXP");
        };
    }

    private List<String> prefixes() {
        return switch (dialect) {
            case POSTGRESQL -> List.of("NOT", "-", "+", "~", "@", "NOT", "-", "|/");
            case MARIADB -> List.of("NOT", "-", "+", "~", "!", "NOT", "BINARY");
            case H2 -> List.of("NOT", "-", "+", "NOT");
        };
    }

    private List<String> infixes() {
        return switch (dialect) {
            case POSTGRESQL ->
                List.of(
                        "+",
                        "-",
                        "*",
                        "/",
                        "%",
                        "^",
                        "=",
                        "<>",
                        "!=",
                        "<",
                        ">=",
                        "||",
                        "&",
                        "|",
                        "#",
                        "<<",
                        ">>",
                        "AND",
                        "OR",
                        "IS DISTINCT FROM",
                        "IS NOT DISTINCT FROM",
                        "OPERATOR(public.+)",
                        "~",
                        "!~*",
                        "=",
                        "<",
                        "+",
                        "*",
                        "->",
                        "->>",
                        "@>",
                        "<->",
                        "AND",
                        "OR",
                        "= ANY",
                        "AT TIME ZONE");
            case MARIADB ->
                List.of(
                        "+", "-", "*", "/", "%", "^", "=", "<>", "!=", "<", ">=", "||", "&&", "&", "|", "<<", ">>",
                        "AND", "OR", "XOR", "DIV", "MOD", "<=>", "=", "<", "+");
            case H2 ->
                List.of(
                        "+",
                        "-",
                        "*",
                        "/",
                        "%",
                        "=",
                        "<>",
                        "!=",
                        "<",
                        ">=",
                        "||",
                        "AND",
                        "OR",
                        "IS DISTINCT FROM",
                        "IS NOT DISTINCT FROM",
                        "=",
                        "<",
                        "+",
                        "*",
                        "||");
        };
    }

    private List<String> suffixes() {
        return switch (dialect) {
            case POSTGRESQL ->
                List.of("::text", "::text", "::boolean", " ISNULL", " NOTNULL", " COLLATE \"C\"", " IS UNKNOWN");
            case MARIADB -> List.of(" COLLATE utf8mb4_bin", " IS UNKNOWN", " IS NOT NULL");
            case H2 -> List.of("::varchar", "::int", " IS UNKNOWN");
        };
    }
}
