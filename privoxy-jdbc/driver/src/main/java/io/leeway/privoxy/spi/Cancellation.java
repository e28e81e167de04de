package io.leeway.privoxy.spi;

import java.util.ArrayList;
import java.util.List;

/**
 * Stops a running check from another thread. Thread-safe.
 *
 * @since 0.1
 */
public final class Cancellation {

    private final List<Runnable> actions = new ArrayList<>();
    private boolean requested;

    /** A cancellation that nobody has requested yet. */
    public Cancellation() {}

    /** Whether the check is to stop. */
    public synchronized boolean isRequested() {
        return requested;
    }

    /** Stops the check, now or as soon as it starts. Actions run on this thread. */
    public synchronized void request() {
        if (!requested) {
            requested = true;
            actions.forEach(Runnable::run);
        }
    }

    /**
     * Runs {@code action} when cancellation is requested, at once if it already was. The action never runs after the
     * returned handle is closed, so it may use native objects that are freed then.
     */
    public synchronized Handle onRequest(Runnable action) {
        actions.add(action);
        if (requested) {
            action.run();
        }
        return () -> remove(action);
    }

    private synchronized void remove(Runnable action) {
        actions.remove(action);
    }

    /** Withdraws an action. */
    @FunctionalInterface
    public interface Handle extends AutoCloseable {
        @Override
        void close();
    }
}
