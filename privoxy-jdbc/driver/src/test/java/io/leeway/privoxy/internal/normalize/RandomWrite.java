package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random statements that write to one table, and queries of the same shape, over a {@link RandomSchema}. */
final class RandomWrite {

    private final RandomGenerator random;
    private final RandomSchema schema;
    private final List<Object> parameters = new ArrayList<>();

    RandomWrite(RandomGenerator random, RandomSchema schema) {
        this.random = random;
        this.schema = schema;
    }

    RandomQuery.Statement write() {
        Table table = pick(schema.tables());
        String name = RandomSchema.simpleName(table);
        return statement(
                switch (random.nextInt(6)) {
                    case 0 -> "INSERT INTO " + name + " VALUES (" + row(table) + "), (" + row(table) + ")";
                    case 1 -> "DELETE FROM " + name + where(table, "");
                    case 2 -> merge(table, name);
                    default -> "UPDATE " + name + " SET " + assignments(table) + where(table, "");
                });
    }

    /** Rows of a table, or pairs of rows, some of their columns, and often a condition. */
    RandomQuery.Statement query() {
        Table table = pick(schema.tables());
        String name = RandomSchema.simpleName(table);
        if (random.nextInt(4) > 0) {
            return statement("SELECT " + columns(table, "") + " FROM " + name + where(table, ""));
        }
        Table other = random.nextBoolean() ? table : pick(schema.tables());
        return statement("SELECT " + columns(table, "a.") + ", " + columns(other, "b.") + " FROM " + name + " a, "
                + RandomSchema.simpleName(other) + " b" + where(table, "a."));
    }

    private RandomQuery.Statement statement(String sql) {
        return new RandomQuery.Statement(sql, List.copyOf(parameters));
    }

    private String merge(Table table, String name) {
        return "MERGE INTO " + name + " KEY (" + table.columns().get(0).name() + ") VALUES (" + row(table) + ")";
    }

    private String row(Table table) {
        return String.join(", ", table.columns().stream().map(this::mark).toList());
    }

    private String assignments(Table table) {
        List<String> assignments = new ArrayList<>();
        for (Column column : table.columns()) {
            if (random.nextInt(3) == 0) {
                assignments.add(column.name() + " = " + mark(column));
            }
        }
        Column last = table.columns().get(table.columns().size() - 1);
        return assignments.isEmpty() ? last.name() + " = " + mark(last) : String.join(", ", assignments);
    }

    private String where(Table table, String alias) {
        List<String> conditions = new ArrayList<>();
        for (int i = random.nextInt(4); i > 1; i--) {
            conditions.add(condition(table, alias));
        }
        conditions.add(condition(table, alias));
        return random.nextInt(6) == 0
                ? ""
                : " WHERE " + String.join(random.nextInt(5) == 0 ? " OR " : " AND ", conditions);
    }

    private String condition(Table table, String alias) {
        Column column = random.nextBoolean() ? table.columns().get(0) : pick(table.columns());
        return switch (random.nextInt(8)) {
            case 0 -> alias + column.name() + " <> " + mark(column);
            case 1 -> alias + column.name() + " IS NOT NULL";
            case 2 -> mark(column) + " = " + alias + column.name();
            default -> alias + column.name() + " = " + mark(column);
        };
    }

    private String columns(Table table, String alias) {
        List<String> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            if (random.nextInt(3) > 0) {
                columns.add(alias + column.name());
            }
        }
        return columns.isEmpty() ? alias + table.columns().get(0).name() : String.join(", ", columns);
    }

    private String mark(Column column) {
        parameters.add(column.nullable() && random.nextInt(8) == 0 ? Value.NULL : schema.value(column.type()));
        return "?";
    }

    private <T> T pick(List<T> options) {
        return options.get(random.nextInt(options.size()));
    }
}
