package io.leeway.pipelining.graph.internal.run;

import io.leeway.pipelining.internal.queue.Overflow;
import io.leeway.pipelining.internal.queue.Room;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
import org.jctools.queues.atomic.SpscAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/** A threaded port: a bounded queue in front of an operator, and the thread that empties it. */
final class PortWorker extends Worker {

    /*
     * One producer where one thread leads to the operator, else several. A tuple leaves the queue before it is processed; the
     * worker has no tuple when it rests.
     *
     * Back-pressure: who finds the queue full parks until half of it is free; else the two threads take turns at every tuple.
     *
     * Throttled, a queue takes no more than two tuples: so that it is nearly empty when the flow is stopped to take it out, and
     * the stop is short.
     *
     * Who cannot wait, since its operator has a lock that this thread waits for, puts its tuple beyond the limit.
     */

    /** A tuple with the input that it came to, where there are several. */
    private record Arrival(int input, Object tuple) {}

    private static final int SPINS = 50;
    private static final int THROTTLED = 2;
    /** The smallest queue of one producer; of several, it could be smaller, and what waits would not fit where it moves to. */
    private static final int SMALLEST = 4;

    private final Node node;
    private final boolean severalInputs;
    private final int capacity;
    private final Overflow overflow = new Overflow();
    private final Room room = new Room(this);
    private volatile Queue<Object> queue;
    private volatile boolean throttled;
    private volatile boolean asleep;
    private volatile boolean crowded;
    private volatile @Nullable Thread waitingForRoom;

    PortWorker(GraphRun run, Node node, boolean severalInputs, int producers, int capacity, int nodes) {
        super(run, node.id, "pipelining-port-" + node.id, nodes);
        this.node = node;
        this.severalInputs = severalInputs;
        this.capacity = Math.max(capacity, SMALLEST);
        this.queue = queue(producers, this.capacity);
    }

    private static Queue<Object> queue(int producers, int capacity) {
        return producers <= 1 ? new SpscAtomicArrayQueue<>(capacity) : new MpscAtomicArrayQueue<>(capacity);
    }

    /** Other threads lead to it now. Called while all workers rest. */
    void producers(int producers) {
        Queue<Object> present = queue;
        boolean single = present instanceof SpscAtomicArrayQueue;
        if (single != (producers <= 1)) {
            Queue<Object> fresh = queue(producers, capacity);
            Object tuple = present.poll();
            while (tuple != null) {
                fresh.add(tuple);
                tuple = present.poll();
            }
            queue = fresh;
        }
    }

    void throttle(boolean now) {
        throttled = now;
        LockSupport.unpark(waitingForRoom);
    }

    int waiting() {
        return queue.size() + overflow.size();
    }

    // Producers' threads.

    void put(Worker producer, int input, Object tuple) {
        Object item = severalInputs ? new Arrival(input, tuple) : tuple;
        if (throttled || overflow.isUsed() || !queue.offer(item)) {
            waitForRoom(producer, item);
        }
        if (asleep) {
            LockSupport.unpark(this);
        }
    }

    private void waitForRoom(Worker producer, Object item) {
        producer.stack.waiting(true);
        crowded = true;
        try {
            while (!offerIfRoomy(item) && !overflowIfStuck(item)) {
                waitingForRoom = producer;
                if (waiting() > roomy()) {
                    room.park(LOST_WAKE_UP);
                    producer.keepInterrupt();
                }
                run.throwIfCancelled();
            }
        } finally {
            crowded = false;
            producer.stack.waiting(false);
            producer.giveInterruptBack();
        }
    }

    private boolean offerIfRoomy(Object item) {
        if (waiting() > roomy()) {
            return false;
        }
        if (overflow.isUsed()) {
            overflow.add(item);
            return true;
        }
        return queue.offer(item);
    }

    private boolean overflowIfStuck(Object item) {
        boolean stuck = room.waitsForCaller();
        if (stuck) {
            overflow.add(item);
        }
        return stuck;
    }

    private int roomy() {
        return throttled ? THROTTLED : capacity / 2;
    }

    // Its own thread.

    @Override
    void work() throws Exception {
        while (true) {
            restIfAsked();
            run.throwIfCancelled();
            Object item = next();
            if (item != null) {
                if (crowded && waiting() <= roomy()) {
                    LockSupport.unpark(waitingForRoom);
                }
                take(item);
            } else if (endIfAsked()) {
                emptyQueue();
                return;
            } else {
                idle();
            }
        }
    }

    /** Since it looked, and before it was asked to end, tuples may have come; nobody puts any more. */
    private void emptyQueue() {
        Object item = next();
        while (item != null) {
            run.throwIfCancelled();
            take(item);
            item = next();
        }
    }

    private @Nullable Object next() {
        Object item = queue.poll();
        if (item == null && overflow.isUsed()) {
            overflow.moveTo(queue);
            item = queue.poll();
        }
        return item;
    }

    private void take(Object item) {
        giveInterruptBack();
        if (item instanceof Arrival arrival && severalInputs) {
            node.process(this, arrival.input(), arrival.tuple());
        } else {
            node.process(this, 0, item);
        }
    }

    private void idle() {
        stack.waiting(true);
        for (int spin = 0; spin < SPINS && waiting() == 0; spin++) {
            Thread.onSpinWait();
        }
        asleep = true;
        if (waiting() == 0 && order() == Order.RUN) {
            LockSupport.parkNanos(LOST_WAKE_UP);
            keepInterrupt();
        }
        asleep = false;
        stack.waiting(false);
    }
}
