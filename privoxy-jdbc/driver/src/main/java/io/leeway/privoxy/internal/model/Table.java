package io.leeway.privoxy.internal.model;

import java.util.List;

/**
 * A base table.
 *
 * @param name canonical name, {@code schema.table} in the database's own spelling
 * @param columns in the database's order
 * @param keys primary key first
 * @param foreignKeys outgoing foreign keys
 */
public record Table(String name, List<Column> columns, List<Key> keys, List<ForeignKey> foreignKeys) {
    public Table {
        columns = List.copyOf(columns);
        keys = List.copyOf(keys);
        foreignKeys = List.copyOf(foreignKeys);
    }

    public int arity() {
        return columns.size();
    }

    /** Position of a column, or -1. The name is compared exactly; folding is the dialect's business. */
    public int indexOf(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        return -1;
    }
}
