package io.leeway.pipelining.internal.optimise;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the ports to thread in one round: exactly one in the path of each thread that needs help, so that the largest
 * predicted share is smallest.
 */
public final class Optimiser {

    /*
     * AutoPipelining §4.4. Model: a row for each busy thread, holding the ports that may be chosen for it. Ports in several
     * rows are decided one after the other: selected (it is then the only one in its rows, and what stood beside it may be
     * chosen for nobody, since that would put a second thread in the same path) or removed. When none is left undecided, each
     * row takes its best port; a row without any spoils the candidate.
     *
     * Invariant: an undecided shared port is in all of its rows or in none, since a selection removes the row's other ports
     * everywhere. So "select" needs no look at the owners.
     *
     * Groups of rows that share nothing are searched alone: their numbers of nodes add up instead of multiplying.
     *
     * Cost: a node costs rows x ports / 64; their number is exponential in the shared ports of a group in the worst case,
     * which `Search.nodes` ends with the best so far. Deterministic: ties go to fewer ports, then to smaller numbers.
     */

    private static final double FULL = 1.0;
    /** Below which two utilities count as equal: sums of the same shares in another order differ by less. */
    private static final double EPSILON = 1e-9;

    private Optimiser() {}

    /**
     * Chooses ports.
     *
     * @param loads what was measured
     * @param leastTotal β: threads below it are left alone, 0 to 1
     * @param excluded ports that may not be chosen, for whatever reason
     * @param search how to search
     */
    public static Solution optimise(Loads loads, double leastTotal, Set<Integer> excluded, Search search) {
        Map<Integer, Double> utilities = loads.utilities();
        var choices = new TreeMap<Integer, Integer>();
        var chosen = new TreeMap<Integer, Double>();
        long nodes = 0;
        long leaves = 0;
        boolean complete = true;
        for (List<Loads.Candidates> group : groups(loads.needy(leastTotal, excluded))) {
            var tree = new Tree(group, utilities, search);
            tree.search();
            nodes += tree.nodes;
            leaves += tree.leaves;
            complete &= tree.complete;
            int @Nullable [] best = tree.best;
            if (best != null) {
                for (int row = 0; row < best.length; row++) {
                    choices.put(group.get(row).thread(), tree.ports[best[row]]);
                    chosen.put(tree.ports[best[row]], tree.utility[best[row]]);
                }
            }
        }
        return new Solution(choices, chosen, nodes, leaves, complete);
    }

    /** Rows that share ports, directly or through others. */
    private static List<List<Loads.Candidates>> groups(List<Loads.Candidates> rows) {
        var groups = new ArrayList<List<Loads.Candidates>>();
        var left = new ArrayDeque<>(rows);
        while (!left.isEmpty()) {
            var group = new ArrayList<Loads.Candidates>();
            var ports = new TreeSet<Integer>();
            var next = left.poll();
            while (next != null) {
                group.add(next);
                ports.addAll(next.ports());
                next = takeSharing(left, ports);
            }
            group.sort((a, b) -> Integer.compare(a.thread(), b.thread()));
            groups.add(group);
        }
        return groups;
    }

    private static Loads.@Nullable Candidates takeSharing(Deque<Loads.Candidates> left, Set<Integer> ports) {
        for (Loads.Candidates row : left) {
            if (row.ports().stream().anyMatch(ports::contains)) {
                left.remove(row);
                return row;
            }
        }
        return null;
    }

    /** The search in one group. Ports are numbered by their places in {@link #ports}. */
    private static final class Tree {

        private final Search search;
        private final int[] ports;
        private final double[] utility;
        private final BitSet[] original;
        private final int[] shared;
        private final double limit;

        private long nodes;
        private long leaves;
        private boolean complete = true;
        private int @Nullable [] best;
        private double bestUtility;

        Tree(List<Loads.Candidates> group, Map<Integer, Double> utilities, Search search) {
            this.search = search;
            this.ports = group.stream()
                    .flatMap(row -> row.ports().stream())
                    .distinct()
                    .sorted()
                    .mapToInt(Integer::intValue)
                    .toArray();
            this.utility = Arrays.stream(ports)
                    .mapToDouble(port -> utilities.getOrDefault(port, FULL))
                    .toArray();
            var places = new HashMap<Integer, Integer>();
            for (int place = 0; place < ports.length; place++) {
                places.put(ports[place], place);
            }
            this.original = group.stream()
                    .map(row -> {
                        var set = new BitSet(ports.length);
                        row.ports().forEach(port -> set.set(places.getOrDefault(port, 0)));
                        return set;
                    })
                    .toArray(BitSet[]::new);
            this.shared = sharedInOrder();
            // Nothing that leaves the busiest thread of the group as busy as it is helps anybody.
            this.limit =
                    group.stream().mapToDouble(Loads.Candidates::total).max().orElse(0);
            this.bestUtility = limit - EPSILON;
        }

        private int[] sharedInOrder() {
            var owners = new int[ports.length];
            for (BitSet row : original) {
                row.stream().forEach(port -> owners[port]++);
            }
            var order = new ArrayList<Integer>();
            for (int port = 0; port < ports.length; port++) {
                if (owners[port] > 1) {
                    order.add(port);
                }
            }
            if (search.sort()) {
                order.sort((a, b) -> owners[a] != owners[b] ? owners[b] - owners[a] : a - b);
            }
            return order.stream().mapToInt(Integer::intValue).toArray();
        }

        void search() {
            var open = new ArrayDeque<Node>();
            open.push(new Node(original, 0));
            while (!open.isEmpty()) {
                if (nodes >= search.nodes()) {
                    complete = false;
                    return;
                }
                Node node = open.pop();
                nodes++;
                if (!isHopeless(node)) {
                    expand(node, open);
                }
            }
        }

        private boolean isHopeless(Node node) {
            if (!search.prune() && !search.bound()) {
                return false;
            }
            double lowest = 0;
            for (BitSet row : node.rows) {
                lowest = Math.max(lowest, lowest(row));
            }
            return search.prune() && lowest >= FULL || search.bound() && lowest > bestUtility + EPSILON;
        }

        private double lowest(BitSet row) {
            double lowest = Double.POSITIVE_INFINITY;
            for (int port = row.nextSetBit(0); port >= 0; port = row.nextSetBit(port + 1)) {
                lowest = Math.min(lowest, utility[port]);
            }
            return lowest;
        }

        private void expand(Node node, Deque<Node> open) {
            for (int place = node.decided; place < shared.length; place++) {
                int port = shared[place];
                if (node.holds(port)) {
                    // The later pushed is looked at first: a selection soon gives a best that bounds the rest.
                    open.push(node.remove(port, place + 1));
                    open.push(node.select(port, place + 1, original));
                    return;
                }
            }
            leaves++;
            consider(node);
        }

        private void consider(Node leaf) {
            var choice = new int[leaf.rows.length];
            double largest = 0;
            for (int row = 0; row < choice.length; row++) {
                int port = cheapest(leaf.rows[row]);
                if (port < 0) {
                    return;
                }
                choice[row] = port;
                largest = Math.max(largest, utility[port]);
            }
            if (isBetter(choice, largest)) {
                best = choice;
                bestUtility = Math.min(bestUtility, largest);
            }
        }

        private int cheapest(BitSet row) {
            int cheapest = -1;
            for (int port = row.nextSetBit(0); port >= 0; port = row.nextSetBit(port + 1)) {
                if (cheapest < 0 || utility[port] < utility[cheapest] - EPSILON) {
                    cheapest = port;
                }
            }
            return cheapest;
        }

        private boolean isBetter(int[] choice, double largest) {
            int @Nullable [] present = best;
            if (present == null || largest < bestUtility - EPSILON) {
                return largest < bestUtility;
            }
            if (largest > bestUtility + EPSILON) {
                return false;
            }
            int[] mine = Arrays.stream(choice).distinct().sorted().toArray();
            int[] theirs = Arrays.stream(present).distinct().sorted().toArray();
            return mine.length != theirs.length ? mine.length < theirs.length : Arrays.compare(mine, theirs) < 0;
        }
    }

    /** A matrix: what is left in each row, and how many of the shared ports are decided. Never changed. */
    private static final class Node {

        private final BitSet[] rows;
        private final int decided;

        Node(BitSet[] rows, int decided) {
            this.rows = rows;
            this.decided = decided;
        }

        boolean holds(int port) {
            return Arrays.stream(rows).anyMatch(row -> row.get(port));
        }

        Node select(int port, int nowDecided, BitSet[] original) {
            var beside = new BitSet();
            for (BitSet row : original) {
                if (row.get(port)) {
                    beside.or(row);
                }
            }
            return map(nowDecided, row -> {
                boolean owner = row.get(port);
                row.andNot(beside);
                if (owner) {
                    row.set(port);
                }
            });
        }

        Node remove(int port, int nowDecided) {
            return map(nowDecided, row -> row.clear(port));
        }

        private Node map(int nowDecided, java.util.function.Consumer<BitSet> change) {
            BitSet[] copies = new BitSet[rows.length];
            for (int row = 0; row < rows.length; row++) {
                copies[row] = (BitSet) rows[row].clone();
                change.accept(copies[row]);
            }
            return new Node(copies, nowDecided);
        }
    }
}
