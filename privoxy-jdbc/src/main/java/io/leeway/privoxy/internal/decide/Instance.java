package io.leeway.privoxy.internal.decide;

import java.util.Arrays;

/**
 * The rows known to be in one of the two databases, by table number. A row is an array of nodes followed by its
 * generation: how many existence constraints led to it. Not thread-safe.
 */
final class Instance {

    private static final int[][] NO_ROWS = {};

    private int[][][] rows;
    private int[] counts;
    private int added;

    Instance(int tables) {
        this.rows = new int[tables][][];
        Arrays.fill(rows, NO_ROWS);
        this.counts = new int[tables];
    }

    private Instance(Instance other) {
        this.rows = other.rows.clone();
        for (int t = 0; t < rows.length; t++) {
            rows[t] = other.counts[t] == 0 ? NO_ROWS : Arrays.copyOf(other.rows[t], other.counts[t]);
        }
        this.counts = other.counts.clone();
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

    int[] row(int table, int index) {
        return rows[table][index];
    }

    /** Rows ever added: tells whether something is new. */
    int added() {
        return added;
    }

    void add(int table, int[] row) {
        if (counts[table] == rows[table].length) {
            rows[table] = Arrays.copyOf(rows[table], Math.max(4, counts[table] * 2));
        }
        rows[table][counts[table]++] = row;
        added++;
    }

    /** Removes a row that another one subsumes; the last row takes its place. */
    void remove(int table, int index) {
        counts[table]--;
        rows[table][index] = rows[table][counts[table]];
    }

    static int generation(int[] row) {
        return row[row.length - 1];
    }
}
