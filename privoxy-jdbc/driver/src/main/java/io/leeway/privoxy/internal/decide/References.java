package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.ForeignKey;
import java.util.Arrays;
import java.util.BitSet;
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

    private final Shape part;
    private final int[] moments;
    private final CompiledPolicy policy;

    private References(Shape part, int[] moments, CompiledPolicy policy) {
        this.part = part;
        this.moments = moments;
        this.policy = policy;
    }

    /** Whether nothing else ties rows of two moments before. */
    static boolean areAllThatTies(Shape part, int[] moments, CompiledPolicy policy) {
        long before = Arrays.stream(moments)
                .filter(moment -> moment != Origin.NOW)
                .distinct()
                .count();
        if (before < 2) {
            return true;
        }
        var references = new References(part, moments, policy);
        return references.areOrdersOfOneMoment() && references.areEqualitiesReferences();
    }

    /**
     * Whether whatever is compared otherwise than by equality, or by a function, is of one moment before; one comparison
     * leads to the next, as {@code a <= x AND x <= b} says that {@code a <= b}.
     */
    private boolean areOrdersOfOneMoment() {
        int[] linked = part.representative.clone();
        BitSet compared = new BitSet();
        for (CompiledCondition condition : part.conditions) {
            if (!isEqualityOfColumns(condition)) {
                BitSet variables = new BitSet();
                collect(condition.left, variables);
                Arrays.stream(condition.right).forEach(term -> collect(term, variables));
                if (variables.cardinality() > 1) {
                    variables.stream().forEach(each -> compared.set(each));
                    int first = root(linked, variables.nextSetBit(0));
                    variables.stream().forEach(each -> linked[root(linked, each)] = first);
                }
            }
        }
        Map<Integer, Integer> momentOf = new HashMap<>();
        BitSet groups = new BitSet();
        compared.stream().forEach(each -> groups.set(root(linked, each)));
        for (int atom = 0; atom < moments.length; atom++) {
            for (int column = 0; moments[atom] != Origin.NOW && column < arity(atom); column++) {
                int group = root(linked, variable(atom, column));
                Integer other = groups.get(group) ? momentOf.putIfAbsent(group, moments[atom]) : null;
                if (other != null && other != moments[atom]) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isEqualityOfColumns(CompiledCondition condition) {
        return condition.kind == CompiledCondition.Kind.EQUAL
                && condition.left.isVariable()
                && condition.right[0].isVariable();
    }

    private static void collect(CompiledTerm term, BitSet variables) {
        if (term.isVariable()) {
            variables.set(term.index);
        }
        Arrays.stream(term.arguments).forEach(argument -> collect(argument, variables));
    }

    private static int root(int[] parent, int variable) {
        int root = variable;
        while (parent[root] != root) {
            root = parent[root];
        }
        return root;
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
                if (areEqual(one, column, other, otherColumn)
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
        int[] primary = policy.tables().get(part.tables[named]).primary;
        return primary != null
                && Arrays.stream(primary).anyMatch(each -> each == column)
                && Arrays.stream(primary)
                        .allMatch(
                                each -> IntStream.range(0, arity(by)).anyMatch(own -> part.hold(named, each, by, own)));
    }

    /** Whether two rows refer to one row, by whole foreign keys of which the columns are part. */
    private boolean referToOne(int one, int column, int other, int otherColumn) {
        for (ForeignKey key : policy.tables().get(part.tables[one]).foreignKeys) {
            for (ForeignKey otherKey : policy.tables().get(part.tables[other]).foreignKeys) {
                if (key.target().equals(otherKey.target())
                        && key.targetColumns().equals(otherKey.targetColumns())
                        && key.columns().contains(column)
                        && key.columns().indexOf(column) == otherKey.columns().indexOf(otherColumn)
                        && IntStream.range(0, key.columns().size())
                                .allMatch(i -> part.hold(
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

    private boolean areEqual(int one, int column, int other, int otherColumn) {
        return part.representative[variable(one, column)] == part.representative[variable(other, otherColumn)];
    }

    private int variable(int atom, int column) {
        return part.query.atoms().get(atom).firstVariable() + column;
    }

    private int arity(int atom) {
        return part.query.atoms().get(atom).arity();
    }
}
