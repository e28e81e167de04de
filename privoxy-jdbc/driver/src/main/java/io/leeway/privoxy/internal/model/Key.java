package io.leeway.privoxy.internal.model;

import java.util.List;

/**
 * A primary key or unique constraint.
 *
 * @param name the constraint's name
 * @param columns positions in the table, 0-based
 * @param nullsDistinct whether rows with a null in the key are exempt (SQL's default for UNIQUE)
 */
public record Key(String name, List<Integer> columns, boolean nullsDistinct) {
    public Key {
        columns = List.copyOf(columns);
    }
}
