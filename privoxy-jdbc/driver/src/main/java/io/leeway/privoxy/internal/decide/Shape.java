package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A conjunctive query prepared for one policy: tables by number, terms resolved, conditions filed under the first atom
 * after which they can be tested. Immutable, thread-safe.
 *
 * <p>Everything that does not depend on a case is worked out here once, as one statement is matched thousands of times
 * with other values.
 */
public final class Shape {

    final ConjunctiveQuery query;
    /** Table number of each atom. */
    final int[] tables;
    /** Atoms in the order in which a match binds them: those tied to constants first, then connected ones. */
    final int[] order;

    final CompiledTerm[] head;
    final CompiledCondition[] conditions;
    /** By position in {@link #order}: what becomes testable there; conditions without variables are under 0. */
    final CompiledCondition[][] testable;
    /**
     * For each variable the smallest variable that the WHERE clause equates with it.
     *
     * <p>By variables only, without the functions around them: lower(a) = lower(b) makes neither a nor b the other.
     */
    final int[] representative;
    /**
     * What its atoms have in common: columns whose value stands in several atoms too, or is compared with one of another.
     */
    final List<CompiledTerm> joints;
    /** The context parameters that the query names. */
    final Set<String> contextNames;

    Shape(ConjunctiveQuery query, int[] tables) {
        this.query = query;
        this.tables = tables;
        int[] firstVariable = new int[tables.length];
        int[] variableAtom = new int[query.variables()];
        for (int a = 0; a < tables.length; a++) {
            Atom atom = query.atoms().get(a);
            firstVariable[a] = atom.firstVariable();
            for (int c = 0; c < atom.arity(); c++) {
                variableAtom[atom.firstVariable() + c] = a;
            }
        }
        this.representative = representatives(query);
        this.order = AtomOrder.of(query, variableAtom);
        int[] position = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            position[order[i]] = i;
        }
        this.head = CompiledTerm.ofAll(query.head(), variableAtom, firstVariable, position);
        this.conditions = query.conditions().stream()
                .map(condition -> CompiledCondition.of(condition, variableAtom, firstVariable, position))
                .toArray(CompiledCondition[]::new);
        // A query without tables still has a place for its conditions.
        this.testable = filed(conditions, Math.max(1, order.length));
        this.joints = tables.length < 2 ? List.of() : Joints.of(this);
        this.contextNames = Set.copyOf(Mentions.contextNames(query));
    }

    private static CompiledCondition[][] filed(CompiledCondition[] conditions, int positions) {
        List<List<CompiledCondition>> lists = new ArrayList<>();
        for (int i = 0; i < positions; i++) {
            lists.add(new ArrayList<>());
        }
        for (CompiledCondition condition : conditions) {
            lists.get(Math.max(0, condition.ready)).add(condition);
        }
        return lists.stream()
                .map(list -> list.toArray(CompiledCondition[]::new))
                .toArray(CompiledCondition[][]::new);
    }

    private static int[] representatives(ConjunctiveQuery query) {
        int[] parent = new int[query.variables()];
        for (int i = 0; i < parent.length; i++) {
            parent[i] = i;
        }
        for (Condition condition : query.conditions()) {
            if (condition instanceof Condition.Comparison comparison
                    && comparison.operator() == Condition.Operator.EQUAL
                    && comparison.left() instanceof Term.Variable left
                    && comparison.right() instanceof Term.Variable right) {
                int a = root(parent, left.index());
                int b = root(parent, right.index());
                parent[Math.max(a, b)] = Math.min(a, b);
            }
        }
        for (int i = 0; i < parent.length; i++) {
            parent[i] = root(parent, i);
        }
        return parent;
    }

    private static int root(int[] parent, int variable) {
        int v = variable;
        while (parent[v] != v) {
            v = parent[v];
        }
        return v;
    }

    /** The query that this was made from. */
    public ConjunctiveQuery query() {
        return query;
    }

    /** The context parameters that the query names. */
    public Set<String> contextNames() {
        return contextNames;
    }
}
