package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.ArrayList;
import java.util.List;

/** The ways to write a view's join of column {@code c} of one table with column {@code d} of another one. */
record JoinForms(Dialect dialect, String table, String other, String operator) {

    String view() {
        return "SELECT t.* FROM " + table + " t JOIN " + other + " s ON t.c " + operator + " s.d";
    }

    List<String> all(String type) {
        String where = "SELECT t.* FROM " + table + " t WHERE ";
        String join = "SELECT t.* FROM " + table + " t ";
        String any = where + "t.c " + operator + " ANY (";
        String turned = switch (operator) {
            case "<" -> ">";
            case ">=" -> "<=";
            default -> operator;
        };
        var all = new ArrayList<>(List.of(
                any + "SELECT d FROM " + other + ")",
                where + "EXISTS (SELECT 1 FROM " + other + " s WHERE t.c " + operator + " s.d)",
                where + "EXISTS (SELECT 1 FROM " + other + " s WHERE NOT (t.c " + ConditionGrammar.opposite(operator)
                        + " s.d))",
                view(),
                join + "LEFT JOIN " + other + " s ON t.c " + operator + " s.d WHERE s.d IS NOT NULL",
                join + ", " + other + " s WHERE t.c " + operator + " COALESCE(s.d, s.d)",
                join + "JOIN (SELECT d AS e FROM " + other + ") s ON t.c " + operator + " s.e",
                "WITH q AS (SELECT d FROM " + other + ") SELECT t.* FROM " + table + " t, q WHERE t.c " + operator
                        + " q.d",
                where + "(t.c, 1) " + (operator.equals("=") ? "IN" : "= ANY") + " (SELECT d, 1 FROM " + other + ")",
                join + "JOIN " + other + " s ON s.d " + turned + " t.c",
                join + "JOIN " + other + " s ON (t.c, 1) " + operator + " (s.d, 1)",
                any + "SELECT (SELECT s.d) FROM " + other + " s)",
                any + "SELECT s.d FROM " + other + " s JOIN one ON TRUE)",
                any + "SELECT DISTINCT d FROM " + other + ")",
                any + "SELECT d FROM " + other + " UNION SELECT d FROM " + other + ")",
                any + "SELECT d FROM " + other + " UNION ALL SELECT d FROM " + other + ")",
                any + "SELECT d FROM " + other + " GROUP BY d)",
                any + "SELECT min(d) FROM " + other + " GROUP BY d)",
                where + "t.c " + operator + " (SELECT min(d) FROM " + other + ")",
                any + "SELECT COALESCE(d, d) FROM " + other + ")",
                any + "SELECT CAST(d AS " + type + ") FROM " + other + ")",
                where + "CAST(t.c AS " + type + ") " + operator + " ANY (SELECT d FROM " + other + ")"));
        if (operator.equals("=")) {
            String same = dialect == Dialect.MARIADB ? "t.c <=> s.d" : "t.c IS NOT DISTINCT FROM s.d";
            all.addAll(List.of(
                    where + "t.c IN (SELECT d FROM " + other + ")",
                    join + "JOIN (SELECT d AS c FROM " + other + ") s USING (c)",
                    join + "NATURAL JOIN (SELECT d AS c FROM " + other + ") s",
                    where + "t.c IN (TABLE " + other + ")",
                    join + "JOIN " + other + " s ON t.c IN (s.d)",
                    join + "JOIN " + other + " s ON t.c IN (s.d, s.d)",
                    join + "JOIN " + other + " s ON t.c BETWEEN s.d AND s.d",
                    join + "JOIN " + other + " s ON t.c <= s.d AND t.c >= s.d",
                    join + "JOIN " + other + " s ON " + same + " AND s.d IS NOT NULL",
                    where + "NOT (t.c <> ALL (SELECT d FROM " + other + "))",
                    where + "NOT (t.c NOT IN (SELECT d FROM " + other + "))",
                    join + "WHERE t.id IN (SELECT u.id FROM " + table + " u JOIN " + other + " s ON u.c = s.d)",
                    join + "JOIN " + other + " s ON NULLIF(t.c, s.d) IS NULL AND t.c IS NOT NULL",
                    join + "JOIN " + other + " s ON CASE t.c WHEN s.d THEN TRUE ELSE FALSE END"));
        }
        return all;
    }
}
