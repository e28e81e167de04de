package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes schemas in tests: {@code table("events", "id!", "title text", "public! boolean")}; {@code !} is NOT NULL, the
 * default type a whole number, the first column the primary key unless {@code key} names others.
 */
public final class SchemaBuilder {

    private final Map<String, Table> tables = new LinkedHashMap<>();

    public SchemaBuilder table(String name, String... columns) {
        List<Column> list = new ArrayList<>();
        for (String column : columns) {
            String[] words = column.split(" ");
            boolean notNull = words[0].endsWith("!");
            String columnName = notNull ? words[0].substring(0, words[0].length() - 1) : words[0];
            list.add(new Column(columnName, type(words.length > 1 ? words[1] : "bigint"), !notNull));
        }
        tables.put(name, new Table(name, list, List.of(), List.of()));
        return this;
    }

    public SchemaBuilder key(String table, String... columns) {
        return addKey(table, false, columns);
    }

    public SchemaBuilder unique(String table, String... columns) {
        return addKey(table, true, columns);
    }

    public SchemaBuilder foreignKey(String table, String column, String target, String targetColumn) {
        Table from = table(table);
        List<Integer> targets = List.of(table(target).indexOf(targetColumn));
        List<ForeignKey> keys = new ArrayList<>(from.foreignKeys());
        keys.add(new ForeignKey(
                table + "_" + column,
                List.of(from.indexOf(column)),
                target,
                targets,
                table(target).keys().stream().anyMatch(key -> key.columns().equals(targets) && !key.nullsDistinct())));
        tables.put(table, new Table(table, from.columns(), from.keys(), keys));
        return this;
    }

    public Schema build() {
        return new Schema(tables);
    }

    private SchemaBuilder addKey(String table, boolean nullsDistinct, String... columns) {
        Table old = table(table);
        List<Key> keys = new ArrayList<>(old.keys());
        List<Integer> positions = new ArrayList<>();
        for (String column : columns) {
            positions.add(old.indexOf(column));
        }
        keys.add(new Key(table + "_" + String.join("_", columns), positions, nullsDistinct));
        tables.put(table, new Table(table, old.columns(), keys, old.foreignKeys()));
        return this;
    }

    private Table table(String name) {
        return Objects.requireNonNull(tables.get(name), name);
    }

    private static ColumnType type(String name) {
        return switch (name) {
            case "bigint" -> ColumnType.integer("bigint");
            case "text" -> ColumnType.exact(ValueKind.TEXT, "text");
            case "citext" -> ColumnType.inexact(ValueKind.TEXT, "ci", "citext");
            case "boolean" -> ColumnType.exact(ValueKind.BOOLEAN, "boolean");
            case "timestamp" -> ColumnType.exact(ValueKind.TIMESTAMP, "timestamp");
            default -> throw new IllegalArgumentException(name);
        };
    }
}
