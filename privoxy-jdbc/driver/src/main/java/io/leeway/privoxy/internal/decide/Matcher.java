package io.leeway.privoxy.internal.decide;

import org.jspecify.annotations.Nullable;

/**
 * Enumerates the ways in which a query's atoms map to known rows such that all its conditions are known to hold:
 * backtracking over atoms, conditions tested as soon as their variables are bound.
 *
 * <p>The instance must not change during an enumeration; nodes may be added (function applications).
 *
 * <p>Only what is known to hold counts as a match; what is open is for {@link NearMatches}. So every match is one in
 * all databases of the case, and what rules conclude from it holds in all of them.
 */
final class Matcher {

    /** Receives matches. */
    interface Sink {
        /** Takes a match ({@code rows[atom]}, valid during the call only); returns true to stop. */
        boolean accept(int[][] rows);
    }

    private final ChaseState state;
    private final Instance instance;
    private final Shape shape;
    private final int[] arguments;
    private final Sink sink;
    private final @Nullable CompiledCondition leftOut;
    private final Moments moments;
    private final int @Nullable [] ofMoment;
    private final int[][] rows;

    private Matcher(
            ChaseState state,
            int instance,
            Shape shape,
            int[] arguments,
            @Nullable CompiledCondition leftOut,
            Moments moments,
            int @Nullable [] ofMoment,
            Sink sink) {
        this.state = state;
        this.instance = state.instance(instance);
        this.shape = shape;
        this.arguments = arguments;
        this.sink = sink;
        this.leftOut = leftOut;
        this.moments = moments;
        this.ofMoment = ofMoment;
        this.rows = new int[shape.tables.length][];
    }

    /** Returns whether the sink stopped the enumeration. */
    static boolean forEach(ChaseState state, int instance, Shape shape, int[] arguments, Moments moments, Sink sink) {
        return state.instance(instance).hasRowsInAll(shape.tables)
                && new Matcher(state, instance, shape, arguments, null, moments, null, sink).from(0, Moments.UNKNOWN);
    }

    /** The same with rows of these moments, one for each atom. */
    static boolean forEach(ChaseState state, int instance, Shape shape, int[] arguments, int[] ofMoment, Sink sink) {
        return state.instance(instance).hasRowsInAll(shape.tables)
                && new Matcher(state, instance, shape, arguments, null, Moments.ONE, ofMoment, sink)
                        .from(0, Moments.UNKNOWN);
    }

    /**
     * The same without one of the conditions of a query that has no arguments.
     *
     * <p>For denials, whose left-out condition is the one that is then concluded not to hold.
     */
    static void forEachBut(ChaseState state, int instance, Shape shape, CompiledCondition leftOut, Sink sink) {
        if (state.instance(instance).hasRowsInAll(shape.tables)) {
            new Matcher(state, instance, shape, new int[0], leftOut, Moments.NOW, null, sink).from(0, Moments.UNKNOWN);
        }
    }

    private boolean from(int position, int known) {
        if (position == shape.order.length) {
            // A query without tables has its conditions under position 0 and no row to test them
            // with.
            return (position > 0 || hold(0)) && sink.accept(rows);
        }
        int atom = shape.order[position];
        int table = shape.tables[atom];
        int count = instance.count(table);
        // A step that is refused ends the enumeration as if there were no more rows: less is known,
        // and the case remembers that it was cut off.
        for (int i = 0; i < count && state.step(); i++) {
            int[] row = instance.row(table, i);
            int with = with(known, Origin.moment(Origin.of(row)), atom);
            rows[atom] = row;
            if (with != Moments.EXCLUDED && hold(position) && from(position + 1, with)) {
                return true;
            }
        }
        return false;
    }

    private int with(int known, int moment, int atom) {
        if (moment != Origin.NOW && shape.changing.get(atom)) {
            return Moments.EXCLUDED;
        }
        if (ofMoment == null) {
            return moments.with(known, moment);
        }
        return ofMoment[atom] == moment ? moment : Moments.EXCLUDED;
    }

    private boolean hold(int position) {
        for (CompiledCondition condition : shape.testable[position]) {
            if (!isLeftOut(condition) && !holds(condition)) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // one of the query's own
    private boolean isLeftOut(CompiledCondition condition) {
        return condition == leftOut;
    }

    private boolean holds(CompiledCondition condition) {
        // The commonest condition by far, without an object for each test.
        if (condition.kind == CompiledCondition.Kind.EQUAL) {
            int left = state.node(condition.left, arguments, rows);
            int right = state.node(condition.right[0], arguments, rows);
            return state.universe.same(left, right) && state.universe.isNotNull(left);
        }
        return Ground.of(condition, state, arguments, rows).truth(state) == Truth.HOLDS;
    }
}
