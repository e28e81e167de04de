package io.leeway.pipelining.graph.internal.run;

import io.leeway.pipelining.PipeliningError;
import io.leeway.pipelining.internal.profile.ExecutionStack;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that runs operators, and can be brought to rest between two tuples. */
abstract class Worker extends Thread {

    /*
     * Rest: who changes the graph asks workers for it, those upstream first, and waits until each rests or has ended. A worker
     * rests only when no operator is on its stack. All that the changer writes before it lets them go is seen by them, through
     * the volatile flag.
     */

    /** What a worker that has been asked for is to do. */
    enum Order {
        RUN,
        REST,
        END,
        /** It found its queue empty, takes what came since, and ends: it can no longer be asked for anything else. */
        ENDING
    }

    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);
    static final long LOST_WAKE_UP = 1_000_000L;

    final int head;
    final GraphRun run;
    final ExecutionStack stack = new ExecutionStack();
    private final long[] entered;

    private final AtomicReference<Order> order = new AtomicReference<>(Order.RUN);
    /** Somebody interrupted it while it had no operator on its stack. Used by its own thread. */
    private boolean interruptKept;

    private volatile boolean resting;
    private volatile boolean ended;
    private volatile @Nullable Thread changer;

    Worker(GraphRun run, int head, String name, int nodes) {
        super(name);
        this.run = run;
        this.head = head;
        this.entered = new long[nodes];
        setDaemon(true);
    }

    /** The worker that runs this code. */
    static Worker current() {
        if (Thread.currentThread() instanceof Worker worker) {
            return worker;
        }
        throw PipeliningError.FOREIGN_THREAD.with(
                "The thread is " + Thread.currentThread().getName() + ".");
    }

    @Override
    public final void run() {
        try {
            work();
        } catch (CancelledException e) {
            // Whoever cancelled knows.
        } catch (Throwable e) {
            run.failed(e);
        } finally {
            ended = true;
            LockSupport.unpark(changer);
            run.ended(this);
        }
    }

    abstract void work() throws Exception;

    final void enter(int node) {
        COUNTS.setOpaque(entered, node, entered[node] + 1);
    }

    final long entered(int node) {
        return (long) COUNTS.getOpaque(entered, node);
    }

    final Order order() {
        return Objects.requireNonNull(order.get());
    }

    /** Rests if it was asked to. Called between two tuples. */
    final void restIfAsked() {
        // Asked again on its way out, it was seen resting: so it looks once more after it has said that it rests no
        // longer.
        while (order() == Order.REST) {
            stack.waiting(true);
            resting = true;
            LockSupport.unpark(changer);
            while (order() == Order.REST) {
                LockSupport.park(this);
                keepInterrupt();
                run.throwIfCancelled();
            }
            resting = false;
            stack.waiting(false);
        }
    }

    /** Takes an interrupt away, which would let no wait last; it is for an operator, and given back before one runs. */
    final void keepInterrupt() {
        interruptKept |= Thread.interrupted();
    }

    final void giveInterruptBack() {
        if (interruptKept) {
            interruptKept = false;
            interrupt();
        }
    }

    /** Asks; returns at once. */
    final void ask(Order what, Thread asker) {
        changer = asker;
        order.set(what);
        LockSupport.unpark(this);
    }

    /** Ends if it was asked to; true if so. */
    final boolean endIfAsked() {
        return order.compareAndSet(Order.END, Order.ENDING);
    }

    /** Takes the asking for its end back; false if that is too late. */
    final boolean askToStay() {
        return order.compareAndSet(Order.END, Order.RUN);
    }

    final boolean hasObeyed() {
        return ended || order() == Order.REST && resting;
    }

    final boolean hasEnded() {
        return ended;
    }

    /** A tuple is on its way although the graph is cancelled: unwinds the stack. */
    static final class CancelledException extends RuntimeException {

        private static final long serialVersionUID = 1;

        CancelledException() {
            super("cancelled", null, false, false);
        }
    }
}
