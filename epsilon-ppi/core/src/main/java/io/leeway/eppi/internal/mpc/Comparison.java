package io.leeway.eppi.internal.mpc;

import java.util.List;

/**
 * Whether numbers on wires are at least a public number of their class, from the lowest bit up: one AND a bit, the first
 * one free.
 */
final class Comparison {

    private final Engine engine;
    private final LanePlan plan;
    private final int[] numbers;
    private int bit;
    private Wire atLeast;
    private Wire current;

    /**
     * A comparison.
     *
     * @param zero a wire of zeros
     */
    Comparison(Engine engine, LanePlan plan, int[] numbers, Wire zero) {
        this.engine = engine;
        this.plan = plan;
        this.numbers = numbers;
        this.atLeast = zero;
        this.current = zero;
    }

    /** Takes the next bit; what has to be multiplied goes to the lists. */
    void plan(Wire next, List<Wire> left, List<Wire> right) {
        current = next;
        if (bit > 0) {
            left.add(next);
            right.add(atLeast);
        }
    }

    /** Takes the product, if there was something to multiply. */
    void take(java.util.Iterator<Wire> products) {
        long[] ones = plan.bit(numbers, bit);
        long[] zeros = inverted(ones);
        if (bit == 0) {
            // At least 1 if the bit is, at least 0 always.
            atLeast = engine.xorPublic(current.and(ones), zeros);
        } else {
            Wire both = products.next();
            atLeast = both.xor(current.xor(atLeast).and(zeros));
        }
        bit++;
    }

    Wire atLeast() {
        return atLeast;
    }

    private static long[] inverted(long[] mask) {
        long[] inverted = new long[mask.length];
        for (int w = 0; w < mask.length; w++) {
            inverted[w] = ~mask[w];
        }
        return inverted;
    }
}
