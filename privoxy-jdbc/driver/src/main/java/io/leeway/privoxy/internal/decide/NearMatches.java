package io.leeway.privoxy.internal.decide;

import org.jspecify.annotations.Nullable;

/**
 * Looks for rows that match a query but for one condition that is open and worth splitting on: a null test, a
 * comparison with something rigid or of a value with itself, or an order comparison. Equality of two unrelated values
 * is not: it seldom leads anywhere and multiplies the cases.
 *
 * <p>Case distinctions are what makes a chase exponential, so they are made only where one more condition would let a
 * rule apply. With order comparisons such cases are needed for completeness already of conjunctive queries (Klug,
 * 1988); here they are taken one by one instead of over all orders at once.
 */
final class NearMatches {

    private final ChaseState state;
    private final Instance instance;
    private final Shape shape;
    private final int[] arguments;
    private final Moments moments;
    private final int[][] rows;
    private @Nullable Ground open;

    private NearMatches(ChaseState state, int instance, Shape shape, int[] arguments, Moments moments) {
        this.state = state;
        this.instance = state.instance(instance);
        this.shape = shape;
        this.arguments = arguments;
        this.moments = moments;
        this.rows = new int[shape.tables.length][];
    }

    static @Nullable Ground firstWithOneOpenCondition(
            ChaseState state, int instance, Shape shape, int[] arguments, Moments moments) {
        if (!state.instance(instance).hasRowsInAll(shape.tables)) {
            return null;
        }
        NearMatches search = new NearMatches(state, instance, shape, arguments, moments);
        return search.from(0, Moments.UNKNOWN) ? search.open : null;
    }

    private boolean from(int position, int known) {
        if (position == shape.order.length) {
            return open != null && moments.isEnough(known);
        }
        int atom = shape.order[position];
        int table = shape.tables[atom];
        for (int i = 0; i < instance.count(table) && state.step(); i++) {
            rows[atom] = instance.row(table, i);
            Ground before = open;
            int moment = Origin.moment(Origin.of(rows[atom]));
            boolean isSaid = moment == Origin.NOW || !shape.changing.get(atom);
            int with = isSaid ? moments.with(known, moment) : Moments.EXCLUDED;
            if (with != Moments.EXCLUDED && fit(position) && from(position + 1, with)) {
                return true;
            }
            open = before;
        }
        return false;
    }

    private boolean fit(int position) {
        for (CompiledCondition condition : shape.testable[position]) {
            Ground ground = Ground.of(condition, state, arguments, rows);
            Truth truth = ground.truth(state);
            if (truth == Truth.FAILS) {
                return false;
            }
            if (truth == Truth.OPEN) {
                // Two open conditions would make no rule apply in most of the parts; the search
                // would rather run out of cases.
                if (open != null || !isWorthSplitting(condition, ground)) {
                    return false;
                }
                open = ground;
            }
        }
        return true;
    }

    private boolean isWorthSplitting(CompiledCondition condition, Ground ground) {
        return switch (condition.kind) {
            case IS_NULL, IS_NOT_NULL, ONE_OF, LESS, LESS_OR_EQUAL -> true;
            case EQUAL, NOT_EQUAL ->
                condition.left.isRigid()
                        || condition.right[0].isRigid()
                        // A value compared with itself: open is only whether it is NULL.
                        || state.universe.same(ground.left(), ground.right()[0]);
        };
    }
}
