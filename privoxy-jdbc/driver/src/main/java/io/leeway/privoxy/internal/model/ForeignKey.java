package io.leeway.privoxy.internal.model;

import java.util.List;

/**
 * A foreign key: whenever all {@code columns} are non-null, {@code target} has a row with equal
 * {@code targetColumns}.
 *
 * @param primary whether these are the target's primary key, which says for longer than a moment which row it is
 */
public record ForeignKey(
        String name, List<Integer> columns, String target, List<Integer> targetColumns, boolean primary) {
    public ForeignKey {
        columns = List.copyOf(columns);
        targetColumns = List.copyOf(targetColumns);
        if (columns.size() != targetColumns.size()) {
            throw new IllegalArgumentException("foreign key " + name + " pairs columns of different number");
        }
    }
}
