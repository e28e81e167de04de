package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one table by their key, as far as two rows with one key are one.
 *
 * <p>Rows of a fact and those of the goal are of two moments: somebody may have changed the row in between. That it is
 * the same row as the one with that primary key then is what opens it again; its values of then say nothing of what
 * other rows the statement reads now, and do not keep it from being what the statement asks for. After {@code SELECT *
 * FROM m WHERE id = 7} gave {@code uid = 1}, that {@code m JOIN t ON t.owner = m.uid WHERE m.id = 7} reads the rows of
 * owner 1 is no longer known, nor that {@code uid <> 1} is true of others only. So such rows are one only where what
 * says which row it is is the same ({@link CompiledTable#isIdentity}), where the values that the goal has in common with other rows, and those that are given, were
 * the same before, and where nothing that is known of both contradicts it.
 */
final class Twins {

    static final int NONE = -1;

    private final ChaseState state;
    private final Instance instance;
    private final int number;
    private final CompiledTable table;
    private final boolean isIdentity;
    private final Map<Application.Key, Integer> seen;
    /** Further rows with a key that another one has. */
    private @Nullable Map<Application.Key, List<Integer>> more;

    Twins(ChaseState state, Instance instance, int number, CompiledTable table, int key) {
        this.state = state;
        this.instance = instance;
        this.number = number;
        this.table = table;
        this.isIdentity = table.isIdentity[key];
        this.seen = new HashMap<>(instance.count(number) * 2);
    }

    /** The number of the row that this one is, or {@link #NONE}: then it is remembered. */
    int find(int[] key, int index) {
        Application.Key own = new Application.Key("", key);
        Integer first = seen.putIfAbsent(own, index);
        if (first == null) {
            return NONE;
        }
        int[] row = instance.row(number, index);
        if (isOfOneMoment(row, instance.row(number, first))) {
            return first;
        }
        return find(own, row, first, index);
    }

    private int find(Application.Key key, int[] row, int first, int index) {
        if (more == null) {
            more = new HashMap<>();
        }
        List<Integer> others = more.computeIfAbsent(key, absent -> new ArrayList<>(1));
        // Those of one moment first: of them it is certain.
        for (int other : others) {
            if (isOfOneMoment(row, instance.row(number, other))) {
                return other;
            }
        }
        if (canBeOne(row, instance.row(number, first))) {
            return first;
        }
        for (int other : others) {
            if (canBeOne(row, instance.row(number, other))) {
                return other;
            }
        }
        others.add(index);
        state.heldBack = true;
        return NONE;
    }

    private boolean isOfOneMoment(int[] row, int[] other) {
        return !state.knowsJoints() || Origin.areOfOneMoment(Origin.of(row), Origin.of(other));
    }

    private boolean canBeOne(int[] row, int[] other) {
        boolean isNow = Origin.areOfOneMoment(Origin.of(row), Origin.GOAL);
        return isNow ? isOne(row, other) : isOne(other, row);
    }

    /** Whether a row of now and one of before are the same row with the same place among others. */
    private boolean isOne(int[] row, int[] other) {
        Universe universe = state.universe;
        if (!isIdentity && !isSameRow(row, other)) {
            return false;
        }
        for (int column = 0; column < table.arity; column++) {
            if (!universe.same(row[column], other[column]) && isSaid(row[column], other[column])) {
                return false;
            }
        }
        return state.canBeSame(row, other, table.arity);
    }

    private boolean isSameRow(int[] row, int[] other) {
        for (int column : table.identity()) {
            int own = state.comparable(table, column, row[column]);
            if (!state.universe.same(own, state.comparable(table, column, other[column]))) {
                return false;
            }
        }
        return true;
    }

    /** Whether that a value is that of before would say something of other rows, or of what is given. */
    private boolean isSaid(int now, int before) {
        Universe universe = state.universe;
        // What is given may stand in several rows of the goal.
        return universe.isJoint(now)
                || universe.isJoint(before)
                || isGiven(now) && (isGiven(before) || state.hasJoints());
    }

    private boolean isGiven(int node) {
        return state.universe.valueOf(node) != null || state.universe.isSymbol(node);
    }
}
