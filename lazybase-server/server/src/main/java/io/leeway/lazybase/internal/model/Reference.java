package io.leeway.lazybase.internal.model;

import java.util.List;

/**
 * A column with ids of natural keys that are kept in another table: a surrogate key (James Cipar, "Trading Freshness for Performance in
 * Distributed Systems", 2014, section 3.3.2). Rows may come with the natural key instead of the id; its parts then have numbers of their
 * own, below 0, until the pipeline has found or given the id.
 *
 * @param column number of the column
 * @param table number of the table with the natural keys and their ids
 * @param key columns of that table's primary key; they keep their names
 */
public record Reference(int column, int table, List<Column> key) {

    /** Columns of a natural key, at most. */
    public static final int MOST_PARTS = 64;

    public Reference {
        key = List.copyOf(key);
    }

    /** The number of a part of the natural key, as rows have it before the id is known. */
    public int part(int index) {
        return -(column * MOST_PARTS + index + 1);
    }

    /** Of which column a number is a part; 0 if it is a column's own. */
    public static int columnOf(int number) {
        return number < 0 ? (-number - 1) / MOST_PARTS : 0;
    }
}
