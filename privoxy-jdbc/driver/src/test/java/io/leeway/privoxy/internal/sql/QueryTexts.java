package io.leeway.privoxy.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Random queries over the tables {@code t1} to {@code t4} (columns {@code id}, {@code v}) whose meaning depends on how joins
 * nest and on which set operation binds first.
 */
final class QueryTexts {

    private static final String FIRST_TWO = " ORDER BY 1 LIMIT 2";

    private final Dialect dialect;
    private final RandomGenerator random;
    private int aliases;

    QueryTexts(Dialect dialect, RandomGenerator random) {
        this.dialect = dialect;
        this.random = random;
    }

    String next() {
        aliases = 0;
        return random.nextBoolean() ? joins() : setOperations(1 + random.nextInt(4));
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    // --- joins -------------------------------------------------------------------------------------------------------

    private String joins() {
        var names = new ArrayList<String>();
        String from = item(names, 1 + random.nextInt(3));
        if (names.size() < 4 && random.nextInt(4) == 0) {
            from += ", " + item(names, random.nextInt(2));
        }
        var columns = new ArrayList<String>();
        names.forEach(name -> columns.add(name + ".v"));
        String list = random.nextInt(4) == 0 ? "*" : String.join(", ", columns);
        return "SELECT " + list + " FROM " + from + (random.nextBoolean() ? "" : " WHERE " + condition(names))
                + " ORDER BY " + String.join(", ", columns);
    }

    private String item(List<String> names, int joins) {
        if (joins == 0) {
            return primary(names);
        }
        var right = new ArrayList<String>();
        int left = random.nextInt(joins);
        String text = item(names, left);
        String join = pick(joinWords());
        text += " " + join + " " + item(right, joins - 1 - left);
        names.addAll(right);
        return join.startsWith("CROSS") || join.startsWith("NATURAL") || random.nextInt(8) == 0
                ? text
                : text + (random.nextInt(5) == 0 ? " USING (id)" : " ON " + condition(names));
    }

    private List<String> joinWords() {
        return switch (dialect) {
            case POSTGRESQL ->
                List.of(
                        "JOIN",
                        "INNER JOIN",
                        "LEFT JOIN",
                        "RIGHT OUTER JOIN",
                        "FULL JOIN",
                        "CROSS JOIN",
                        "NATURAL JOIN");
            case MARIADB ->
                List.of(
                        "JOIN",
                        "INNER JOIN",
                        "LEFT JOIN",
                        "RIGHT OUTER JOIN",
                        "STRAIGHT_JOIN",
                        "CROSS JOIN",
                        "NATURAL LEFT JOIN");
            case H2 -> List.of("JOIN", "INNER JOIN", "LEFT JOIN", "RIGHT OUTER JOIN", "CROSS JOIN", "NATURAL JOIN");
        };
    }

    private String primary(List<String> names) {
        aliases++;
        String name = "x" + aliases;
        String table = "t" + (1 + random.nextInt(4));
        if (aliases < 4 && random.nextInt(8) == 0) {
            var inner = new ArrayList<String>();
            String text = "(" + item(inner, 1) + ")";
            names.addAll(inner);
            return text;
        }
        names.add(name);
        return switch (random.nextInt(4)) {
            case 0 -> "(SELECT id, v FROM " + table + ") " + name;
            case 1 -> "((SELECT id, v FROM " + table + ")) AS " + name;
            default -> table + (random.nextBoolean() ? " AS " : " ") + name;
        };
    }

    private String condition(List<String> names) {
        return pick(names) + ".id " + pick(List.of("=", "<", "=")) + " " + pick(names) + ".v";
    }

    // --- set operations ----------------------------------------------------------------------------------------------

    private String setOperations(int operations) {
        String text = term(operations - 1);
        for (int i = 0; i < operations; i++) {
            text += " " + pick(List.of("UNION", "UNION ALL", "EXCEPT", "INTERSECT", "UNION DISTINCT", "EXCEPT")) + " "
                    + term(operations - 1);
        }
        return text + (random.nextInt(3) == 0 ? FIRST_TWO : "");
    }

    /** MariaDB takes UNION ALL within a UNION for a UNION even where LIMIT tells them apart: an error of its optimiser. */
    private String nested(int operations) {
        String text = setOperations(operations);
        return dialect == Dialect.MARIADB && text.contains("UNION ALL") && text.endsWith(FIRST_TWO)
                ? text.substring(0, text.length() - FIRST_TWO.length())
                : text;
    }

    private String term(int operations) {
        return switch (random.nextInt(6)) {
            case 0 -> "(" + (operations > 0 ? nested(operations) : "SELECT 1") + ")";
            case 1 -> "(SELECT v FROM t2 ORDER BY v LIMIT 1)";
            case 2 -> dialect == Dialect.MARIADB ? "SELECT 2" : "VALUES (2), (3)";
            case 3 -> "((SELECT " + random.nextInt(4) + "))";
            default -> "SELECT v FROM t" + (1 + random.nextInt(4));
        };
    }
}
