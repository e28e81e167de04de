package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.fuzz.oracle.TwinTable.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws queries on the tables of the worlds: joins, sub-queries, unions, aggregates, windows, and above all orders, limits
 * and what depends on them. Most of them read only what views show, so that they are accepted.
 */
final class QueryGrammar {

    private final Choices choices;
    private final Dialect dialect;
    private final FromGrammar from;
    private final ValueGrammar values;
    private int names;

    QueryGrammar(Choices choices, Dialect dialect) {
        this.choices = choices;
        this.dialect = dialect;
        this.values = new ValueGrammar(choices, dialect, this);
        this.from = new FromGrammar(choices, dialect, this, values);
    }

    String name() {
        return "a" + names++;
    }

    /** A query of its own, of any columns. */
    String top() {
        List<Kind> kinds = kinds(1 + choices.below(3));
        if (choices.onceIn(10)) {
            return starred(new Scope(null), 2);
        }
        return dialect != Dialect.MARIADB && choices.onceIn(12)
                ? "SELECT ARRAY(" + query(null, 1, kinds.subList(0, 1)) + ")"
                : query(null, 2, kinds);
    }

    List<Kind> kinds(int count) {
        var all = new ArrayList<Kind>();
        for (int i = 0; i < count; i++) {
            all.add(choices.pick(Kind.TEXT, Kind.NUMBER, Kind.TEXT, Kind.TRUTH));
        }
        return all;
    }

    /** A query of columns {@code c0}, {@code c1}, … of these kinds; without kinds for EXISTS. */
    String query(@Nullable Scope outer, int depth, List<Kind> kinds) {
        String query = select(outer, depth, kinds);
        if (depth == 0 || kinds.isEmpty()) {
            return query;
        }
        return switch (choices.below(14)) {
            case 11, 12 -> {
                String operator = choices.pick(" UNION ALL ", " UNION ", " EXCEPT ", " INTERSECT ");
                yield "(" + query + ")" + operator + "(" + select(outer, depth - 1, kinds) + ")"
                        + numbered(kinds.size()) + limit();
            }
            // PostgreSQL takes no second order behind parentheses.
            case 10 ->
                dialect == Dialect.POSTGRESQL && query.contains(" ORDER BY ")
                        ? query
                        : "(" + query + ")" + numbered(kinds.size()) + limit();
            case 13 -> {
                String name = name();
                yield "WITH " + name + " AS (" + query + ") SELECT * FROM " + name + numbered(kinds.size()) + limit();
            }
            default -> query;
        };
    }

    /** One row at most. */
    String scalar(@Nullable Scope outer, int depth, Kind kind) {
        Scope scope = new Scope(outer);
        String tables = from.tables(scope, depth);
        if (choices.onceIn(2)) {
            return "SELECT " + values.aggregate(scope, kind, depth) + " FROM " + tables + where(scope, depth);
        }
        return "SELECT " + values.value(scope, kind, depth) + " FROM " + tables + where(scope, depth)
                + order(scope, List.of(), depth)
                + choices.pick(" LIMIT 1", " LIMIT 1 OFFSET 1");
    }

    private String select(@Nullable Scope outer, int depth, List<Kind> kinds) {
        Scope scope = new Scope(outer);
        String tables = from.tables(scope, depth);
        if (kinds.isEmpty()) {
            return "SELECT 1 FROM " + tables + where(scope, depth);
        }
        int shape = choices.below(14);
        if (shape < 6) {
            return rows("", scope, tables, kinds, depth);
        }
        return switch (shape) {
            case 6 -> aggregates(scope, tables, kinds, depth);
            case 7, 8 -> groups(scope, tables, kinds, depth);
            case 9, 10 -> windows(scope, tables, kinds, depth);
            case 11 ->
                dialect == Dialect.MARIADB ? loose(scope, tables, kinds, depth) : first(scope, tables, kinds, depth);
            case 12 -> grouped(scope, tables, kinds, depth);
            default -> rows("DISTINCT ", scope, tables, kinds, depth);
        };
    }

    private String rows(String distinct, Scope scope, String tables, List<Kind> kinds, int depth) {
        List<String> items =
                kinds.stream().map(kind -> values.value(scope, kind, depth)).toList();
        if (dialect != Dialect.MARIADB && distinct.isEmpty() && choices.onceIn(20)) {
            return "SELECT " + listed(items) + " FROM " + tables + where(scope, depth) + " ORDER BY "
                    + scope.any(choices) + " FETCH FIRST 2 ROWS WITH TIES";
        }
        // What is made distinct is ordered by what is in it, except where MariaDB takes another order.
        String order = distinct.isEmpty() || dialect == Dialect.MARIADB && choices.onceIn(3)
                ? order(scope, items, depth)
                : numbered(kinds.size());
        return "SELECT " + distinct + listed(items) + " FROM " + tables + where(scope, depth) + order + limit();
    }

    /** All columns of something. */
    private String starred(Scope scope, int depth) {
        String tables = from.tables(scope, depth);
        String part = scope.parts.isEmpty() ? "*" : choices.pick(scope.parts) + ".*";
        return "SELECT " + choices.pick(part, "*", "DISTINCT " + part) + " FROM " + tables + where(scope, depth)
                + choices.pick("", numbered(1)) + limit();
    }

    private String aggregates(Scope scope, String tables, List<Kind> kinds, int depth) {
        List<String> items =
                kinds.stream().map(kind -> values.aggregate(scope, kind, depth)).toList();
        String having = choices.onceIn(5) ? " HAVING " + values.aggregate(scope, Kind.NUMBER, 0) + " > 0" : "";
        return "SELECT " + listed(items) + " FROM " + tables + where(scope, depth) + having;
    }

    private String groups(Scope scope, String tables, List<Kind> kinds, int depth) {
        String by = values.own(scope, kinds.get(0));
        var items = new ArrayList<>(List.of(by));
        for (Kind kind : kinds.subList(1, kinds.size())) {
            items.add(values.aggregate(scope, kind, depth));
        }
        String group = choices.pick(
                by,
                by,
                "1",
                dialect == Dialect.POSTGRESQL ? "ROLLUP (" + by + ")" : by,
                dialect == Dialect.MARIADB ? by + " WITH ROLLUP" : by);
        String order = switch (choices.below(6)) {
            case 1 -> " ORDER BY count(*)";
            case 2 -> " ORDER BY " + values.aggregate(scope, Kind.NUMBER, 0) + ", 1";
            case 3 -> " ORDER BY " + values.aggregate(scope, Kind.TEXT, 0) + " = 'a'";
            case 4 -> numbered(kinds.size());
            default -> "";
        };
        String having = choices.onceIn(6) ? " HAVING " + values.aggregate(scope, Kind.TEXT, 0) + " > 'a'" : "";
        return "SELECT " + listed(items) + " FROM " + tables + where(scope, depth) + " GROUP BY " + group + having
                + order + limit();
    }

    /** Aggregates of aggregates in windows, named ones too. */
    private String grouped(Scope scope, String tables, List<Kind> kinds, int depth) {
        String by = values.own(scope, Kind.NUMBER);
        String window = choices.pick("ORDER BY ", "PARTITION BY ")
                + values.aggregate(scope, Kind.TEXT, 0)
                + choices.pick("", " = 'a'", " LIKE 'a%'");
        String call = choices.pick("rank()", "count(*)", "dense_rank()") + " OVER ";
        boolean isNamed = choices.onceIn(2);
        var items = new ArrayList<String>();
        for (Kind kind : kinds) {
            items.add(kind == Kind.NUMBER ? call + (isNamed ? "w" : "(" + window + ")") : typed(kind, by));
        }
        return "SELECT " + listed(items) + " FROM " + tables + where(scope, depth) + " GROUP BY " + by
                + (isNamed ? " WINDOW w AS (" + window + ")" : "") + limit();
    }

    private static String typed(Kind kind, String number) {
        return kind == Kind.TRUTH ? number + " > 0" : kind == Kind.TEXT ? "concat(" + number + ", 'g')" : number;
    }

    private String windows(Scope scope, String tables, List<Kind> kinds, int depth) {
        boolean isNamed = choices.onceIn(3);
        String window = window(scope);
        List<String> items = kinds.stream()
                .map(kind -> choices.onceIn(2)
                        ? values.value(scope, kind, 0)
                        : values.call(scope, kind) + " OVER " + (isNamed ? "w" : "(" + window + ")"))
                .toList();
        return "SELECT " + listed(items) + " FROM " + tables + where(scope, depth)
                + (isNamed ? " WINDOW w AS (" + window + ")" : "")
                + order(scope, items, 0) + limit();
    }

    private String window(Scope scope) {
        String keys = scope.any(choices) + choices.pick("", " DESC", ", " + scope.any(choices));
        return (choices.onceIn(3) ? "PARTITION BY " + scope.any(choices) + " " : "") + "ORDER BY " + keys
                + choices.pick("", "", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW");
    }

    /** Columns that are neither grouped nor counted, as MariaDB lets pass. */
    private String loose(Scope scope, String tables, List<Kind> kinds, int depth) {
        List<String> items = kinds.stream()
                .map(kind -> choices.pick(
                        "(SELECT " + values.own(scope, kind) + ")",
                        values.own(scope, kind),
                        values.aggregate(scope, kind, 0),
                        kind == Kind.TRUTH ? "'a' IN (SELECT " + values.own(scope, Kind.TEXT) + ")" : "max(1)"))
                .toList();
        String end = choices.pick(
                " GROUP BY " + scope.any(choices),
                " GROUP BY 'x'",
                " HAVING count(*) > 0",
                " GROUP BY " + scope.any(choices) + " ORDER BY " + scope.any(choices) + " = 'a'");
        String star = scope.parts.isEmpty() ? "" : choices.pick("", choices.pick(scope.parts) + ".*, ");
        return depth < 2
                ? "SELECT " + listed(items) + " FROM " + tables + where(scope, depth) + end
                : "SELECT " + star + listed(items) + " FROM " + tables + where(scope, depth) + end + limit();
    }

    /** The first row of each. */
    private String first(Scope scope, String tables, List<Kind> kinds, int depth) {
        String key = scope.any(choices);
        List<String> items = kinds.stream().map(kind -> values.own(scope, kind)).toList();
        return "SELECT DISTINCT ON (" + key + ") " + listed(items) + " FROM " + tables + where(scope, depth)
                + choices.pick(" ORDER BY " + key, " ORDER BY " + key + ", " + scope.any(choices), "") + limit();
    }

    private static String listed(List<String> items) {
        var all = new StringBuilder();
        for (int i = 0; i < items.size(); i++) {
            all.append(i > 0 ? ", " : "").append(items.get(i)).append(" AS c").append(i);
        }
        return all.toString();
    }

    String where(Scope scope, int depth) {
        var all = new ArrayList<String>();
        for (String guard : scope.guards) {
            if (!choices.onceIn(10)) {
                all.add(guard);
            }
        }
        if (choices.onceIn(3)) {
            all.add(values.condition(scope, depth));
        }
        return all.isEmpty() ? "" : " WHERE " + String.join(" AND ", all);
    }

    /** By something: columns, positions, what is no position though it looks like one. */
    private String order(Scope scope, List<String> items, int depth) {
        if (!choices.onceIn(2)) {
            return "";
        }
        int count = 1 + choices.below(2);
        var keys = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            keys.add(key(scope, items, depth) + choices.pick("", "", " DESC"));
        }
        return " ORDER BY " + String.join(", ", keys);
    }

    private String key(Scope scope, List<String> items, int depth) {
        return switch (choices.below(10)) {
            case 1 -> items.isEmpty() ? scope.any(choices) : Integer.toString(1 + choices.below(items.size()));
            case 2 -> items.isEmpty() ? scope.any(choices) : "c" + choices.below(items.size());
            case 3 -> values.own(scope, Kind.NUMBER) + " * 0";
            case 4 -> values.own(scope, Kind.TEXT) + " = 'b'";
            case 5 -> constant();
            case 6 -> depth > 0 ? "(" + scalar(scope, 0, Kind.NUMBER) + ")" : scope.any(choices);
            default -> scope.any(choices);
        };
    }

    /** By positions and names of the result only. */
    private String numbered(int columns) {
        if (!choices.onceIn(2)) {
            return "";
        }
        int count = 1 + choices.below(2);
        var keys = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            int column = choices.below(columns);
            keys.add(choices.pick(Integer.toString(column + 1), Integer.toString(column + 1), "c" + column, constant())
                    + choices.pick("", "", " DESC"));
        }
        if (choices.onceIn(6)) {
            keys.addAll(Collections.nCopies(columns, keys.get(0)));
        }
        return " ORDER BY " + String.join(", ", keys);
    }

    /** What is no position; PostgreSQL takes few of them. */
    private String constant() {
        return dialect == Dialect.POSTGRESQL
                ? choices.pick("(1)", "DATE '2020-01-01'")
                : choices.pick("(1)", "'x'", "NULL", "1.5", "(2)", "DATE '2020-01-01'");
    }

    private String limit() {
        return switch (choices.below(8)) {
            case 5 -> " LIMIT 1";
            case 6 -> " LIMIT 2" + choices.pick("", " OFFSET 1");
            case 7 ->
                dialect == Dialect.MARIADB
                        ? " LIMIT 3"
                        : " OFFSET 1 ROWS" + choices.pick("", " FETCH NEXT 2 ROWS ONLY");
            default -> "";
        };
    }
}
