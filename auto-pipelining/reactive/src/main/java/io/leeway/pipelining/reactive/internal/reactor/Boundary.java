package io.leeway.pipelining.reactive.internal.reactor;

import io.leeway.pipelining.internal.profile.ExecutionStack;
import io.leeway.pipelining.internal.queue.Room;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.atomic.SpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Fuseable;
import reactor.core.Scannable;
import reactor.util.context.Context;

/** Stands between two operators of a subscription, with or without a thread. */
final class Boundary implements CoreSubscriber<Object>, Fuseable.QueueSubscription<Object>, Scannable {

    /*
     * Signals come one after the other, that is Reactor's rule; so a port comes in between two of them without a pause: what
     * was given directly has returned when the next one is put into the queue. It goes likewise: the first signal after it was
     * asked to go waits until the queue is empty, and goes straight on.
     *
     * Demand passes through unchanged. Where the one who signals finds the queue full it waits: it would otherwise run the
     * operators behind the port itself. A port's thread that asks for more may be the one that signals it, from the source on
     * downwards. At its own boundary, and at those above it, it must not wait: it would wait for itself, or for one that waits
     * for it. What it signals there is within the demand that it asked for, and is put into the queue without limit. Nor must it
     * wait while the code that signals has a lock that the port's thread waits for.
     */

    private static final long LOST_WAKE_UP = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SPINS = 50;

    /** The end, in the queue; an error if there is one. */
    private record End(@Nullable Throwable error) {}

    final int id;
    final @Nullable Boundary next;
    private final Boundaries pipeline;
    private final CoreSubscriber<Object> actual;
    private final int capacity;

    private volatile @Nullable Port port;
    private volatile boolean wanted;
    private volatile boolean done;
    private volatile boolean cancelled;
    /** Written by the one who signals. */
    private volatile long taken;

    private @Nullable Subscription upstream;

    @SuppressWarnings("unchecked") // what is lifted has lost its type
    Boundary(Boundaries pipeline, int id, CoreSubscriber<?> actual, @Nullable Boundary next, int capacity) {
        this.pipeline = pipeline;
        this.id = id;
        this.actual = (CoreSubscriber<Object>) actual;
        this.next = next;
        this.capacity = capacity;
    }

    String operatorName() {
        return Scannable.from(actual).stepName();
    }

    long taken() {
        return taken;
    }

    boolean isDone() {
        return done || cancelled;
    }

    boolean isThreaded() {
        return wanted;
    }

    /** Puts a port in or asks it to go. Called by one thread. */
    void threaded(boolean now) {
        wanted = now;
        Port present = port;
        if (now && present == null) {
            var fresh = new Port();
            port = fresh;
            fresh.start();
        }
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        upstream = subscription;
        actual.onSubscribe(this);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // signals come one after the other
    public void onNext(Object value) {
        taken++;
        signal(value);
    }

    @Override
    public void onError(Throwable error) {
        signal(new End(error));
    }

    @Override
    public void onComplete() {
        signal(new End(null));
    }

    private void signal(Object signal) {
        Port present = port;
        if (present != null && !wanted && mayWait() && present.drain()) {
            present.leave();
            // Asked for again meanwhile: a fresh one comes with the next change.
            port = null;
            present = null;
        }
        if (present == null) {
            deliver(signal);
        } else {
            present.put(signal);
        }
    }

    private boolean mayWait() {
        if (Thread.currentThread() instanceof Port own) {
            for (Boundary below = this; below != null; below = below.next) {
                if (below == own.boundary()) {
                    return false;
                }
            }
        }
        return true;
    }

    private void deliver(Object signal) {
        if (signal instanceof End end) {
            done = true;
            if (end.error() == null) {
                actual.onComplete();
            } else {
                actual.onError(end.error());
            }
        } else if (pipeline.isProfiling()) {
            ExecutionStack stack = pipeline.stack();
            int before = stack.enter(id);
            try {
                actual.onNext(signal);
            } finally {
                stack.leave(before);
            }
        } else {
            actual.onNext(signal);
        }
    }

    @Override
    public void request(long n) {
        Subscription up = upstream;
        if (up != null) {
            up.request(n);
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        Subscription up = upstream;
        if (up != null) {
            up.cancel();
        }
        Port present = port;
        if (present != null) {
            present.leave();
        }
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    @SuppressWarnings("rawtypes") // as Reactor declares it
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.ACTUAL) {
            return actual;
        }
        return key == Attr.PARENT ? upstream : null;
    }

    // Nothing is fused across a boundary.

    @Override
    public int requestFusion(int mode) {
        return Fuseable.NONE;
    }

    @Override
    public @Nullable Object poll() {
        return null;
    }

    @Override
    public int size() {
        return 0;
    }

    @Override
    public boolean isEmpty() {
        return true;
    }

    @Override
    public void clear() {
        // Never holds anything for others.
    }

    /** The queue and its thread. */
    final class Port extends Thread {

        private final SpscUnboundedAtomicArrayQueue<Object> queue = new SpscUnboundedAtomicArrayQueue<>(256);
        private volatile boolean leaving;
        private volatile boolean asleep;
        private final Room room = new Room(this);
        /** Used by its own thread. */
        private boolean interruptKept;

        private volatile @Nullable Thread waiting;

        Port() {
            super("pipelining-reactor-" + id);
            setDaemon(true);
        }

        Boundary boundary() {
            return Boundary.this;
        }

        private void put(Object signal) {
            if (queue.size() >= capacity && mayWait()) {
                waitUntil(capacity / 2);
            }
            queue.offer(signal);
            if (asleep) {
                LockSupport.unpark(this);
            }
        }

        private boolean drain() {
            return waitUntil(0);
        }

        /** False if that cannot be waited for. */
        private boolean waitUntil(int most) {
            ExecutionStack stack = pipeline.stack();
            stack.waiting(true);
            boolean interrupted = false;
            waiting = Thread.currentThread();
            boolean stuck = false;
            while (!stuck && queue.size() > most && !cancelled && isAlive()) {
                stuck = room.waitsForCaller();
                if (!stuck) {
                    room.park(LOST_WAKE_UP);
                    interrupted |= Thread.interrupted();
                }
            }
            waiting = null;
            stack.waiting(false);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return !stuck;
        }

        private void leave() {
            leaving = true;
            LockSupport.unpark(this);
        }

        @Override
        public void run() {
            ExecutionStack stack = pipeline.stack();
            while (!leaving && !done) {
                Object signal = queue.peek();
                if (signal == null) {
                    idle(stack);
                } else {
                    if (interruptKept) {
                        interruptKept = false;
                        interrupt();
                    }
                    if (!cancelled) {
                        deliverGuarded(signal);
                    }
                    // After it was processed: an empty queue means that all is done.
                    queue.poll();
                    Thread waiter = waiting;
                    if (waiter != null && queue.size() <= capacity / 2) {
                        LockSupport.unpark(waiter);
                    }
                }
            }
            pipeline.gone(this);
        }

        /** What a subscriber throws against the rules must not end the thread without a word. */
        private void deliverGuarded(Object signal) {
            try {
                deliver(signal);
            } catch (Throwable e) {
                cancel();
                actual.onError(e);
            }
        }

        private void idle(ExecutionStack stack) {
            stack.waiting(true);
            for (int spin = 0; spin < SPINS && queue.isEmpty(); spin++) {
                Thread.onSpinWait();
            }
            asleep = true;
            if (queue.isEmpty() && !leaving) {
                LockSupport.parkNanos(LOST_WAKE_UP);
                // It is for the operators, and would let no wait last here.
                interruptKept |= Thread.interrupted();
            }
            asleep = false;
            stack.waiting(false);
        }
    }
}
