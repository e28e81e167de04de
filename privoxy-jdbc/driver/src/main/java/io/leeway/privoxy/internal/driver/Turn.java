package io.leeway.privoxy.internal.driver;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One thread at a time: what is checked may not be changed by another thread before it is run. A statement's turn is
 * for its parameters and options, a session's for settings and transaction, a result's for its position; whoever needs
 * two takes them in this order: result, statement, session. Drivers have one lock of a connection for the same, so
 * nobody waits here who would not wait there.
 *
 * <p>Another thread could set a parameter between the check of a statement and its run, and read what it may not
 * ({@code AttackerCasesIT.whatIsCheckedIsRunWhateverAnotherThreadSetsMeanwhile}). The order is fixed so that two
 * threads cannot wait for each other. A lock that may be taken again by its owner, as methods of a statement call each
 * other.
 */
final class Turn {

    private final ReentrantLock lock = new ReentrantLock();

    /**
     * Says whether nobody has a turn any more; null as long as it goes on.
     *
     * <p>A question and not a flag: whether a closed handle refuses depends on the real connection, which says it
     * better where it can.
     */
    private volatile @Nullable Step<Boolean> end;

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

    /**
     * Nobody has a turn from now on, as far as this says so.
     *
     * <p>Without taking the lock: who closes must not wait for a statement that hangs.
     */
    void end(Step<Boolean> refuses) {
        end = refuses;
    }

    boolean isOver() {
        return end != null;
    }

    void demandGoesOn() throws SQLException {
        Step<Boolean> refuses = end;
        if (refuses != null && refuses.now()) {
            throw new SQLNonTransientConnectionException("The connection is closed.", "08003");
        }
    }

    <R> @Nullable R look(Search<R> search) throws SQLException {
        lock.lock();
        try {
            demandGoesOn();
            return search.now();
        } finally {
            lock.unlock();
        }
    }

    <R> R alone(Step<R> step) throws SQLException {
        lock.lock();
        try {
            // Within the lock, so that nothing begins after the end.
            demandGoesOn();
            return step.now();
        } finally {
            lock.unlock();
        }
    }

    void run(Deed deed) throws SQLException {
        lock.lock();
        try {
            demandGoesOn();
            deed.now();
        } finally {
            lock.unlock();
        }
    }
}
