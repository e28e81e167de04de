package io.leeway.lazybase.internal.pipeline;

import java.util.Map;

/**
 * Consecutive SCUs that are sorted, and perhaps merged, and not in the authority yet.
 *
 * @param first number of the first SCU
 * @param last number of the last SCU
 * @param level 0 if sorted, then one more for each merge
 * @param minTime of the first commit
 * @param maxTime of the last commit
 * @param runs for each table's number its run, in the order of the primary key
 */
public record Flight(long first, long last, int level, long minTime, long maxTime, Map<Integer, RunInfo> runs) {

    public Flight {
        runs = Map.copyOf(runs);
    }

    /** Rows of all tables. */
    public long rows() {
        return runs.values().stream().mapToLong(RunInfo::rows).sum();
    }

    /** Bytes of all tables. */
    public long bytes() {
        return runs.values().stream().mapToLong(RunInfo::bytes).sum();
    }
}
