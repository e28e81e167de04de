package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.objects.ObjectIterator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers to reads within a radius that a process keeps, of a table: for each row those that a worker's read may
 * still find good enough. Few for each row: readers at one clock share an answer, and what no reader can be nearest to
 * any more goes at once. Guarded by the process's lock.
 */
final class BallRows {

    private final Long2ObjectOpenHashMap<Kept> rows = new Long2ObjectOpenHashMap<>();

    /**
     * The answer that is nearest to what a reader at this clock asks for, if no more clocks than that are missing or
     * too many; else null.
     */
    @Nullable
    BallRow find(long key, int clock, long allowed) {
        Kept kept = rows.get(key);
        if (kept == null) {
            return null;
        }
        // Also one of a later clock, for a worker that is behind: what it has too much counts like what is missing.
        BallRow nearest = nearest(kept.answers, clock, Integer.MAX_VALUE);
        if (nearest == null || nearest.apart(clock) > allowed) {
            return null;
        }
        kept.usedAt = Math.max(kept.usedAt, clock);
        return nearest;
    }

    /** Keeps an answer. All workers of the process have completed the clock that is named. */
    void add(long key, BallRow answer, int processClock) {
        Kept kept = rows.computeIfAbsent(key, k -> new Kept());
        // A later answer for the same clock holds no less.
        kept.answers.removeIf(other -> other.clock() == answer.clock());
        kept.answers.add(answer);
        kept.usedAt = Math.max(kept.usedAt, answer.clock());
        // No reader is at an earlier clock any more, so that of these answers one is the nearest for all readers.
        BallRow nearest = nearest(kept.answers, processClock, processClock);
        kept.answers.removeIf(other -> other.clock() <= processClock && !other.equals(nearest));
    }

    /** Adds what the process did in the clock that it completes. */
    void apply(RowLog log) {
        Kept kept = rows.get(log.key());
        if (kept != null) {
            // To all of them: each holds this process's clocks up to the process's clock, which goes on by one.
            kept.answers.forEach(answer -> log.applyTo(answer.values()));
        }
    }

    int size() {
        return rows.size();
    }

    /** Drops rows that were used before this clock; at most so many. Returns how many went. */
    int dropUsedBefore(int clock, int most) {
        int dropped = 0;
        for (ObjectIterator<Kept> all = rows.values().iterator(); all.hasNext() && dropped < most; ) {
            // Nobody waits for one of these: what is asked for is in BallQuestions, and an answer makes the row anew.
            if (all.next().usedAt < clock) {
                all.remove();
                dropped++;
            }
        }
        return dropped;
    }

    private static @Nullable BallRow nearest(List<BallRow> answers, int clock, int newest) {
        BallRow nearest = null;
        for (BallRow answer : answers) {
            if (answer.clock() <= newest && (nearest == null || answer.apart(clock) < nearest.apart(clock))) {
                nearest = answer;
            }
        }
        return nearest;
    }

    /** The answers for a row. */
    private static final class Kept {

        final List<BallRow> answers = new ArrayList<>(2);
        /** The clock of the worker that used it last. */
        int usedAt;
    }
}
