package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes random statements over a {@link RandomSchema}, as text for H2, using all of the language that the normaliser
 * covers there. Names are mostly qualified; results are determined by the data (limits are ordered by everything shown).
 */
@SuppressWarnings({"ReferenceEquality", "UnusedVariable"}) // Types are constants; all producers have one signature.
final class RandomQuery {

    private final RandomGenerator random;
    private final RandomSchema schema;
    /** All values thought of; which of them are in the text, and in which order, only the text tells. */
    private final List<Object> pool = new ArrayList<>();

    private int aliases;
    private int budget;

    RandomQuery(RandomGenerator random, RandomSchema schema) {
        this.random = random;
        this.schema = schema;
    }

    /** A relation in sight. */
    private record Source(String alias, List<Column> columns) {}

    /**
     * A statement.
     *
     * @param parameters values in order: {@link Value}s, or a list of them for an array
     */
    record Statement(String sql, List<Object> parameters) {}

    private Statement statement(String text) {
        List<Object> parameters = new ArrayList<>();
        Matcher marks = Pattern.compile("\\?\\{(\\d+)}").matcher(text);
        while (marks.find()) {
            parameters.add(pool.get(Integer.parseInt(marks.group(1))));
        }
        return new Statement(marks.replaceAll("?"), parameters);
    }

    private String mark(Object value) {
        pool.add(value);
        return "?{" + (pool.size() - 1) + "}";
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T pick(List<T> options) {
        return options.get(random.nextInt(options.size()));
    }

    /** A query that returns rows. */
    Statement query() {
        return statement(queryText());
    }

    private String queryText() {
        budget = 3 + random.nextInt(6);
        String with = "";
        if (chance(10)) {
            String name = "W" + aliases++;
            Body body = body(List.of(), 2, List.of());
            with = "WITH " + name + " AS (" + body.sql + ") ";
            Source common = new Source(name, body.columns);
            return with + ordered(body(List.of(), 2, List.of(common)));
        }
        return ordered(body(List.of(), 3, List.of()));
    }

    /** A statement that returns a count. */
    Statement write() {
        return statement(writeText());
    }

    private String writeText() {
        budget = 2 + random.nextInt(4);
        Table table = pick(schema.tables());
        String name = RandomSchema.simpleName(table);
        Source target = new Source("X", table.columns());
        if (chance(50)) {
            return "DELETE FROM " + name + " X WHERE " + condition(List.of(target), 2);
        }
        Column column = table.columns().get(table.columns().size() - 1);
        return "UPDATE " + name + " X SET " + column.name() + " = " + column.name() + " WHERE "
                + condition(List.of(target), 2);
    }

    private record Body(String sql, List<Column> columns) {}

    private String ordered(Body body) {
        if (!chance(15) || body.columns.isEmpty()) {
            return body.sql;
        }
        List<String> all = new ArrayList<>();
        for (int i = 1; i <= body.columns.size(); i++) {
            all.add(i + (chance(30) ? " DESC" : ""));
        }
        String limit = chance(80) ? " LIMIT " + random.nextInt(3) : "";
        String offset = limit.isEmpty() || chance(70) ? "" : " OFFSET 1";
        return body.sql + " ORDER BY " + String.join(", ", all) + limit + offset;
    }

    private Body body(List<Source> outer, int depth, List<Source> common) {
        if (depth > 1 && chance(12)) {
            List<ColumnType> types = List.of(pick(List.of(RandomSchema.INTEGER, RandomSchema.TEXT)));
            String kind = pick(List.of("UNION", "UNION ALL", "EXCEPT", "INTERSECT", "UNION"));
            Body left = select(outer, depth - 1, types, common);
            Body right = select(outer, depth - 1, types, common);
            return new Body(left.sql + " " + kind + " " + right.sql, left.columns);
        }
        return select(outer, depth, null, common);
    }

    // --- SELECT ------------------------------------------------------------------------------------------------------

    /** A SELECT whose columns have the types, or any if there are none given. */
    private Body select(List<Source> outer, int depth, List<ColumnType> types, List<Source> common) {
        budget--;
        List<Source> own = new ArrayList<>();
        String from = from(own, outer, depth, common);
        List<Source> all = new ArrayList<>(outer);
        all.addAll(own);
        String where = chance(75) ? " WHERE " + condition(all, depth) : "";
        if (types == null && chance(18)) {
            return grouped(own, all, depth, from, where);
        }
        List<String> items = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        if (types == null && chance(15)) {
            Source source = pick(own);
            items.add(source.alias + ".*");
            columns.addAll(source.columns);
        } else {
            int count = types == null ? 1 + random.nextInt(3) : types.size();
            for (int i = 0; i < count; i++) {
                ColumnType type = types == null ? anyType() : types.get(i);
                items.add(item(own, all, depth, type) + " AS R" + i);
                columns.add(new Column("R" + i, type, true));
            }
        }
        String distinct = chance(20) ? "DISTINCT " : "";
        return new Body("SELECT " + distinct + String.join(", ", items) + from + where, columns);
    }

    private String item(List<Source> own, List<Source> all, int depth, ColumnType type) {
        if (chance(6) && type == RandomSchema.INTEGER) {
            return pick(List.of(
                    "rank() OVER (ORDER BY " + column(own, null) + ")",
                    "count(*) OVER (PARTITION BY " + column(own, null) + ")",
                    "sum(" + value(own, 0, RandomSchema.INTEGER) + ") OVER (PARTITION BY " + column(own, null) + ")"));
        }
        return value(all, depth, type);
    }

    private Body grouped(List<Source> own, List<Source> all, int depth, String from, String where) {
        List<String> groups = new ArrayList<>();
        List<String> items = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            ColumnType type = anyType();
            String column = column(own, type);
            if (column != null) {
                groups.add(column);
                items.add(column + " AS R" + items.size());
                columns.add(new Column("R" + columns.size(), type, true));
            }
        }
        for (int i = groups.isEmpty() ? 1 : random.nextInt(2); i > 0; i--) {
            items.add(aggregate(own, depth) + " AS R" + items.size());
            columns.add(new Column("R" + columns.size(), RandomSchema.INTEGER, true));
        }
        if (items.isEmpty()) {
            items.add("count(*) AS R0");
            columns.add(new Column("R0", RandomSchema.INTEGER, true));
        }
        String having =
                chance(30) ? " HAVING " + aggregate(own, depth) + " " + comparison() + " " + random.nextInt(3) : "";
        String group = groups.isEmpty() ? "" : " GROUP BY " + String.join(", ", groups);
        return new Body("SELECT " + String.join(", ", items) + from + where + group + having, columns);
    }

    private String aggregate(List<Source> own, int depth) {
        String argument = value(own, 0, RandomSchema.INTEGER);
        String filter = chance(15) ? " FILTER (WHERE " + condition(own, 0) + ")" : "";
        return pick(List.of(
                        "count(*)",
                        "count(" + column(own, null) + ")",
                        "count(DISTINCT " + argument + ")",
                        "sum(" + argument + ")",
                        "min(" + argument + ")",
                        "max(" + argument + ")"))
                + filter;
    }

    // --- FROM --------------------------------------------------------------------------------------------------------

    private String from(List<Source> own, List<Source> outer, int depth, List<Source> common) {
        var text = new StringBuilder(" FROM ").append(relation(own, outer, depth, common));
        for (int i = random.nextInt(budget > 0 ? 3 : 1); i > 0; i--) {
            budget--;
            int kind = random.nextInt(10);
            if (kind == 0) {
                text.append(" CROSS JOIN ").append(relation(own, outer, depth, common));
                continue;
            }
            String type = kind < 4 ? " JOIN " : kind < 8 ? " LEFT JOIN " : kind < 9 ? " RIGHT JOIN " : " LEFT JOIN ";
            if (kind == 9 && depth > 1) {
                List<Source> inner = new ArrayList<>();
                String nested = relation(inner, outer, depth, common) + pick(List.of(" JOIN ", " LEFT JOIN "))
                        + relation(inner, outer, depth, common) + " ON " + on(inner, outer);
                own.addAll(inner);
                text.append(type).append('(').append(nested).append(')');
            } else {
                text.append(type).append(relation(own, outer, depth, common));
            }
            text.append(" ON ").append(on(own, outer));
        }
        return text.toString();
    }

    private String on(List<Source> own, List<Source> outer) {
        List<Source> all = new ArrayList<>(own);
        if (chance(20)) {
            all.addAll(outer);
        }
        if (chance(70)) {
            ColumnType type = chance(70) ? RandomSchema.INTEGER : anyType();
            String left = column(List.of(own.get(own.size() - 1)), type);
            String right = column(all, type);
            if (left != null && right != null) {
                return left + " = " + right + (chance(20) ? " AND " + condition(all, 0) : "");
            }
        }
        return condition(all, 0);
    }

    private String relation(List<Source> own, List<Source> outer, int depth, List<Source> common) {
        String alias = "A" + aliases++;
        if (!common.isEmpty() && chance(50)) {
            Source source = pick(common);
            own.add(new Source(alias, source.columns));
            return source.alias + " " + alias;
        }
        if (depth > 1 && budget > 0 && chance(22)) {
            Body body = chance(70) ? body(List.of(), depth - 1, List.of()) : limited(depth);
            own.add(new Source(alias, body.columns));
            return "(" + body.sql + ") " + alias;
        }
        Table table = pick(schema.tables());
        own.add(new Source(alias, table.columns()));
        return RandomSchema.simpleName(table) + " " + alias;
    }

    private Body limited(int depth) {
        Body body = body(List.of(), depth - 1, List.of());
        List<String> all = new ArrayList<>();
        for (int i = 1; i <= body.columns.size(); i++) {
            all.add(String.valueOf(i));
        }
        return new Body(body.sql + " ORDER BY " + String.join(", ", all) + " LIMIT 2", body.columns);
    }

    // --- conditions --------------------------------------------------------------------------------------------------

    private String condition(List<Source> sources, int depth) {
        int kind = random.nextInt(depth > 0 && budget > 0 ? 26 : 16);
        return switch (kind) {
            case 0, 1 -> "(" + condition(sources, depth) + " AND " + condition(sources, depth) + ")";
            case 2, 3 -> "(" + condition(sources, depth) + " OR " + condition(sources, depth) + ")";
            case 4 -> "NOT (" + condition(sources, depth) + ")";
            case 5 -> column(sources, null) + pick(List.of(" IS NULL", " IS NOT NULL"));
            case 6 ->
                "(" + condition(sources, 0) + ") IS " + pick(List.of("", "NOT "))
                        + pick(List.of("TRUE", "FALSE", "UNKNOWN"));
            case 7 -> in(sources);
            case 8 ->
                value(sources, 0, RandomSchema.INTEGER) + pick(List.of(" ", " NOT ")) + "BETWEEN "
                        + value(sources, 0, RandomSchema.INTEGER) + " AND " + value(sources, 0, RandomSchema.INTEGER);
            case 9 -> truth(sources);
            case 10 -> rowOrLike(sources);
            case 16, 17, 18 -> pick(List.of("", "NOT ")) + "EXISTS (" + exists(sources, depth) + ")";
            case 19, 20, 21 -> membership(sources, depth);
            case 22 ->
                value(sources, 0, RandomSchema.INTEGER) + " " + comparison() + pick(List.of(" ANY (", " ALL ("))
                        + single(sources, depth, RandomSchema.INTEGER) + ")";
            case 23, 24 -> value(sources, 0, RandomSchema.INTEGER) + " " + comparison() + " " + scalar(sources, depth);
            default -> comparison(sources);
        };
    }

    private String comparison() {
        return pick(List.of("=", "=", "=", "<>", "<", "<=", ">", ">="));
    }

    private String comparison(List<Source> sources) {
        ColumnType type = anyType();
        if (type == RandomSchema.TRUTH) {
            return truth(sources);
        }
        String operator = type == RandomSchema.INTEGER ? comparison() : pick(List.of("=", "=", "<>"));
        if (chance(8)) {
            operator = pick(List.of("IS DISTINCT FROM", "IS NOT DISTINCT FROM"));
        }
        return value(sources, 0, type) + " " + operator + " " + value(sources, 0, type);
    }

    private String truth(List<Source> sources) {
        String column = column(sources, RandomSchema.TRUTH);
        if (column == null) {
            return pick(List.of("TRUE", "1 = 1", "FALSE"));
        }
        return column + pick(List.of("", " = TRUE", " = FALSE", " <> TRUE"));
    }

    private String in(List<Source> sources) {
        ColumnType type = pick(List.of(RandomSchema.INTEGER, RandomSchema.TEXT, RandomSchema.FOLDED));
        String column = column(sources, type);
        if (column == null) {
            return truth(sources);
        }
        if (chance(15)) {
            return column + " = ANY(" + mark(List.of(schema.value(type), schema.value(type))) + ")";
        }
        List<String> values = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            values.add(chance(10) ? value(sources, 0, type) : constant(type));
        }
        return column + pick(List.of(" IN (", " IN (", " NOT IN (")) + String.join(", ", values) + ")";
    }

    private String rowOrLike(List<Source> sources) {
        String text = column(sources, RandomSchema.TEXT);
        if (text != null && chance(50)) {
            return text
                    + pick(List.of(" LIKE ", " NOT LIKE "))
                    + pick(List.of("'a%'", "'_'", "'b'", "?text")).replace("?text", parameter(RandomSchema.TEXT));
        }
        String row =
                "(" + value(sources, 0, RandomSchema.INTEGER) + ", " + value(sources, 0, RandomSchema.INTEGER) + ")";
        return row + " " + comparison() + " (" + value(sources, 0, RandomSchema.INTEGER) + ", "
                + value(sources, 0, RandomSchema.INTEGER) + ")";
    }

    private String membership(List<Source> sources, int depth) {
        ColumnType type = pick(List.of(RandomSchema.INTEGER, RandomSchema.INTEGER, RandomSchema.TEXT));
        String operator = pick(List.of(" IN (", " IN (", " NOT IN ("));
        return value(sources, 0, type) + operator + single(sources, depth, type) + ")";
    }

    private String exists(List<Source> sources, int depth) {
        return body(sources, depth - 1, List.of()).sql + (chance(20) ? " LIMIT " + random.nextInt(3) : "");
    }

    /** A sub-query of one column. */
    private String single(List<Source> sources, int depth, ColumnType type) {
        return select(sources, depth - 1, List.of(type), List.of()).sql;
    }

    /** A sub-query that has exactly one row, or is at least likely to have no more. */
    private String scalar(List<Source> sources, int depth) {
        budget--;
        List<Source> own = new ArrayList<>();
        String from = from(own, sources, Math.max(depth - 1, 0), List.of());
        List<Source> all = new ArrayList<>(sources);
        all.addAll(own);
        String where = " WHERE " + condition(all, depth - 1);
        if (chance(60)) {
            return "(SELECT " + aggregate(own, 0) + from + where + ")";
        }
        Table table = pick(schema.tables());
        String alias = "A" + aliases++;
        Source source = new Source(alias, table.columns());
        List<Source> sight = new ArrayList<>(sources);
        sight.add(source);
        String key = alias + "." + table.columns().get(0).name() + " = "
                + value(sources, 0, table.columns().get(0).type());
        return "(SELECT " + value(List.of(source), 0, RandomSchema.INTEGER) + " FROM "
                + RandomSchema.simpleName(table) + " " + alias + " WHERE " + key
                + (chance(30) ? " AND " + condition(sight, 0) : "") + ")";
    }

    // --- values ------------------------------------------------------------------------------------------------------

    private ColumnType anyType() {
        return pick(List.of(
                RandomSchema.INTEGER,
                RandomSchema.INTEGER,
                RandomSchema.INTEGER,
                RandomSchema.TEXT,
                RandomSchema.TRUTH,
                RandomSchema.FOLDED));
    }

    private String value(List<Source> sources, int depth, ColumnType type) {
        String column = column(sources, type);
        if (column == null || chance(15)) {
            return constant(type);
        }
        if (chance(12)) {
            return operation(sources, depth, type, column);
        }
        if (depth > 0 && budget > 0 && chance(10)) {
            return type == RandomSchema.INTEGER
                    ? scalar(sources, depth)
                    : type == RandomSchema.TRUTH ? "EXISTS (" + exists(sources, depth) + ")" : column;
        }
        return column;
    }

    private String operation(List<Source> sources, int depth, ColumnType type, String column) {
        if (type == RandomSchema.INTEGER) {
            return pick(List.of(
                    "(" + column + " + 1)",
                    "(" + column + " * " + column(sources, type) + ")",
                    "abs(" + column + ")",
                    "-" + column,
                    "coalesce(" + column + ", " + column(sources, type) + ")",
                    "nullif(" + column + ", 1)",
                    "CASE WHEN " + condition(sources, 0) + " THEN " + column + " ELSE 2 END"));
        }
        if (type == RandomSchema.TEXT) {
            return pick(List.of("lower(" + column + ")", "(" + column + " || 'b')", "coalesce(" + column + ", 'a')"));
        }
        return type == RandomSchema.TRUTH ? "(" + condition(sources, 0) + ")" : column;
    }

    /** A column of the type (any if null), or null if there is none. */
    private String column(List<Source> sources, ColumnType type) {
        List<String> candidates = new ArrayList<>();
        for (Source source : sources) {
            for (Column column : source.columns) {
                if (type == null || column.type() == type) {
                    candidates.add(source.alias + "." + column.name());
                }
            }
        }
        if (candidates.isEmpty()) {
            return type == null ? "1" : null;
        }
        return pick(candidates);
    }

    private String constant(ColumnType type) {
        if (chance(25) && type != RandomSchema.TRUTH) {
            return parameter(type);
        }
        if (chance(4)) {
            return "NULL";
        }
        return schema.value(type).toString();
    }

    private String parameter(ColumnType type) {
        return mark(chance(7) ? Value.NULL : schema.value(type));
    }
}
