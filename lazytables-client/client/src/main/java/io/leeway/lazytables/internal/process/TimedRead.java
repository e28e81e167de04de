package io.leeway.lazytables.internal.process;

import io.leeway.lazytables.internal.client.WorkerCounters;

/**
 * A read that the worker's own cache did not answer, and how long it waits; the time is looked at only if it does. A
 * read that the process's cache answers takes so little that to look at the time twice would be a good part of it.
 */
final class TimedRead {

    private final WorkerCounters counters;
    private boolean waiting;
    private long since;

    TimedRead(WorkerCounters counters) {
        this.counters = counters;
        begin(counters);
    }

    /** Time is counted from the first read on. */
    static void begin(WorkerCounters counters) {
        if (!counters.hasBegun()) {
            counters.begin(System.nanoTime());
        }
    }

    /** The row is not there. */
    void waits() {
        // The first time counts: who is woken for something else goes on to wait.
        if (!waiting) {
            waiting = true;
            since = System.nanoTime();
        }
    }

    /**
     * The row is there. By whom says whether it had to wait: what had come before it was looked for was there.
     */
    void answered() {
        if (waiting) {
            counters.answeredByServer(System.nanoTime() - since);
        } else {
            counters.answeredByProcess();
        }
    }
}
