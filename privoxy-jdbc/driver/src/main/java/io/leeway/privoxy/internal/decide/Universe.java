package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the values in play.
 *
 * <p>Model: a <em>node</em> stands for one value of an arbitrary but fixed pair of databases, so that a fact learnt in
 * either database holds for the node in both. Nodes known to be the same value form a class (union-find). A class may
 * have a constant (several, if of different kinds, of which it is not known whether they differ), may be known to be
 * non-null, and may be Boolean (its only values are TRUE, FALSE, NULL). Function applications are hash-consed and
 * closed under congruence. Order facts are kept as edges; the constants' own order joins in.
 *
 * <p>Invariant: everything recorded follows from the problem, or the universe is {@link #contradictory()}: then no pair
 * of databases fits and anything holds. Knowing less is always sound.
 *
 * <p>Cost: near-constant per merge; order questions are a search over the few edges. Not thread-safe.
 *
 * <p>Congruence closure with union-find as in Nelson and Oppen, "Fast Decision Procedures Based on Congruence Closure"
 * (1980), for functions of which nothing is known. NULL is a constant among others here and a value that equals nothing
 * in comparisons; the second is {@link Ground}'s matter, so that two NULL cells are the same value of a row and
 * {@code a = b} is still not TRUE.
 */
final class Universe {

    /** Two flags instead of objects: universes are copied for each case. */
    private static final byte NOT_NULL = 1;

    private static final byte BOOLEAN = 2;
    private static final byte SYMBOL = 4;

    private int[] parent;
    private byte[] flags;
    private @Nullable Value[] values;
    private int size;
    private final Map<Value, Integer> constants;
    // Few: only functions that the policy or a statement names, at the values in play.
    private final List<Application> applications;
    private final Map<Application.Key, Integer> byKey;
    private final OrderFacts order;
    private boolean contradictory;
    /** Grows whenever something new is known. */
    private int version;
    /** Merges since the last closure under congruence. */
    private boolean congruenceStale;
    /**
     * Some class has constants of several kinds, which are not known to differ; rare.
     *
     * <p>A number and a text may be the same value to a database that converts ({@code 5} and {@code '5'}). Neither to
     * hold them for different nor to contradict is safe, so both constants stay.
     */
    private boolean mixed;

    Universe() {
        this.parent = new int[64];
        this.flags = new byte[64];
        this.values = new Value[64];
        this.constants = new HashMap<>();
        this.applications = new ArrayList<>();
        this.byKey = new HashMap<>();
        this.order = new OrderFacts();
    }

    private Universe(Universe other) {
        this.parent = other.parent.clone();
        this.flags = other.flags.clone();
        this.values = other.values.clone();
        this.size = other.size;
        this.constants = new HashMap<>(other.constants);
        this.applications = new ArrayList<>(other.applications);
        this.byKey = new HashMap<>(other.byKey);
        this.order = new OrderFacts(other.order);
        this.contradictory = other.contradictory;
        this.version = other.version;
        this.congruenceStale = other.congruenceStale;
        this.mixed = other.mixed;
    }

    Universe copy() {
        return new Universe(this);
    }

    int version() {
        return version;
    }

    int size() {
        return size;
    }

    boolean contradictory() {
        return contradictory;
    }

    void contradict() {
        contradictory = true;
        // Loops over rules end by version, and must see this as news.
        version++;
    }

    /** A node of which nothing is known. */
    int fresh() {
        if (size == parent.length) {
            parent = Arrays.copyOf(parent, size * 2);
            flags = Arrays.copyOf(flags, size * 2);
            values = Arrays.copyOf(values, size * 2);
        }
        parent[size] = size;
        return size++;
    }

    /**
     * By the value's own equality, which is that of Java. That it is also the database's is seen to where values are
     * made: {@code ValueReader} lets through only such as the column's type stores as they are.
     */
    int constant(Value value) {
        Integer known = constants.get(value);
        if (known != null) {
            return known;
        }
        int node = fresh();
        values[node] = value;
        flags[node] = (byte) ((value.isNull() ? 0 : NOT_NULL) | (value.kind() == ValueKind.BOOLEAN ? BOOLEAN : 0));
        constants.put(value, node);
        return node;
    }

    /** The value of a function at some arguments. */
    int apply(String symbol, int[] arguments) {
        Application.Key key = key(symbol, arguments);
        Integer known = byKey.get(key);
        if (known != null) {
            return known;
        }
        int node = fresh();
        Application application = new Application(symbol, arguments.clone(), node);
        applications.add(application);
        byKey.put(key, node);
        if (application.isStrict()) {
            passNullness(application);
        }
        return node;
    }

    private Application.Key key(String symbol, int[] arguments) {
        int[] roots = new int[arguments.length];
        for (int i = 0; i < roots.length; i++) {
            roots[i] = find(arguments[i]);
        }
        return new Application.Key(symbol, roots);
    }

    int find(int node) {
        int n = node;
        while (parent[n] != n) {
            parent[n] = parent[parent[n]];
            n = parent[n];
        }
        return n;
    }

    boolean same(int a, int b) {
        return find(a) == find(b);
    }

    @Nullable
    Value valueOf(int node) {
        return values[find(node)];
    }

    boolean isNull(int node) {
        Value value = values[find(node)];
        return value != null && value.isNull();
    }

    boolean isNotNull(int node) {
        return (flags[find(node)] & NOT_NULL) != 0;
    }

    boolean isBoolean(int node) {
        return (flags[find(node)] & BOOLEAN) != 0;
    }

    /** It stands for any value that is given. */
    void markSymbol(int node) {
        flags[find(node)] |= SYMBOL;
    }

    /** Whether it is given, and not known which value. */
    boolean isSymbol(int node) {
        return (flags[find(node)] & SYMBOL) != 0;
    }

    void markBoolean(int node) {
        flags[find(node)] |= BOOLEAN;
    }

    void assumeNotNull(int node) {
        int root = find(node);
        if ((flags[root] & NOT_NULL) != 0) {
            return;
        }
        if (isNull(root)) {
            contradict();
            return;
        }
        flags[root] |= NOT_NULL;
        version++;
        congruenceStale |= !applications.isEmpty();
    }

    void assumeNull(int node) {
        merge(node, constant(Value.NULL));
    }

    /** The two nodes are one value (which may be null). */
    void merge(int a, int b) {
        int x = find(a);
        int y = find(b);
        if (x == y) {
            return;
        }
        // Known to differ, not merely unequal as objects: values of different kinds may be one to
        // the database.
        if (anyConstants(x, y, Value::isKnownToDifferFrom)) {
            contradict();
            return;
        }
        Value left = values[x];
        Value right = values[y];
        mixed |= left != null && right != null;
        parent[y] = x;
        flags[x] |= flags[y];
        if (left == null) {
            values[x] = right;
        }
        Value value = values[x];
        if (value != null && value.isNull() && (flags[x] & NOT_NULL) != 0) {
            contradict();
        }
        version++;
        congruenceStale |= !applications.isEmpty();
    }

    /** {@code a <> b}, {@code a < b} or {@code a <= b} holds. */
    void assumeNotEqual(int a, int b) {
        assumeNotNull(a);
        assumeNotNull(b);
        Value left = valueOf(a);
        Value right = valueOf(b);
        // What is not FALSE and not NULL is TRUE, which merges instead of leaving a difference that
        // no rule reads.
        if (isBoolean(a) && right != null && right.kind() == ValueKind.BOOLEAN) {
            merge(a, constant(Value.of(!right.equals(Value.TRUE))));
        } else if (isBoolean(b) && left != null && left.kind() == ValueKind.BOOLEAN) {
            merge(b, constant(Value.of(!left.equals(Value.TRUE))));
        } else if (order.addDifference(a, b)) {
            version++;
        }
    }

    void assumeLess(int a, int b, boolean strict) {
        assumeNotNull(a);
        assumeNotNull(b);
        if (order.addEdge(this, a, b, strict)) {
            version++;
        }
    }

    /**
     * Two nodes that are not the same need not be different: different is what a key, a constant, an order or an
     * assumption says.
     */
    boolean areKnownDifferent(int a, int b) {
        int x = find(a);
        int y = find(b);
        if (x == y) {
            return false;
        }
        return anyConstants(x, y, Value::isKnownToDifferFrom) || order.differ(this, x, y);
    }

    /** Whether a constant of the one class and one of the other are so. */
    boolean anyConstants(int x, int y, BiPredicate<Value, Value> related) {
        Value left = values[x];
        Value right = values[y];
        if (left == null || right == null) {
            return false;
        }
        return related.test(left, right)
                || (mixed && constants(x).anyMatch(one -> constants(y).anyMatch(other -> related.test(one, other))));
    }

    private Stream<Value> constants(int root) {
        return constants.entrySet().stream()
                .filter(constant -> find(constant.getValue()) == root)
                .map(Map.Entry::getKey);
    }

    /** Whether {@code a < b} (or {@code a <= b}) follows. */
    boolean isLess(int a, int b, boolean strict) {
        return order.less(this, find(a), find(b), strict);
    }

    /** Every application of a function so far. */
    List<Application> applications() {
        return List.copyOf(applications);
    }

    /** The constants in play. */
    List<Value> constantValues() {
        return List.copyOf(constants.keySet());
    }

    List<OrderFacts.Edge> orderEdges() {
        return order.edges();
    }

    /** Closes under congruence, null passing of strict functions and order; finds contradictions. */
    void close() {
        while (congruenceStale && !contradictory) {
            congruenceStale = false;
            // Keys are made of classes, so after merges all of them may be others. Decisions have
            // few applications; to keep use lists as the paper does would cost more than it saves.
            byKey.clear();
            for (Application application : applications) {
                Integer twin =
                        byKey.putIfAbsent(key(application.symbol(), application.arguments()), application.result());
                if (twin != null) {
                    merge(twin, application.result());
                }
                if (application.isStrict()) {
                    passNullness(application);
                }
            }
        }
        order.close(this);
        // Order merged something, which may make two applications equal again.
        if (congruenceStale && !contradictory) {
            close();
        }
    }

    /**
     * A collation key is null exactly when its argument is.
     *
     * <p>Without it a row whose collated column is compared would not be known to have a value there, and keys with
     * NULL would exempt it.
     */
    private void passNullness(Application application) {
        int argument = application.arguments()[0];
        int result = application.result();
        if (isNotNull(argument)) {
            assumeNotNull(result);
        } else if (isNotNull(result)) {
            assumeNotNull(argument);
        }
        if (isNull(argument)) {
            assumeNull(result);
        } else if (isNull(result)) {
            assumeNull(argument);
        }
    }
}
