package io.leeway.lazybase.internal.model;

import java.util.List;

/**
 * An order in which rows of a table are kept. The first view of a table is the primary one: all columns, ordered by the primary key.
 *
 * @param id number within the catalogue
 * @param name as users type it; the primary view has the table's
 * @param key numbers of the columns that it is ordered by; of a secondary view they include the primary key
 * @param columns numbers of its columns, the key's first
 */
public record View(int id, String name, List<Integer> key, List<Integer> columns) {

    public View {
        key = List.copyOf(key);
        columns = List.copyOf(columns);
    }
}
