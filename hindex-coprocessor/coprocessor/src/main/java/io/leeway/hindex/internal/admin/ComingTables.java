package io.leeway.hindex.internal.admin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.TableName;

/*
 * The tables for entries are made before their base table, so for a moment they look like what a base table has left behind
 * that is gone: above all where a table is dropped and created again at once, while the first is still tidied up.
 */
/**
 * Base tables that will be there in a moment. The master's observer tells it, {@link Reconciler} asks it; there is one
 * in a master, and one that nobody tells elsewhere. Thread-safe.
 */
public final class ComingTables {

    /** For what is being taken away: the request of a client waits behind it. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** HBase creates a table within this time, or does not. */
    private static final long COMING_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Who had rights to tables of indexes that are made again. */
    private final Grants grants = new Grants();

    /** For all tables: taking away is rare, and none may begin between the question and the deletion. */
    private final ReentrantLock tidying = new ReentrantLock();

    private final Map<TableName, Long> since = new HashMap<>();

    /** None. */
    public ComingTables() {}

    Grants grants() {
        return grants;
    }

    /** Takes tables away. */
    @FunctionalInterface
    interface Deletion {
        /** Does it. */
        void run() throws IOException;
    }

    /**
     * A table is about to be created; what has begun to be taken away is so when this returns.
     *
     * <p>So its tables of entries are made after that, and not taken for those that are to go.
     */
    void expect(TableName base) throws IOException {
        locked(base, () -> since.put(base, System.nanoTime()));
    }

    /** A table is gone, or about to be. */
    void forget(TableName base) throws IOException {
        locked(base, () -> since.remove(base));
    }

    /**
     * Takes away what a table has left behind.
     *
     * @return false, and nothing is done, if that table is about to be created
     */
    boolean unlessExpected(TableName base, Deletion deletion) throws IOException {
        var done = new boolean[1];
        locked(base, () -> {
            Long begun = since.get(base);
            done[0] = begun == null || System.nanoTime() - begun > COMING_NANOS;
            if (done[0]) {
                since.remove(base);
                deletion.run();
            }
        });
        return done[0];
    }

    private void locked(TableName base, Deletion work) throws IOException {
        try {
            if (!tidying.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("what earlier tables left behind is still being removed; try " + base + " again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted before " + base + " was dealt with").initCause(e);
        }
        try {
            work.run();
        } finally {
            tidying.unlock();
        }
    }
}
