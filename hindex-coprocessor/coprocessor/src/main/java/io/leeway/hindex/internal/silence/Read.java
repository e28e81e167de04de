package io.leeway.hindex.internal.silence;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;

/** Who reads an index that does not answer. */
public enum Read implements SilentIndex {
    /** A page of a query. */
    PAGE(
            "a query, for a page of entries or of rows",
            "its own timeout, or `hindex.read.timeout` where a server asks",
            "it fails"),
    /** Each that asked would keep a handler for the whole limit, to learn the same. */
    WITHOUT(
            "a read of a server that can do without, after another failed",
            "5000 ms in which nobody asks",
            "the client does" + " the work, or the scan is not rewritten");

    /**
     * So long nobody asks who can do without; those who cannot ask all the time, and find out when it answers again.
     */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String who;
    private final String limit;
    private final String then;

    Read(String who, String limit, String then) {
        this.who = who;
        this.limit = limit;
        this.then = then;
    }

    /** Until when reads that can do without do not ask, if one has failed now. */
    public static long restUntil() {
        return System.nanoTime() + REST_NANOS;
    }

    /** What a query is told. */
    public static IOException failure(Duration timeout) {
        return new CallTimeoutException("the index did not answer within " + timeout.toMillis()
                + " ms; try again, or give the query a longer timeout");
    }

    @Override
    public String who() {
        return who;
    }

    @Override
    public String limit() {
        return limit;
    }

    @Override
    public String then() {
        return then;
    }
}
