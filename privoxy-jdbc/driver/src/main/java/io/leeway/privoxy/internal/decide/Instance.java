package io.leeway.privoxy.internal.decide;

import java.util.Arrays;

/**
 * The rows known to be in one of the two databases, by table number. A row is an array of nodes followed by its
 * {@link Origin}. Not thread-safe.
 *
 * <p>Arrays without boxing, and only tables that have rows are gone through: a schema has hundreds of tables, a case
 * has rows of five, and each case distinction copies all of it.
 */
final class Instance {

    private static final int[][] NO_ROWS = {};

    private int[][][] rows;
    private int[] counts;
    /** The tables that have rows, in the order of their first row. */
    private int[] used;

    private int usedCount;
    private int added;

    Instance(int tables) {
        this.rows = new int[tables][][];
        Arrays.fill(rows, NO_ROWS);
        this.counts = new int[tables];
        this.used = new int[Math.min(tables, 8)];
    }

    private Instance(Instance other) {
        this.rows = other.rows.clone();
        for (int u = 0; u < other.usedCount; u++) {
            // The rows themselves are shared with the copy. They are arrays of node numbers; what
            // is learnt of a node is in the universe, which each case has for itself.
            int table = other.used[u];
            rows[table] = Arrays.copyOf(other.rows[table], other.counts[table]);
        }
        this.counts = other.counts.clone();
        this.used = other.used.clone();
        this.usedCount = other.usedCount;
        this.added = other.added;
    }

    Instance copy() {
        return new Instance(this);
    }

    int tables() {
        return rows.length;
    }

    int count(int table) {
        return counts[table];
    }

    /** How many tables have rows. */
    int usedTables() {
        return usedCount;
    }

    /** One of the tables that have rows. */
    int usedTable(int index) {
        return used[index];
    }

    /** Whether every one of the tables has a row. */
    boolean hasRowsInAll(int[] tables) {
        for (int table : tables) {
            if (counts[table] == 0) {
                return false;
            }
        }
        return true;
    }

    int[] row(int table, int index) {
        return rows[table][index];
    }

    /**
     * Rows ever added: tells whether something is new.
     *
     * <p>It does not go down when rows are removed, so that a removal never looks like "nothing new".
     */
    int added() {
        return added;
    }

    void add(int table, int[] row) {
        if (counts[table] == 0) {
            if (usedCount == used.length) {
                used = Arrays.copyOf(used, usedCount * 2);
            }
            used[usedCount++] = table;
        }
        if (counts[table] == rows[table].length) {
            rows[table] = Arrays.copyOf(rows[table], Math.max(4, counts[table] * 2));
        }
        rows[table][counts[table]++] = row;
        added++;
    }

    /**
     * Removes a row that another one of the table subsumes; the last row takes its place.
     *
     * <p>The order of rows is lost, which no rule relies on.
     */
    void remove(int table, int index) {
        counts[table]--;
        rows[table][index] = rows[table][counts[table]];
    }

    /** Puts another row in the place of one; the old one stays as it is, as other cases have it too. */
    void replace(int table, int index, int[] row) {
        rows[table][index] = row;
    }
}
