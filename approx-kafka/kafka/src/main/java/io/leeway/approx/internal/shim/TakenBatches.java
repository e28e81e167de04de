package io.leeway.approx.internal.shim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The last batches that were taken of each idempotent producer. What a producer sends a second time, since the answer to
 * the first did not reach it (the broker behind its connection was started anew, or the answer came too late), is answered
 * once more and not taken once more: what the broker does for exact topics.
 *
 * <p>As many are remembered a partition as a producer may have on their way, and only the producers that were heard of
 * last. Thread-safe: a producer comes back on another connection.
 */
final class TakenBatches {

    /** What brokers remember, and what idempotent producers have on their way at most. */
    private static final int REMEMBERED = 5;

    private static final int MOST_PARTITIONS = 20_000;

    /** Who sent a batch, to where, and which of its batches it is. */
    record Batch(long producer, short epoch, String topic, int partition, int sequence) {

        /** Whether its producer numbers what it sends. */
        boolean isNumbered() {
            return producer >= 0 && sequence >= 0;
        }

        private Writer writer() {
            return new Writer(producer, epoch, topic, partition);
        }
    }

    private record Writer(long producer, short epoch, String topic, int partition) {}

    private static final class Entry {
        final int sequence;
        boolean taken;

        Entry(int sequence) {
            this.sequence = sequence;
        }
    }

    private final Map<Writer, ArrayDeque<Entry>> writers = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Notes batches that are about to be taken.
     *
     * @return those that are new, in order; empty if one of them is about to be taken already, so that nobody can say yet
     *     whether it was: nothing is noted then
     */
    synchronized Optional<List<Batch>> begin(List<Batch> batches) {
        List<Batch> fresh = new ArrayList<>();
        for (Batch batch : batches) {
            Entry entry = find(batch);
            if (entry == null) {
                fresh.add(batch);
            } else if (!entry.taken) {
                return Optional.empty();
            }
        }
        fresh.forEach(this::note);
        return Optional.of(fresh);
    }

    /** Says what became of batches that {@link #begin} found new. */
    synchronized void end(List<Batch> batches, boolean taken) {
        for (Batch batch : batches) {
            Entry entry = find(batch);
            ArrayDeque<Entry> entries = writers.get(batch.writer());
            if (entry != null && taken) {
                entry.taken = true;
            } else if (entry != null && entries != null) {
                entries.remove(entry);
            }
        }
    }

    private @org.jspecify.annotations.Nullable Entry find(Batch batch) {
        ArrayDeque<Entry> entries = batch.isNumbered() ? writers.get(batch.writer()) : null;
        if (entries != null) {
            for (Entry entry : entries) {
                if (entry.sequence == batch.sequence()) {
                    return entry;
                }
            }
        }
        return null;
    }

    private void note(Batch batch) {
        if (!batch.isNumbered()) {
            return;
        }
        ArrayDeque<Entry> entries = writers.computeIfAbsent(batch.writer(), unused -> new ArrayDeque<>());
        entries.add(new Entry(batch.sequence()));
        if (entries.size() > REMEMBERED) {
            entries.remove();
        }
        if (writers.size() > MOST_PARTITIONS) {
            Iterator<Writer> oldest = writers.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }
}
