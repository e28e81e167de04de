package io.leeway.privoxy.internal.driver;

import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One thread at a time: what is checked may not be changed by another thread before it is run. A statement's turn is for
 * its parameters and options, a session's for settings and transaction, a result's for its position; whoever needs two
 * takes them in this order: result, statement, session. Drivers have one lock of a connection for the same, so nobody
 * waits here who would not wait there.
 */
final class Turn {

    private final ReentrantLock lock = new ReentrantLock();

    /** Something that may not be interrupted by another thread. */
    @FunctionalInterface
    interface Step<R> {
        R now() throws SQLException;
    }

    /** Something of which nothing comes back. */
    @FunctionalInterface
    interface Deed {
        void now() throws SQLException;
    }

    /** Something of which perhaps nothing comes back. */
    @FunctionalInterface
    interface Search<R> {
        @Nullable
        R now() throws SQLException;
    }

    <R> @Nullable R look(Search<R> search) throws SQLException {
        lock.lock();
        try {
            return search.now();
        } finally {
            lock.unlock();
        }
    }

    <R> R alone(Step<R> step) throws SQLException {
        lock.lock();
        try {
            return step.now();
        } finally {
            lock.unlock();
        }
    }

    void run(Deed deed) throws SQLException {
        lock.lock();
        try {
            deed.now();
        } finally {
            lock.unlock();
        }
    }
}
