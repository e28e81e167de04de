package io.leeway.hindex.internal.load;

import io.leeway.hindex.internal.plan.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Loads that have ended, as long as compactions are at work that may not have read their files. Thread-safe.
 *
 * <p>Their files stay open, so that they can be read where HBase has moved them.
 */
final class EndedLoads {

    private final FileReads reads;
    private final List<Ended> loads = new ArrayList<>();
    /** Written under the lock, read without it by compactions and writes. */
    private volatile long number;

    /** Of a region whose files are read by these. */
    EndedLoads(FileReads reads) {
        this.reads = reads;
    }

    /** One, as the how manieth. */
    private record Ended(Load load, long number) {}

    /** How many there were. */
    long number() {
        return number;
    }

    /** Whether no compaction is at work that may leave entries of one. */
    synchronized boolean isEmpty() {
        return loads.isEmpty();
    }

    synchronized void add(Load load) {
        number++;
        loads.add(new Ended(load, number));
    }

    /**
     * Closes those whose files all compactions have read that are at work: so many.
     *
     * <p>In a thread of the loads: closing waits for reads that are at work.
     */
    synchronized void close(long seen) {
        for (Ended each : loads) {
            if (each.number <= seen) {
                reads.closeLater(each.load);
            }
        }
        loads.removeIf(each -> each.number <= seen);
    }

    /**
     * Which entries speak of versions that one has which ended after so many.
     *
     * <p>Nearly always no load has ended since, and nothing is read.
     */
    Set<Entry> hadSince(Collection<Entry> entries, long before) {
        if (number == before) {
            return Set.of();
        }
        List<Load> later;
        synchronized (this) {
            later = loads.stream()
                    .filter(each -> each.number > before)
                    .map(Ended::load)
                    .toList();
        }
        return Load.held(later, entries);
    }
}
