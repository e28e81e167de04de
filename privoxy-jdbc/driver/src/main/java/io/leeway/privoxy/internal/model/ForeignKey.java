package io.leeway.privoxy.internal.model;

import java.util.List;

/**
 * A foreign key: whenever all {@code columns} are non-null, {@code target} has a row with equal
 * {@code targetColumns}.
 */
public record ForeignKey(String name, List<Integer> columns, String target, List<Integer> targetColumns) {
    public ForeignKey {
        columns = List.copyOf(columns);
        targetColumns = List.copyOf(targetColumns);
        if (columns.size() != targetColumns.size()) {
            throw new IllegalArgumentException("foreign key " + name + " pairs columns of different number");
        }
    }
}
