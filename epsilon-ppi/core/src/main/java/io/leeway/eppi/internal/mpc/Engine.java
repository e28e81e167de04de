package io.leeway.eppi.internal.mpc;

import java.util.ArrayList;
import java.util.List;

/**
 * A party of a secure computation on bits that nobody sees alone. What is linear is free; an AND costs a message to the
 * others, and all ANDs of one call go in one round. All parties make the same calls in the same order.
 *
 * <p>One thread each.
 */
abstract class Engine {

    private long andGates;
    private long rounds;

    abstract int party();

    abstract int parties();

    /**
     * A party's bits as a wire.
     *
     * @param owner whose bits they are
     * @param bits the bits at their owner, zeros at all others
     */
    abstract Wire input(int owner, long[] bits);

    /** Adds a public number to a wire. */
    abstract Wire xorPublic(Wire wire, long[] bits);

    abstract Wire andWire(Wire left, Wire right);

    abstract long[] openWire(Wire wire);

    /** Says how many words of ANDs will be needed, so that what can be done beforehand is done at once. */
    void prepare(long words) {}

    /** Products of pairs, all in one round. */
    final List<Wire> and(List<Wire> left, List<Wire> right) {
        if (left.isEmpty()) {
            return List.of();
        }
        Wire product = andWire(Wire.concat(left), Wire.concat(right));
        rounds++;
        andGates += 64L * product.words();
        return split(product, left);
    }

    /** Shows wires to all parties. */
    final List<long[]> open(List<Wire> wires) {
        long[] all = openWire(Wire.concat(wires));
        rounds++;
        var parts = new ArrayList<long[]>();
        int at = 0;
        for (Wire wire : wires) {
            parts.add(java.util.Arrays.copyOfRange(all, at, at + wire.words()));
            at += wire.words();
        }
        return parts;
    }

    final Wire not(Wire wire) {
        long[] ones = new long[wire.words()];
        java.util.Arrays.fill(ones, -1);
        return xorPublic(wire, ones);
    }

    /** AND gates so far; 64 for each word, whether its lanes are used or not. */
    final long andGates() {
        return andGates;
    }

    /** Rounds so far in which parties waited for each other. */
    final long rounds() {
        return rounds;
    }

    private static List<Wire> split(Wire all, List<Wire> like) {
        var parts = new ArrayList<Wire>();
        int at = 0;
        for (Wire wire : like) {
            parts.add(all.slice(at, at + wire.words()));
            at += wire.words();
        }
        return parts;
    }
}
