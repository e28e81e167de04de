package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.ForeignKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What ties rows of several moments before to each other in a part of a view that is asked with them.
 *
 * <p>By references they may: one names the other by its primary key, or both refer to a third by foreign keys; the person
 * that is this user, and a role of that person; two that belong to one course. By any other values they may have fitted
 * together at no moment. What they have in common by way of rows of now counts as what they have in common.
 */
final class References {

    private final ChaseState state;
    private final CompiledPolicy policy;
    private final Shape part;
    private final CanonicalRows canonical;
    private final int[][] rows;
    private final int[] moments;

    private References(ChaseState state, CompiledPolicy policy, Shape part, int[][] rows, int[] moments) {
        this.state = state;
        this.policy = policy;
        this.part = part;
        this.canonical = policy.canonical(part);
        this.rows = rows;
        this.moments = moments;
    }

    /** Whether nothing else ties rows of two moments before. */
    static boolean areAllThatTies(ChaseState state, CompiledPolicy policy, Shape part, int[][] rows, int[] moments) {
        long before = Arrays.stream(moments)
                .filter(moment -> moment != Origin.NOW)
                .distinct()
                .count();
        if (before < 2) {
            return true;
        }
        var references = new References(state, policy, part, rows, moments);
        return references.areOrdersOfOneMoment() && references.areEqualitiesReferences();
    }

    /** Whether whatever is compared otherwise than by equality, or by a function, is of one moment before. */
    private boolean areOrdersOfOneMoment() {
        Map<Integer, Integer> momentOf = new HashMap<>();
        for (int atom = 0; atom < moments.length; atom++) {
            for (int column = 0; moments[atom] != Origin.NOW && column < arity(atom); column++) {
                int group = canonical.comparison(atom, column);
                Integer other = group >= 0 ? momentOf.putIfAbsent(group, moments[atom]) : null;
                if (other != null && other != moments[atom]) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean areEqualitiesReferences() {
        for (int atom = 0; atom < moments.length; atom++) {
            for (int other = 0; other < atom; other++) {
                if (moments[atom] != Origin.NOW
                        && moments[other] != Origin.NOW
                        && moments[atom] != moments[other]
                        && !areEqualByReferences(atom, other)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean areEqualByReferences(int one, int other) {
        for (int column = 0; column < arity(one); column++) {
            for (int otherColumn = 0; otherColumn < arity(other); otherColumn++) {
                if (canonical.areTied(one, column, other, otherColumn)
                        && !names(one, column, other)
                        && !names(other, otherColumn, one)
                        && !referToOne(one, column, other, otherColumn)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether a row has the whole primary key of another, of which the column is part. */
    private boolean names(int named, int column, int by) {
        int[] primary = table(named).primary;
        return primary != null
                && Arrays.stream(primary).anyMatch(each -> each == column)
                && Arrays.stream(primary)
                        .allMatch(each -> IntStream.range(0, arity(by)).anyMatch(own -> hold(named, each, by, own)));
    }

    /**
     * Whether two rows refer to one row, by whole foreign keys of which the columns are part. To its primary key: another
     * one may have been another row's at another moment.
     */
    private boolean referToOne(int one, int column, int other, int otherColumn) {
        for (ForeignKey key : table(one).foreignKeys) {
            for (ForeignKey otherKey : table(other).foreignKeys) {
                if (key.target().equals(otherKey.target())
                        && key.targetColumns().equals(otherKey.targetColumns())
                        && key.primary()
                        && key.columns().contains(column)
                        && key.columns().indexOf(column) == otherKey.columns().indexOf(otherColumn)
                        && IntStream.range(0, key.columns().size())
                                .allMatch(i -> hold(
                                        one,
                                        key.columns().get(i),
                                        other,
                                        otherKey.columns().get(i)))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether two rows have one value, in whatever rows and in these: what holds at one moment need not at two. */
    private boolean hold(int one, int column, int other, int otherColumn) {
        return canonical.hold(one, column, other, otherColumn)
                && state.universe.same(cell(one, column), cell(other, otherColumn));
    }

    private int cell(int atom, int column) {
        return state.comparable(table(atom), column, rows[atom][column]);
    }

    private CompiledTable table(int atom) {
        return policy.tables().get(part.tables[atom]);
    }

    private int arity(int atom) {
        return part.query.atoms().get(atom).arity();
    }
}
