package io.leeway.benchmarks.hindex;

import java.util.List;

/**
 * A table, perhaps with an index, in some server. One thread at a time.
 *
 * <p>Its client is the one that its users have; what the server spends is measured, see {@link #usage()}.
 */
interface Store extends AutoCloseable {

    /** As it is called in the results. */
    String name();

    /** What its server has used up to now. */
    Usage usage();

    /** The same store for another thread; to be closed before this one, which leaves the table where it is. */
    Store session() throws Exception;

    /** Writes all as one batch; each is in the store, and in its index, when this returns. */
    void put(List<Row> rows) throws Exception;

    /** The number of rows with this value, by the index. */
    int readValue(String value) throws Exception;

    /** Reads one row by its key; whether it is there. */
    boolean readKey(String key) throws Exception;

    /** Makes of what is in memory, and of many files, one file of the rows, where the store has such. */
    void settle() throws Exception;

    @Override
    void close() throws Exception;
}
