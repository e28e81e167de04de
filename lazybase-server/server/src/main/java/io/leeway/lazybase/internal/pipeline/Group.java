package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.column.Batch;
import java.util.Map;

/**
 * Commits that were made durable together. No reader sees a part of them.
 *
 * @param time when they were accepted, in milliseconds; never before that of an earlier group
 * @param batches the updates of each table's number, in the order of the commits
 */
record Group(long time, Map<Integer, Batch> batches) {

    long rows() {
        return batches.values().stream().mapToLong(Batch::rows).sum();
    }

    long memory() {
        return batches.values().stream().mapToLong(Batch::memory).sum();
    }
}
