package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Known order and difference between nodes of a {@link Universe}.
 *
 * <p>Edges {@code a < b} and {@code a <= b} form a graph in which constants with a common order are joined implicitly.
 * {@code a < b} follows if a path from a to b has a strict step. The order is total on non-null values and agrees with
 * identity, so a cycle of non-strict steps makes its nodes one value, and a cycle with a strict step is a
 * contradiction.
 *
 * <p>Unlike Klug's procedure for inequalities ("On conjunctive queries containing inequalities", 1988) no total order
 * of all values is guessed. The closure finds what follows from the edges; the cases in which it does not suffice are
 * made one by one by {@link Splitter}.
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
    /**
     * Ends of the edges, valid for a version of the universe.
     *
     * <p>Nodes get merged all the time; the ends of all edges are looked up once for each version instead of for each
     * question.
     */
    private int[] fromRoot = {};

    private int[] toRoot = {};
    private @Nullable Value[] fromValue = {};
    private @Nullable Value[] toValue = {};
    private int resolvedAt = -1;
    private int resolvedEdges;

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
        // What follows already must not count as news, or the rules would never come to rest.
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
        // Strictly ordered values differ.
        return edges > 0 && (less(universe, x, y, true) || less(universe, y, x, true));
    }

    boolean less(Universe universe, int x, int y, boolean needStrict) {
        if (x == y) {
            // SQL's x <= x is not TRUE for NULL.
            return !needStrict && universe.isNotNull(x);
        }
        if (constantsLess(universe, x, y)) {
            return true;
        }
        if (edges == 0) {
            return false;
        }
        byte reached = reach(universe, x, y);
        return reached == REACHED_STRICTLY || (reached == REACHED && !needStrict);
    }

    private static boolean constantsLess(Universe universe, int x, int y) {
        return universe.anyConstants(x, y, OrderFacts::constantsLess);
    }

    /**
     * Values of different kinds have no order that holds in every database: a text beside a number is converted by
     * rules of its own in each.
     */
    private static boolean constantsLess(@Nullable Value a, @Nullable Value b) {
        return a != null && b != null && a.isOrderedWith(b) && a.compareOrdered(b) < 0;
    }

    /** How y follows x by way of edges, and of constants between them; of x and y that differ. */
    private byte reach(Universe universe, int x, int y) {
        resolve(universe);
        Value end = universe.valueOf(y);
        byte[] reached = new byte[edges];
        int[] waiting = new int[2 * edges];
        int count = enter(reached, waiting, 0, x, universe.valueOf(x), REACHED);
        byte best = UNREACHED;
        while (count > 0 && best != REACHED_STRICTLY) {
            int edge = waiting[--count];
            byte after = strict[edge] ? REACHED_STRICTLY : reached[edge];
            if (toRoot[edge] == y) {
                best = (byte) Math.max(best, after);
                // By a constant: x <= 5 and 7 <= y give x < y without an edge
                // between them.
            } else if (constantsLess(toValue[edge], end)) {
                best = REACHED_STRICTLY;
            }
            count = enter(reached, waiting, count, toRoot[edge], toValue[edge], after);
        }
        return best;
    }

    /**
     * Notes the edges that start at a node, or above it; each waits at most twice.
     *
     * <p>Twice: once reached, once reached strictly. So the work is bounded by the square of the number of edges.
     */
    private int enter(byte[] reached, int[] waiting, int count, int root, @Nullable Value value, byte strength) {
        int size = count;
        for (int e = 0; e < edges; e++) {
            byte raised = fromRoot[e] == root
                    ? strength
                    : value != null && constantsLess(value, fromValue[e]) ? REACHED_STRICTLY : UNREACHED;
            if (raised > reached[e]) {
                reached[e] = raised;
                waiting[size++] = e;
            }
        }
        return size;
    }

    /** Looks up what the ends of all edges are by now. */
    private void resolve(Universe universe) {
        if (resolvedAt == universe.version() && resolvedEdges == edges) {
            return;
        }
        resolvedAt = universe.version();
        resolvedEdges = edges;
        if (fromRoot.length < edges) {
            fromRoot = new int[from.length];
            toRoot = new int[from.length];
            fromValue = new Value[from.length];
            toValue = new Value[from.length];
        }
        for (int e = 0; e < edges; e++) {
            fromRoot[e] = universe.find(from[e]);
            toRoot[e] = universe.find(to[e]);
            fromValue[e] = universe.valueOf(fromRoot[e]);
            toValue[e] = universe.valueOf(toRoot[e]);
        }
    }

    /** Merges nodes on non-strict cycles; contradicts on strict cycles and on equal nodes that differ. */
    void close(Universe universe) {
        for (int i = 0; i < differences; i += 2) {
            // The assertion a <> b was made for a case, and rules have made the two one
            // value since: the case cannot occur.
            if (universe.same(different[i], different[i + 1])) {
                universe.contradict();
                return;
            }
        }
        for (int e = 0; e < edges && !universe.contradictory(); e++) {
            close(universe, universe.find(from[e]), universe.find(to[e]), strict[e]);
        }
    }

    private void close(Universe universe, int low, int high, boolean isStrict) {
        if (low == high) {
            if (isStrict) {
                universe.contradict();
            }
            return;
        }
        byte back = constantsLess(universe, high, low) ? REACHED_STRICTLY : reach(universe, high, low);
        if (back == REACHED_STRICTLY || (isStrict && back == REACHED)) {
            universe.contradict();
        } else if (back == REACHED) {
            universe.merge(low, high);
        }
    }
}
