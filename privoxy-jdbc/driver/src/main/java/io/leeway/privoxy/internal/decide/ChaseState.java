package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything known in one case of a proof: values, the rows of both databases, and what is still to be distinguished.
 * Copied where the proof splits into cases. Not thread-safe.
 *
 * <p>There are two instances and one universe: a value that both databases have is one node, so whatever is learnt of
 * it in one is known in the other. That is what lets a view's answer, which is the same row in both, carry knowledge
 * across.
 */
final class ChaseState {

    static final int FIRST = 0;
    static final int SECOND = 1;

    final Universe universe;
    private final Instance[] instances;
    /**
     * Nodes of the context parameters; one that the request lacks stands for any value.
     *
     * <p>Kept apart from those that were given: a goal may name a parameter that the request lacks. It stands for any
     * value then, so that the goal must be compliant for all of them.
     */
    final Map<String, Integer> context;

    /**
     * The context parameters that the request has.
     *
     * <p>A view with a parameter that nobody gave is not asked with NULL or with any value: it shows nothing.
     * Everything else would be a view that the policy's author has not written.
     */
    private final Set<String> given;

    /** {@code [node, option, option, …]}: the node is one of the options. */
    final List<int[]> domains;
    /** A row is in a union, and which disjunct it is due to is open. */
    final List<Disjunction> pending;
    /**
     * View rows already carried over, by view and direction, so that each is carried once.
     *
     * <p>Keyed by what the classes were at that time. After a merge the same row may be carried twice, which costs a
     * row and is sound.
     */
    private final Set<Application.Key> carried;
    /** What was read of rows, which stays open as far as a view showed it. */
    final List<Grant> read;
    /** What stays open of moments before. */
    final List<Grant> grants;
    /** Whether rows that a view shows are those of before that stand beside rows of now. */
    final List<Ground> coincidences;
    /**
     * Whether what was read is of moments of its own: then assertions are words of the policy's author, of which as little is
     * concluded as they are needed for ({@code Constraints}).
     */
    private boolean tellsMoments;
    /** How many moments there are besides now. */
    private int moments;
    /** Rows in both databases at which the case is given up. */
    private final int maxRows;

    // Shared by all copies: the cases of one decision have one bound together.
    private final Steps steps;
    /**
     * Whether a bound cut something off, so that a failure proves nothing.
     *
     * <p>Copied into cases, since what was cut off before the split is missing in each of them.
     */
    boolean truncated;

    /**
     * One of {@code alternatives} has the row {@code head} in database {@code instance}.
     *
     * <p>The rows are there, whichever alternative it is; to choose at once would multiply cases for unions that no
     * proof looks at.
     */
    @SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
    record Disjunction(int instance, Shape[] alternatives, int[] head, int[][] origins) {}

    ChaseState(int tables, int maxRows, Steps steps) {
        this.maxRows = maxRows;
        this.steps = steps;
        this.universe = new Universe();
        this.instances = new Instance[] {new Instance(tables), new Instance(tables)};
        this.context = new HashMap<>();
        this.given = new HashSet<>();
        this.domains = new ArrayList<>();
        this.pending = new ArrayList<>();
        this.carried = new HashSet<>();
        this.read = new ArrayList<>();
        this.grants = new ArrayList<>();
        this.coincidences = new ArrayList<>();
    }

    private ChaseState(ChaseState other) {
        this.universe = other.universe.copy();
        this.instances = new Instance[] {other.instances[FIRST].copy(), other.instances[SECOND].copy()};
        // Not copied: the context is settled before the first case distinction.
        this.context = other.context;
        this.given = other.given;
        this.domains = new ArrayList<>(other.domains);
        this.pending = new ArrayList<>(other.pending);
        this.carried = new HashSet<>(other.carried);
        this.truncated = other.truncated;
        // Not copied: what was read is settled before the first case distinction, too.
        this.read = other.read;
        this.grants = new ArrayList<>(other.grants);
        this.coincidences = new ArrayList<>(other.coincidences);
        this.tellsMoments = other.tellsMoments;
        this.moments = other.moments;
        this.maxRows = other.maxRows;
        this.steps = other.steps;
    }

    ChaseState copy() {
        return new ChaseState(this);
    }

    /** The request has this parameter. */
    void give(String name, int node) {
        context.put(name, node);
        given.add(name);
    }

    /** Whether the request has all of these parameters: a view that names a missing one shows nothing. */
    boolean isGiven(Set<String> names) {
        return given.containsAll(names);
    }

    Instance instance(int number) {
        return instances[number];
    }

    /**
     * Whether so many rows are known, with {@code more} to come, that the case is given up.
     *
     * <p>Cyclic foreign keys and views that join a table with itself make rows without end; whether such a chase ends
     * cannot be decided in general, so it is cut off by number.
     */
    boolean isFull(int more) {
        boolean full = instances[FIRST].added() + instances[SECOND].added() + more > maxRows;
        truncated |= full;
        return full;
    }

    void tellMoments() {
        tellsMoments = true;
    }

    boolean tellsMoments() {
        return tellsMoments;
    }

    /** One more moment before: its number, or {@link Origin#NONE} if there are too many. */
    int anotherMoment() {
        return moments >= Origin.NONE - 1 ? Origin.NONE : ++moments;
    }

    Steps steps() {
        return steps;
    }

    /** Takes a step of matching; false if there were too many. */
    boolean step() {
        boolean goesOn = steps.take();
        truncated |= !goesOn;
        return goesOn;
    }

    /** A value of which one option is left is that option; one of which none is left cannot be. */
    void closeDomains() {
        for (int[] domain : domains) {
            int only = -1;
            boolean several = false;
            for (int i = 1; i < domain.length && !several; i++) {
                // NULL is no option: x IN (…, NULL) is never true by the NULL.
                if (!universe.areKnownDifferent(domain[0], domain[i]) && !universe.isNull(domain[i])) {
                    several = only >= 0 && !universe.same(only, domain[i]);
                    only = domain[i];
                }
            }
            if (only < 0) {
                universe.contradict();
            } else if (!several) {
                universe.merge(domain[0], only);
            }
        }
    }

    /**
     * Grows with everything learnt.
     *
     * <p>A rule is applied again only if this has moved. The parts only ever grow, except for pending choices, of which
     * each that goes makes rows or values that count as well.
     */
    long stamp() {
        return ((long) universe.version() << 32)
                + instances[FIRST].added()
                + instances[SECOND].added()
                + pending.size()
                + domains.size();
    }

    /**
     * Grows with everything learnt that can matter for what holds in one database.
     *
     * <p>Pending choices are left out: no rule within one database reads them.
     */
    long stamp(int instance) {
        return ((long) universe.version() << 32) + instances[instance].added() + domains.size();
    }

    /**
     * Notes that a view's row is carried over; false if it was before.
     *
     * <p>Without it a view that shows rows with hidden columns would put down the same rows with new unknowns in each
     * round.
     */
    boolean carry(String view, int[] head) {
        int[] roots = new int[head.length];
        for (int i = 0; i < head.length; i++) {
            roots[i] = universe.find(head[i]);
        }
        return carried.add(new Application.Key(view, roots));
    }

    /**
     * The database's equality is the column's collation, so classes of the key function are compared instead of values.
     * To compare values would be too fine, which loses proofs for keys, but for NOT EQUAL it would prove too much.
     */
    int comparable(CompiledTable table, int column, int cell) {
        String function = table.keyFunction[column];
        return function == null ? cell : universe.apply(function, new int[] {cell});
    }

    /** The value of a term. {@code rows} may be null for terms without variables. */
    int node(CompiledTerm term, int[] arguments, int @Nullable [][] rows) {
        return switch (term.kind) {
            case VARIABLE -> Objects.requireNonNull(rows)[term.atom][term.column];
            case CONSTANT -> universe.constant(Objects.requireNonNull(term.value));
            case PARAMETER -> arguments[term.index];
            // Views and assertions are asked only where all their parameters are given, and a
            // goal's were made up when it was opened; a missing one here would be a fault and must
            // not become a value.
            case CONTEXT -> Objects.requireNonNull(context.get(term.name), term.name);
            case FUNCTION -> universe.apply(term.name, nodes(term.arguments, arguments, rows));
        };
    }

    int[] nodes(CompiledTerm[] terms, int[] arguments, int @Nullable [][] rows) {
        int[] nodes = new int[terms.length];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = node(terms[i], arguments, rows);
        }
        return nodes;
    }
}
