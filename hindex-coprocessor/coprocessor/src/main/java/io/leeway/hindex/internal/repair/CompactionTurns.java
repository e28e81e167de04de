package io.leeway.hindex.internal.repair;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which region of a server may have the next compaction that reads ask for: one at a time, and the one first whose
 * obsolete entries cost reads most. Thread-safe.
 */
public final class CompactionTurns {

    /**
     * A turn that nobody gives back ends by itself.
     *
     * <p>HBase does not always say that a compaction that it was asked for has come to nothing.
     */
    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

    /** Who has not asked for so long does not want it any more, as a region that has moved. */
    private static final long WAITING_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private final Map<Object, Wish> waiting = new HashMap<>();
    /** By identity, as those that wait. */
    private @Nullable Object holder;

    private long takenAt;

    CompactionTurns(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** How much it costs reads, and when that was said last. */
    private record Wish(long cost, long at) {}

    /**
     * The turns of one server.
     *
     * @param sharedInJvm what HBase shares between all coprocessors of one class, also those of other servers in the
     *     JVM
     */
    public static CompactionTurns of(Map<String, Object> sharedInJvm, String server) {
        // A jar that is loaded from two paths has two classes of this name.
        String key = "compactions " + server + "@" + System.identityHashCode(CompactionTurns.class);
        return (CompactionTurns) sharedInJvm.computeIfAbsent(key, none -> new CompactionTurns(System::nanoTime));
    }

    /**
     * Asks for the turn; who does not get it may ask again.
     *
     * <p>Nobody is woken up: reads ask again each second while they meet obsolete entries.
     */
    synchronized boolean take(Object who, long cost) {
        long now = nanoTime.getAsLong();
        waiting.values().removeIf(wish -> now - wish.at > WAITING_NANOS);
        boolean free = holder == null || now - takenAt > LONGEST_NANOS;
        boolean first =
                waiting.entrySet().stream().allMatch(other -> other.getKey() == who || other.getValue().cost <= cost);
        if (free && first) {
            waiting.remove(who);
            holder = who;
            takenAt = now;
            return true;
        }
        waiting.put(who, new Wish(cost, now));
        return false;
    }

    /** Gives it back, if this one has it. */
    synchronized void give(Object who) {
        waiting.remove(who);
        if (holder == who) {
            holder = null;
        }
    }
}
