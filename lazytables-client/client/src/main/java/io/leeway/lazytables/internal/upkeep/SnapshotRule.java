package io.leeway.lazytables.internal.upkeep;

import java.time.Duration;

/**
 * When snapshots are taken.
 *
 * @param clocks after how many clocks; 0 for no such rule
 * @param interval after how long, if anything changed; zero for no such rule
 * @param retryFirst how long after a failure it is tried again; the pause doubles
 * @param retryMost the longest such pause
 */
record SnapshotRule(int clocks, Duration interval, Duration retryFirst, Duration retryMost) {

    static SnapshotRule of(int clocks, Duration interval) {
        return new SnapshotRule(clocks, interval, Duration.ofSeconds(1), Duration.ofMinutes(1));
    }
}
