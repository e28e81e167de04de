package io.leeway.privoxy.internal.decide;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts the rows into a database that make a query have a given answer: its body with fresh values for what the answer
 * hides.
 *
 * <p>The step "freeze" of the containment test (Chandra and Merlin, 1977): hidden columns get values of which nothing
 * is known but what the query's conditions and the schema say.
 */
final class Instantiation {

    /** In a head: nothing is known of this cell. */
    static final int UNKNOWN = -1;

    private final ChaseState state;
    private final CompiledPolicy policy;
    private final Shape shape;
    private final int[] arguments;
    /**
     * Node of each variable's representative, or UNKNOWN.
     *
     * <p>Variables that the query equates get one node from the start, instead of two that are merged: most nodes of a
     * decision are spared by that.
     */
    private final int[] variables;

    private Instantiation(ChaseState state, CompiledPolicy policy, Shape shape, int[] arguments) {
        this.state = state;
        this.policy = policy;
        this.shape = shape;
        this.arguments = arguments;
        this.variables = new int[shape.representative.length];
        Arrays.fill(variables, UNKNOWN);
    }

    /**
     * Adds the body.
     *
     * @param head the answer's nodes, or null if nothing is known of it
     * @param origins of the row of each atom
     * @return the row added for each atom
     */
    static int[][] add(
            ChaseState state,
            CompiledPolicy policy,
            int instance,
            Shape shape,
            int[] arguments,
            int @Nullable [] head,
            int[] origins) {
        return new Instantiation(state, policy, shape, arguments).add(instance, head, origins);
    }

    private int[][] add(int instance, int @Nullable [] head, int[] origins) {
        if (head != null) {
            bindHead(head);
        }
        bindConstants();
        int[][] rows = new int[shape.tables.length][];
        for (int atom = 0; atom < rows.length; atom++) {
            rows[atom] = row(atom, origins[atom]);
        }
        // The answer is there, so each condition was TRUE for these rows: its columns are not NULL,
        // too.
        for (CompiledCondition condition : shape.conditions) {
            Ground.of(condition, state, arguments, rows).assume(state);
        }
        if (head != null) {
            mergeComputedHead(head, rows);
        }
        for (int atom = 0; atom < rows.length; atom++) {
            // Last, as a contradiction found before spares the rows, and a head that is computed
            // has to be tied to them first.
            state.instance(instance).add(shape.tables[atom], rows[atom]);
        }
        return rows;
    }

    private void bindHead(int[] head) {
        for (int i = 0; i < head.length; i++) {
            if (head[i] != UNKNOWN && shape.head[i].isVariable()) {
                bind(shape.head[i].index, head[i]);
            }
        }
    }

    private void bindConstants() {
        for (CompiledCondition condition : shape.conditions) {
            // An equality with a constant makes the node that constant; with a function of a column
            // it is left to the condition's own assumption.
            if (condition.kind == CompiledCondition.Kind.EQUAL) {
                bindConstant(condition.left, condition.right[0]);
                bindConstant(condition.right[0], condition.left);
            }
        }
    }

    private void bindConstant(CompiledTerm variable, CompiledTerm other) {
        if (variable.isVariable() && other.isRigid()) {
            bind(variable.index, state.node(other, arguments, null));
        }
    }

    private void bind(int variable, int node) {
        int representative = shape.representative[variable];
        if (variables[representative] == UNKNOWN) {
            variables[representative] = node;
        } else {
            // The head shows one value twice, or a constant where the body has one: they are the
            // same, or the case cannot occur.
            state.universe.merge(variables[representative], node);
        }
    }

    private int[] row(int atom, int origin) {
        CompiledTable table = policy.tables().get(shape.tables[atom]);
        int first = shape.query.atoms().get(atom).firstVariable();
        int[] row = new int[table.arity + 1];
        for (int column = 0; column < table.arity; column++) {
            int representative = shape.representative[first + column];
            if (variables[representative] == UNKNOWN) {
                variables[representative] = state.universe.fresh();
            }
            row[column] = variables[representative];
            if (table.isBoolean[column]) {
                state.universe.markBoolean(row[column]);
            }
            if (table.notNull[column]) {
                state.universe.assumeNotNull(row[column]);
            }
        }
        row[table.arity] = origin;
        return row;
    }

    /**
     * The answer's cell is what the function gave. That ties an application to a known value, by which the same
     * application is recognised in the goal.
     */
    private void mergeComputedHead(int[] head, int[][] rows) {
        for (int i = 0; i < head.length; i++) {
            if (head[i] != UNKNOWN && !shape.head[i].isVariable()) {
                state.universe.merge(state.node(shape.head[i], arguments, rows), head[i]);
            }
        }
    }
}
