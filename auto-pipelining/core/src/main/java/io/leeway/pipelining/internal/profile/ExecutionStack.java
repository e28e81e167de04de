package io.leeway.pipelining.internal.profile;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The operators that one thread is in, written by that thread and read by the sampler without any lock (AutoPipelining §4.6).
 *
 * <p>Writers: the owning thread only. Readers: any thread; a reader may see an entry that is just being changed, which adds a
 * sample to a neighbour and has no visible effect on sums.
 */
public final class ExecutionStack {

    /** What is deeper is not seen by the profile; its callers are. */
    static final int DEEPEST = 256;

    private static final VarHandle OPERATORS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle DEPTH = field("depth", int.class);
    private static final VarHandle WAITING = field("waiting", boolean.class);

    private final int[] operators = new int[DEEPEST];
    private int depth;

    @SuppressWarnings("UnusedVariable") // by its handle only
    private boolean waiting;

    /**
     * Enters an operator.
     *
     * @return what {@link #leave} takes: the depth before
     */
    public int enter(int operator) {
        int before = depth;
        if (before < DEEPEST) {
            OPERATORS.setOpaque(operators, before, operator);
        }
        DEPTH.setRelease(this, before + 1);
        return before;
    }

    /** Leaves the operator whose entering returned this depth, and all that it called. */
    public void leave(int before) {
        DEPTH.setRelease(this, before);
    }

    /** Says whether the thread waits for a queue: such a sample is nobody's work. */
    public void waiting(boolean now) {
        WAITING.setOpaque(this, now);
    }

    boolean isWaiting() {
        return (boolean) WAITING.getOpaque(this);
    }

    int depth() {
        return Math.min((int) DEPTH.getAcquire(this), DEEPEST);
    }

    int operator(int level) {
        return (int) OPERATORS.getOpaque(operators, level);
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(ExecutionStack.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
