package io.leeway.lazytables.internal.client;

import java.util.ArrayList;
import java.util.List;

/**
 * What a worker counts in plain numbers that its thread alone changes: a read that hits adds one to one of them. Others
 * see them as they were at the end of its last clock, when {@link #publish} copied them under the process's lock.
 */
public final class WorkerCounters {

    /**
     * Reads that are this many clocks behind are counted together with those that are more. A clock behind by more is
     * what nobody tells apart any more, and each number costs a place in each worker.
     */
    public static final int FURTHEST = 33;

    // One array for all, so that they are published by one copy.
    private static final int BY_PROCESS = FURTHEST + 1;
    private static final int BY_SERVER = FURTHEST + 2;
    private static final int WAITED = FURTHEST + 3;
    private static final int COMPUTED = FURTHEST + 4;
    private static final int SIZE = FURTHEST + 5;

    private final long[] own = new long[SIZE];
    private final long[] published = new long[SIZE];

    private boolean begun;
    private long since;
    private long waitedBefore;

    /** A read was answered with a row that is so many clocks behind. */
    void served(int behind) {
        own[behind < 0 ? 0 : Math.min(behind, FURTHEST)]++;
    }

    /**
     * Time is counted from here on, if it is not counted yet. So not from the worker's making: what a program does
     * before its first read is not work of a clock.
     */
    public void begin(long nanos) {
        if (!begun) {
            begun = true;
            since = nanos;
        }
    }

    /** Whether time is counted. */
    public boolean hasBegun() {
        return begun;
    }

    /** A read was answered by the cache that the process's workers share. */
    public void answeredByProcess() {
        own[BY_PROCESS]++;
    }

    /** A read was answered by a server after a wait. */
    public void answeredByServer(long waitedNanos) {
        own[BY_SERVER]++;
        waited(waitedNanos);
    }

    /** It waited, and did no work meanwhile. */
    public void waited(long nanos) {
        own[WAITED] += nanos;
    }

    /** A clock ends now: what was not waited since the last one was work. */
    public void clockEnds(long nanos) {
        begin(nanos);
        // What is not waited is taken for work: also what the thread did outside of the library, which is the
        // program's.
        own[COMPUTED] += nanos - since - (own[WAITED] - waitedBefore);
        since = nanos;
        waitedBefore = own[WAITED];
    }

    /** Lets others see all that was counted; under the process's lock, as what follows. */
    public void publish() {
        System.arraycopy(own, 0, published, 0, SIZE);
    }

    void addStaleness(long[] sums) {
        for (int i = 0; i <= FURTHEST; i++) {
            sums[i] += published[i];
        }
    }

    long byProcess() {
        return published[BY_PROCESS];
    }

    long byServer() {
        return published[BY_SERVER];
    }

    /** The time that reads and clocks waited, up to the worker's last clock. */
    public long waitNanos() {
        return published[WAITED];
    }

    /** The time of all else, up to the worker's last clock. */
    public long computeNanos() {
        return published[COMPUTED];
    }

    /** As a list. */
    static List<Long> listed(long[] sums) {
        var list = new ArrayList<Long>(sums.length);
        for (long sum : sums) {
            list.add(sum);
        }
        return list;
    }
}
