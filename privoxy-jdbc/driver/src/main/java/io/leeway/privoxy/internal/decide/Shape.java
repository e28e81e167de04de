package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    /** The moments of its rows where all are of now. */
    final int[] ofNow;
    /** The context parameters that the query names. */
    final Set<String> contextNames;
    /**
     * The atoms of whose rows the query asks what the time or the settings say of them, which is said of rows of now only:
     * that a row of before is older than now says nothing of what was so then.
     */
    final BitSet changing;

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
        this.ofNow = new int[tables.length];
        this.contextNames = Set.copyOf(Mentions.contextNames(query));
        this.changing = new BitSet();
        Arrays.stream(head).forEach(this::change);
        for (CompiledCondition condition : conditions) {
            change(condition.left);
            Arrays.stream(condition.right).forEach(this::change);
        }
    }

    private void change(CompiledTerm term) {
        if (!term.isSteady()) {
            BitSet atoms = new BitSet();
            collectAtoms(term, atoms);
            if (atoms.isEmpty()) {
                changing.set(0, tables.length);
            }
            changing.or(atoms);
        }
    }

    private static void collectAtoms(CompiledTerm term, BitSet atoms) {
        if (term.isVariable()) {
            atoms.set(term.atom);
        }
        Arrays.stream(term.arguments).forEach(argument -> collectAtoms(argument, atoms));
    }

    /** The variable of an atom's column. */
    int variable(int atom, int column) {
        return query.atoms().get(atom).firstVariable() + column;
    }

    /** One origin for the rows of all atoms. */
    int[] all(int origin) {
        int[] origins = new int[tables.length];
        Arrays.fill(origins, origin);
        return origins;
    }

    /**
     * The columns of an atom that an answer shows, by themselves: what was only compared with one of these need not be
     * equal to it any more.
     */
    BitSet shown(int atom, int[] answer) {
        BitSet columns = new BitSet();
        for (int i = 0; i < head.length; i++) {
            if (answer[i] != Instantiation.UNKNOWN && head[i].isVariable() && head[i].atom == atom) {
                columns.set(head[i].column);
            }
        }
        return columns;
    }

    /** What an answer and the query's constants say of columns of an atom; null if they do not of each. */
    int @Nullable [] cells(ChaseState state, int atom, int[] columns, int[] arguments, int[] answer) {
        int first = query.atoms().get(atom).firstVariable();
        int[] cells = new int[columns.length];
        for (int i = 0; i < cells.length; i++) {
            int variable = representative[first + columns[i]];
            int position = position(variable, answer);
            CompiledTerm constant = position >= 0 ? null : constant(variable);
            if (position < 0 && constant == null) {
                return null;
            }
            cells[i] = constant == null ? answer[position] : state.node(constant, arguments, null);
        }
        return cells;
    }

    private int position(int variable, int[] answer) {
        for (int i = 0; i < head.length; i++) {
            if (answer[i] != Instantiation.UNKNOWN
                    && head[i].isVariable()
                    && representative[head[i].index] == variable) {
                return i;
            }
        }
        return -1;
    }

    /** What a variable, which stands for all that are equal to it, is equal to of what is given. */
    private @Nullable CompiledTerm constant(int variable) {
        for (CompiledCondition condition : conditions) {
            if (condition.kind == CompiledCondition.Kind.EQUAL) {
                CompiledTerm right = condition.right[0];
                if (isThe(variable, condition.left) && right.isRigid()) {
                    return right;
                }
                if (isThe(variable, right) && condition.left.isRigid()) {
                    return condition.left;
                }
            }
        }
        return null;
    }

    private boolean isThe(int variable, CompiledTerm term) {
        return term.isVariable() && representative[term.index] == variable;
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
