package io.leeway.hindex.internal.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits of operators' work, all of them limited. What servers wait for is in {@code internal.silence}. Without state.
 */
final class Waits {

    /** Between two questions to a server. */
    private static final Duration POLL = Duration.ofMillis(100);

    private Waits() {}

    /** A condition that asks a server. */
    @FunctionalInterface
    interface Condition {
        /** Whether it is so now. */
        boolean isMet() throws IOException;
    }

    /**
     * Waits for something that a server does.
     *
     * <p>The limit ends the waiting, not what HBase does: a procedure of the master cannot be called back.
     */
    static void until(Future<?> done, Duration limit, String what) throws IOException {
        try {
            done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException("HBase could not " + what, e);
        } catch (TimeoutException e) {
            throw new IOException("HBase did not " + what + " within " + limit + "; try again", e);
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    /** Asks until it is so, or the limit is reached. */
    static boolean until(Condition condition, Duration limit) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.isMet()) {
            if (System.nanoTime() >= end) {
                return false;
            }
            pause(POLL);
        }
        return true;
    }

    /**
     * Lets time pass, for a throttle or between two attempts.
     *
     * <p>Parking may end early for no reason, so the clock is looked at.
     */
    static void pause(Duration time) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw interrupted("wait", new InterruptedException());
            }
        }
    }

    private static IOException interrupted(String what, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted before HBase could " + what, e);
    }
}
