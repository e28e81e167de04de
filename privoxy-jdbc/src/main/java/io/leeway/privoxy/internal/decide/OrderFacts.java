package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Known order and difference between nodes of a {@link Universe}.
 *
 * <p>Edges {@code a < b} and {@code a <= b} form a graph in which constants with a common order are joined implicitly.
 * {@code a < b} follows if a path from a to b has a strict step. The order is total on non-null values and agrees with
 * identity, so a cycle of non-strict steps makes its nodes one value, and a cycle with a strict step is a
 * contradiction.
 */
final class OrderFacts {

    private static final byte UNREACHED = 0;
    private static final byte REACHED = 1;
    private static final byte REACHED_STRICTLY = 2;

    private int[] from = new int[4];
    private int[] to = new int[4];
    private boolean[] strict = new boolean[4];
    private int edges;
    private int[] different = new int[4];
    private int differences;

    /** {@code low} is at most {@code high}. */
    record Edge(int low, int high) {}

    OrderFacts() {}

    OrderFacts(OrderFacts other) {
        this.from = other.from.clone();
        this.to = other.to.clone();
        this.strict = other.strict.clone();
        this.edges = other.edges;
        this.different = other.different.clone();
        this.differences = other.differences;
    }

    List<Edge> edges() {
        List<Edge> list = new ArrayList<>(edges);
        for (int e = 0; e < edges; e++) {
            list.add(new Edge(from[e], to[e]));
        }
        return list;
    }

    /** Returns whether the edge is news. */
    boolean addEdge(Universe universe, int a, int b, boolean isStrict) {
        if (less(universe, universe.find(a), universe.find(b), isStrict)) {
            return false;
        }
        if (edges == from.length) {
            from = Arrays.copyOf(from, edges * 2);
            to = Arrays.copyOf(to, edges * 2);
            strict = Arrays.copyOf(strict, edges * 2);
        }
        from[edges] = a;
        to[edges] = b;
        strict[edges++] = isStrict;
        return true;
    }

    boolean addDifference(int a, int b) {
        for (int i = 0; i < differences; i += 2) {
            if (different[i] == a && different[i + 1] == b) {
                return false;
            }
        }
        if (differences == different.length) {
            different = Arrays.copyOf(different, differences * 2);
        }
        different[differences] = a;
        different[differences + 1] = b;
        differences += 2;
        return true;
    }

    boolean differ(Universe universe, int x, int y) {
        for (int i = 0; i < differences; i += 2) {
            int a = universe.find(different[i]);
            int b = universe.find(different[i + 1]);
            if ((a == x && b == y) || (a == y && b == x)) {
                return true;
            }
        }
        return edges > 0 && (less(universe, x, y, true) || less(universe, y, x, true));
    }

    boolean less(Universe universe, int x, int y, boolean needStrict) {
        if (x == y) {
            return !needStrict && universe.isNotNull(x);
        }
        if (constantsLess(universe, x, y)) {
            return true;
        }
        if (edges == 0) {
            return false;
        }
        byte reached = search(universe, x, y);
        return reached == REACHED_STRICTLY || (reached == REACHED && !needStrict);
    }

    private static boolean constantsLess(Universe universe, int x, int y) {
        Value a = universe.valueOf(x);
        Value b = universe.valueOf(y);
        return a != null && b != null && a.isOrderedWith(b) && a.compareOrdered(b) < 0;
    }

    /** Relaxes over the edges until nothing changes; node 0 is x, node 2e+1 and 2e+2 the ends of edge e. */
    private byte search(Universe universe, int x, int y) {
        int count = 2 * edges + 1;
        int[] nodes = new int[count];
        nodes[0] = x;
        for (int e = 0; e < edges; e++) {
            nodes[2 * e + 1] = universe.find(from[e]);
            nodes[2 * e + 2] = universe.find(to[e]);
        }
        byte[] state = new byte[count];
        state[0] = REACHED;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 0; i < count; i++) {
                if (state[i] != UNREACHED) {
                    changed |= step(universe, nodes, state, i);
                }
            }
        }
        byte best = UNREACHED;
        for (int i = 0; i < count; i++) {
            if (state[i] != UNREACHED) {
                if (nodes[i] == y) {
                    best = (byte) Math.max(best, state[i]);
                } else if (constantsLess(universe, nodes[i], y)) {
                    best = REACHED_STRICTLY;
                }
            }
        }
        return best;
    }

    private boolean step(Universe universe, int[] nodes, byte[] state, int i) {
        boolean changed = false;
        for (int e = 0; e < edges; e++) {
            int start = 2 * e + 1;
            changed |= raise(state, start, via(universe, nodes, state, i, start));
            if (state[start] != UNREACHED) {
                changed |= raise(state, start + 1, strict[e] ? REACHED_STRICTLY : state[start]);
            }
        }
        return changed;
    }

    private static byte via(Universe universe, int[] nodes, byte[] state, int i, int target) {
        if (nodes[i] == nodes[target]) {
            return state[i];
        }
        return constantsLess(universe, nodes[i], nodes[target]) ? REACHED_STRICTLY : UNREACHED;
    }

    private static boolean raise(byte[] state, int index, byte to) {
        if (to > state[index]) {
            state[index] = to;
            return true;
        }
        return false;
    }

    /** Merges nodes on non-strict cycles; contradicts on strict cycles and on equal nodes that differ. */
    void close(Universe universe) {
        for (int i = 0; i < differences; i += 2) {
            if (universe.same(different[i], different[i + 1])) {
                universe.contradict();
                return;
            }
        }
        for (int e = 0; e < edges && !universe.contradictory(); e++) {
            int a = universe.find(from[e]);
            int b = universe.find(to[e]);
            if (a == b ? strict[e] : less(universe, b, a, true) || (strict[e] && less(universe, b, a, false))) {
                universe.contradict();
            } else if (a != b && less(universe, b, a, false)) {
                universe.merge(a, b);
            }
        }
    }
}
