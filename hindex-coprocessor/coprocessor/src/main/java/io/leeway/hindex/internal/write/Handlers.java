package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.silence.Wait;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/*
 * Model: a write keeps its handler while it waits for its index, and so does a bulk load. Where an index does not answer, all handlers of a server would
 * soon wait for it, and nobody would serve writes of other tables. So those of one table have three of four handlers at most;
 * further ones wait for a moment and are refused then, see Wait.HANDLER.
 *
 * Cost: one atomic number more for each batch.
 */
/** How many handlers of a server may wait for the indexes of one table. Thread-safe. */
public final class Handlers {

    /** Of one table. Several tables together may have all: then nobody is left out who could be served. */
    private final int most;

    private final Map<TableName, Semaphore> ofTables = new HashMap<>();

    private Handlers(int most) {
        this.most = most;
    }

    /**
     * Of a server with this configuration.
     *
     * <p>At least one, for servers with a single handler, as in tests.
     */
    static Handlers of(Configuration server) {
        int all = server.getInt(HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
        return new Handlers(Math.max(1, all * 3 / 4));
    }

    /** Those for one table, whose regions share them. */
    synchronized OfTable of(TableName table) {
        return new OfTable(table, ofTables.computeIfAbsent(table, none -> new Semaphore(most)));
    }

    /** What may wait for an index. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws IOException;
    }

    /** What may wait for an index, and has a result. */
    @FunctionalInterface
    interface Question<T> {
        /** Does it. */
        T answer() throws IOException;
    }

    /** The handlers that may wait for the indexes of a table. */
    public static final class OfTable {

        private final TableName table;
        private final Semaphore free;

        private OfTable(TableName table, Semaphore free) {
            this.table = table;
            this.free = free;
        }

        /**
         * Does what may wait, on one of them.
         *
         * <p>Not to be called within itself: a thread that took a second place could wait for those that wait for it.
         *
         * @throws IOException if all wait; nothing is done then
         */
        public void run(Work work) throws IOException {
            take();
            try {
                work.run();
            } finally {
                free.release();
            }
        }

        /** The same with a result. */
        <T> T get(Question<T> question) throws IOException {
            take();
            try {
                return question.answer();
            } finally {
                free.release();
            }
        }

        private void take() throws IOException {
            Wait.HANDLER.await(0, table, millis -> free.tryAcquire(millis, TimeUnit.MILLISECONDS));
        }
    }
}
