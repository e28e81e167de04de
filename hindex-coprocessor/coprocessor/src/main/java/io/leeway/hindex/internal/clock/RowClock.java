package io.leeway.hindex.internal.clock;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Timestamps that strictly increase for each row, so that no two writes of a cell share one.
 *
 * <p><b>Model.</b> Rows share stripes by their hash; a stripe holds the last timestamp given or seen. The next is the
 * wall clock's or, if that has not moved on, one more than the last: {@code max(now, last + 1)}, set by
 * compare-and-set. Nobody waits and nothing is allocated.
 *
 * <p><b>Drift.</b> A stripe that gives more than one timestamp a millisecond runs ahead of the wall clock, as after the
 * wall clock was set back. Beyond a bound the caller is made to pause, for a moment and at most once a call; then it
 * goes on, because a timestamp that is ahead is harmless and a write that hangs is not. How far ahead and how many
 * pauses is counted.
 *
 * <p><b>After a restart</b> no stripe knows what was given before. {@link #floor} sets what was found in the files.
 *
 * <p>Thread-safe.
 */
public final class RowClock {

    private final LongSupplier wallMillis;
    private final long maxAhead;
    private final Runnable pause;
    private final AtomicLongArray last;
    private final LongAdder pauses = new LongAdder();
    private volatile boolean behind;

    /**
     * A clock whose stripes have given nothing yet.
     *
     * @param stripes how many; a power of two
     * @param wallMillis the wall clock in milliseconds
     * @param maxAhead how many milliseconds a stripe may be ahead before its callers pause
     * @param pause waits for about a millisecond; may return at once
     */
    public RowClock(int stripes, LongSupplier wallMillis, long maxAhead, Runnable pause) {
        if (Integer.bitCount(stripes) != 1) {
            throw new IllegalArgumentException(stripes + " stripes; give a power of two");
        }
        if (maxAhead < 0) {
            throw new IllegalArgumentException("a bound of " + maxAhead + " ms; give 0 or more");
        }
        this.wallMillis = wallMillis;
        this.maxAhead = maxAhead;
        this.pause = pause;
        this.last = new AtomicLongArray(stripes);
    }

    /** The next timestamp for a row, above all that its stripe has given or seen. */
    public long next(byte[] row, int offset, int length) {
        return next(row, offset, length, wallMillis.getAsLong());
    }

    /**
     * The same with the time that somebody else has read just now: his, if it is above the row's. Never one that an
     * application has set: however far ahead that is, all rows of the stripe would follow it.
     */
    public long next(byte[] row, int offset, int length, long readNow) {
        int stripe = stripe(row, offset, length);
        long now = readNow;
        if (last.get(stripe) - now >= maxAhead) {
            pauses.increment();
            pause.run();
            now = Math.max(now, wallMillis.getAsLong());
        }
        while (true) {
            long before = last.get(stripe);
            long next = Math.max(now, before + 1);
            if (last.compareAndSet(stripe, before, next)) {
                return next;
            }
        }
    }

    /**
     * Takes note of a timestamp that an application has set itself. One further ahead than the bound is left alone: it
     * would drag all rows of the stripe after it.
     *
     * @return whether the clock will stay above it
     */
    public boolean saw(byte[] row, int offset, int length, long ts) {
        if (isTooFarAhead(ts)) {
            return false;
        }
        last.accumulateAndGet(stripe(row, offset, length), ts, Math::max);
        return true;
    }

    /**
     * Takes note of a timestamp that an application has set itself, as {@link #saw} does.
     *
     * @return whether it is above all that the row's stripe has given or seen: then no cell of the row has it
     */
    public boolean isFirst(byte[] row, int offset, int length, long ts) {
        if (isTooFarAhead(ts)) {
            return false;
        }
        return last.getAndAccumulate(stripe(row, offset, length), ts, Math::max) < ts;
    }

    /**
     * Sets the lowest last timestamp of all stripes, as when a region is opened: the highest in its files.
     *
     * @return whether it was taken; one further ahead than the bound is not
     */
    public boolean floor(long ts) {
        if (isTooFarAhead(ts)) {
            return false;
        }
        for (int stripe = 0; stripe < last.length(); stripe++) {
            last.accumulateAndGet(stripe, ts, Math::max);
        }
        return true;
    }

    private boolean isTooFarAhead(long ts) {
        boolean tooFar = ts - wallMillis.getAsLong() > maxAhead;
        if (tooFar) {
            behind = true;
        }
        return tooFar;
    }

    /** Whether it was told of a timestamp that was too far ahead: then rows may have had later ones than it gives. */
    public boolean isBehind() {
        return behind;
    }

    /** How many milliseconds the furthest stripe is ahead of the wall clock; 0 if none is. */
    public long ahead() {
        long now = wallMillis.getAsLong();
        long ahead = 0;
        for (int stripe = 0; stripe < last.length(); stripe++) {
            ahead = Math.max(ahead, last.get(stripe) - now);
        }
        return ahead;
    }

    /** How many calls were made to pause. */
    public long pauses() {
        return pauses.sum();
    }

    private int stripe(byte[] row, int offset, int length) {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + row[i];
        }
        hash ^= hash >>> 16;
        hash *= 0x45D9F3B;
        return (hash ^ hash >>> 16) & last.length() - 1;
    }
}
