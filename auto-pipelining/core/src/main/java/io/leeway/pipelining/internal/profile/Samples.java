package io.leeway.pipelining.internal.profile;

import java.util.HashMap;
import java.util.Map;

/** Counts what a sampler sees. Not thread-safe: one sampler owns it. */
public final class Samples {

    private final Map<ExecutionStack, Counts> threads = new HashMap<>();
    private long taken;

    /** What was seen of one thread: in how many samples it was busy, and in how many of those an operator was on its stack. */
    static final class Counts {
        private long busy;
        private final Map<Integer, Long> operators = new HashMap<>();
    }

    /** One more look at all threads is about to be taken. */
    public void begin() {
        taken++;
    }

    /**
     * Looks at one thread.
     *
     * @param busy whether it does something, as far as is seen from outside
     */
    public void look(ExecutionStack stack, boolean busy) {
        int depth = stack.depth();
        Counts counts = threads.computeIfAbsent(stack, first -> new Counts());
        if (stack.isWaiting() || !busy) {
            return;
        }
        counts.busy++;
        for (int level = 0; level < depth; level++) {
            if (isFirstOf(stack, level)) {
                counts.operators.merge(stack.operator(level), 1L, Long::sum);
            }
        }
    }

    /** The share of samples in which the thread was busy, 0 to 1. */
    public double busy(ExecutionStack stack) {
        Counts counts = threads.get(stack);
        return counts == null || taken == 0 ? 0 : (double) counts.busy / taken;
    }

    /** The share of samples in which the thread was in each operator or in what that one called. */
    public Map<Integer, Double> operators(ExecutionStack stack) {
        var shares = new HashMap<Integer, Double>();
        Counts counts = threads.get(stack);
        if (counts != null) {
            counts.operators.forEach((operator, hits) -> shares.put(operator, (double) hits / Math.max(1, taken)));
        }
        return shares;
    }

    /** Samples taken so far. */
    public long taken() {
        return taken;
    }

    /** In a cycle an operator is on a stack more than once; it counts once. */
    private static boolean isFirstOf(ExecutionStack stack, int level) {
        int operator = stack.operator(level);
        for (int above = 0; above < level; above++) {
            if (stack.operator(above) == operator) {
                return false;
            }
        }
        return true;
    }
}
