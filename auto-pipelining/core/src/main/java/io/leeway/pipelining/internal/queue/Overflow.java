package io.leeway.pipelining.internal.queue;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * What was put beyond the limit of a bounded queue, since its producer could not wait (see {@link Room}).
 *
 * <p>Order: while something is here, producers add here and not to the queue; the consumer moves it to the queue when that is
 * empty. So what one producer puts stays in its order, and a queue of one producer has one at any moment. Thread-safe.
 */
public final class Overflow {

    private final Queue<Object> items = new ArrayDeque<>();
    private volatile int size;

    /** How many are here. */
    public int size() {
        return size;
    }

    /** Whether something is here. */
    public boolean isUsed() {
        return size > 0;
    }

    /** Adds behind all that is here. Called by producers. */
    public synchronized void add(Object item) {
        items.add(item);
        size = items.size();
    }

    /** Moves as many to the queue as it takes. Called by the consumer. */
    public synchronized void moveTo(Queue<Object> queue) {
        Object next = items.peek();
        while (next != null && queue.offer(next)) {
            items.poll();
            next = items.peek();
        }
        size = items.size();
    }
}
