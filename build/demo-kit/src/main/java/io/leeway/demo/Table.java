package io.leeway.demo;

import java.util.List;

/**
 * A table of text.
 *
 * @param caption one line above it
 * @param columns the head
 * @param rows as many cells each as there are columns
 */
public record Table(String caption, List<String> columns, List<List<String>> rows) {

    /** Copies, and refuses a row of another length. */
    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("a row of " + row.size() + " cells below " + columns);
            }
        }
    }

    /** Whether a column holds figures only, which are set to the right. */
    boolean isNumeric(int column) {
        return !rows.isEmpty()
                && rows.stream().allMatch(row -> row.get(column).matches("[-+]?\\d[\\d,.]*( ?[%×µa-zA-Z]{1,3})?"));
    }
}
