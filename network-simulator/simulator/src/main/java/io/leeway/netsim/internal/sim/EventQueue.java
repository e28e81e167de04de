package io.leeway.netsim.internal.sim;

import java.util.Arrays;

/**
 * Events by time; of those at the same time, the one that was added first comes first.
 *
 * <p>A heap with four children a node in one array of primitives: three words an event, no object. Four children halve
 * the depth, and a node's children lie side by side. Not thread-safe: one simulation is one thread.
 */
public final class EventQueue {

    private static final int WORDS = 3;

    private long[] heap = new long[WORDS * 1024];
    private int size;
    private long sequence;
    private long now;
    private long handled;
    private long data;

    /** The time of the event polled last, in picoseconds. */
    public long now() {
        return now;
    }

    /** How many events were polled. */
    public long handled() {
        return handled;
    }

    /** How many events wait. */
    public int size() {
        return size;
    }

    /**
     * Adds an event.
     *
     * @param time picoseconds, not before {@link #now()}
     * @param kind 0 to 15
     * @param a 0 to 2^28 - 1
     * @param b any
     */
    public void add(long time, int kind, int a, int b) {
        if (time < now) {
            throw new IllegalArgumentException("an event at " + time + " ps, which is past: it is " + now + " ps");
        }
        if ((size + 1) * WORDS > heap.length) {
            heap = Arrays.copyOf(heap, heap.length * 2);
        }
        int hole = size++;
        long order = sequence++;
        while (hole > 0) {
            int parent = (hole - 1) >> 2;
            // The new one has the highest number: at equal times it stays below.
            if (heap[parent * WORDS] <= time) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, time, order, (long) kind << 60 | (long) a << 32 | b & 0xFFFF_FFFFL);
    }

    /** Takes the next event, whose parts {@link #kind()}, {@link #a()} and {@link #b()} tell; false if there is none. */
    public boolean poll() {
        if (size == 0) {
            return false;
        }
        now = heap[0];
        data = heap[2];
        handled++;
        size--;
        if (size > 0) {
            int last = size * WORDS;
            sink(heap[last], heap[last + 1], heap[last + 2]);
        }
        return true;
    }

    /** The kind of the event polled last. */
    public int kind() {
        return (int) (data >>> 60);
    }

    /** The first number of the event polled last. */
    public int a() {
        return (int) (data >>> 32) & 0xFFF_FFFF;
    }

    /** The second number of the event polled last. */
    public int b() {
        return (int) data;
    }

    private void sink(long time, long order, long what) {
        int hole = 0;
        while (true) {
            int first = hole * 4 + 1;
            if (first >= size) {
                break;
            }
            int least = first;
            int end = Math.min(first + 4, size);
            for (int child = first + 1; child < end; child++) {
                if (before(child, least)) {
                    least = child;
                }
            }
            long leastTime = heap[least * WORDS];
            if (time < leastTime || time == leastTime && order < heap[least * WORDS + 1]) {
                break;
            }
            move(least, hole);
            hole = least;
        }
        put(hole, time, order, what);
    }

    private boolean before(int one, int other) {
        long a = heap[one * WORDS];
        long b = heap[other * WORDS];
        return a < b || a == b && heap[one * WORDS + 1] < heap[other * WORDS + 1];
    }

    private void move(int from, int to) {
        int source = from * WORDS;
        int target = to * WORDS;
        heap[target] = heap[source];
        heap[target + 1] = heap[source + 1];
        heap[target + 2] = heap[source + 2];
    }

    private void put(int at, long time, long order, long what) {
        int target = at * WORDS;
        heap[target] = time;
        heap[target + 1] = order;
        heap[target + 2] = what;
    }
}
