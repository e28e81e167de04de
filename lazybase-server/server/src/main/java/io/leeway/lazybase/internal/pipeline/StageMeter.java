package io.leeway.lazybase.internal.pipeline;

import java.util.concurrent.atomic.LongAdder;

/** What a stage has done since the server began. Thread-safe. */
public final class StageMeter {

    private final LongAdder tasks = new LongAdder();
    private final LongAdder rows = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder cpuNanos = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder helped = new LongAdder();

    void done(long moreRows, long moreBytes, long moreCpuNanos) {
        tasks.increment();
        rows.add(moreRows);
        bytesOut.add(moreBytes);
        cpuNanos.add(moreCpuNanos);
    }

    void failed() {
        failures.increment();
    }

    void helped() {
        helped.increment();
    }

    /** Tasks, or ranges of them, that other processes did. */
    public long byOthers() {
        return helped.sum();
    }

    /** Tasks that were finished. */
    public long tasks() {
        return tasks.sum();
    }

    /** Rows that went into finished tasks. */
    public long rows() {
        return rows.sum();
    }

    /** Bytes that finished tasks wrote. */
    public long bytesOut() {
        return bytesOut.sum();
    }

    /** CPU time of the threads that did them. */
    public long cpuNanos() {
        return cpuNanos.sum();
    }

    /** Tasks that failed and were tried again. */
    public long failures() {
        return failures.sum();
    }
}
