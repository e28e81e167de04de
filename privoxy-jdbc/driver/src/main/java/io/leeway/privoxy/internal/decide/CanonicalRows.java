package io.leeway.privoxy.internal.decide;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a part of a view says of its rows at any one moment: which of their columns have one value, and which are compared.
 *
 * <p>Found out on its canonical database: rows with unknown values, chased with the schema and the assertions (Abiteboul,
 * Hull, Vianu, Foundations of Databases, chapter 8). So it does not matter how the view is written: by a row that it names
 * twice, by an order in both directions, or under a collation two columns are as equal as by {@code =}.
 *
 * <p>What a constant or the context gives is no value that rows have in common: each has it by itself. So is NULL.
 *
 * <p>Immutable, thread-safe.
 */
final class CanonicalRows {

    private static final int[] NO_ARGUMENTS = {};
    private static final int GIVEN = -1;

    private final Shape part;
    private final CompiledPolicy policy;
    /** By variable: the class of the value as the column compares it. */
    private final int[] value;

    private final boolean[] isGiven;
    /** By variable: the group of what one comparison after the other leads to; {@link #GIVEN} leads nowhere. */
    private final int[] group;
    /** Groups in which something is compared otherwise than by equality, or by a function. */
    private final BitSet compared = new BitSet();
    /** Groups of which the time or the settings decide. */
    private final BitSet changing = new BitSet();
    /** Values of which more is said than that they are equal to another column's. */
    private final Set<Integer> conditioned = new HashSet<>();

    private CanonicalRows(Shape part, CompiledPolicy policy, int[] value, boolean[] isGiven) {
        this.part = part;
        this.policy = policy;
        this.value = value;
        this.isGiven = isGiven;
        this.group = new int[value.length];
        Map<Integer, Integer> first = new HashMap<>();
        for (int variable = 0; variable < value.length; variable++) {
            group[variable] = isGiven[variable] ? GIVEN : first.computeIfAbsent(value[variable], each -> first.size());
        }
        for (CompiledCondition condition : part.conditions) {
            link(condition);
        }
        for (CompiledCondition condition : part.conditions) {
            note(condition);
        }
        Arrays.stream(part.head).filter(term -> !term.isSteady()).forEach(term -> mark(term, changing));
    }

    static CanonicalRows of(Shape part, CompiledPolicy policy) {
        Budget budget = Budget.DEFAULT;
        var state = new ChaseState(policy.tables().size(), budget.rows(), new Steps(budget.steps()));
        Set<String> names = new HashSet<>(part.contextNames);
        policy.inclusions().forEach(inclusion -> names.addAll(inclusion.contextNames()));
        names.forEach(name -> state.give(name, state.universe.fresh()));
        int[][] rows = Instantiation.add(state, policy, ChaseState.FIRST, part, NO_ARGUMENTS, null, part.ofNow);
        int[] cells = new int[part.representative.length];
        for (int atom = 0; atom < rows.length; atom++) {
            CompiledTable table = policy.tables().get(part.tables[atom]);
            for (int column = 0; column < table.arity; column++) {
                cells[part.variable(atom, column)] = state.comparable(table, column, rows[atom][column]);
            }
        }
        new Grounds(policy, budget).saturate(state);
        Set<Integer> given = given(part, state);
        int[] value = Arrays.stream(cells).map(state.universe::find).toArray();
        boolean[] isGiven = new boolean[value.length];
        for (int variable = 0; variable < value.length; variable++) {
            isGiven[variable] = given.contains(value[variable]) || state.universe.valueOf(value[variable]) != null;
        }
        return new CanonicalRows(part, policy, value, isGiven);
    }

    /** The classes of what the conditions say without a column. */
    private static Set<Integer> given(Shape part, ChaseState state) {
        Set<Integer> given = new HashSet<>();
        for (CompiledCondition condition : part.conditions) {
            if (condition.kind == CompiledCondition.Kind.EQUAL) {
                for (CompiledTerm side : new CompiledTerm[] {condition.left, condition.right[0]}) {
                    if (side.isRigid() && side.isSteady()) {
                        given.add(state.universe.find(state.node(side, NO_ARGUMENTS, null)));
                    }
                }
            }
        }
        return given;
    }

    private void link(CompiledCondition condition) {
        BitSet variables = variables(condition);
        if (variables.isEmpty()) {
            return;
        }
        int one = group[variables.nextSetBit(0)];
        variables.stream().map(variable -> group[variable]).distinct().forEach(other -> {
            for (int variable = 0; variable < group.length; variable++) {
                group[variable] = group[variable] == other ? one : group[variable];
            }
        });
    }

    /** Behind all links, as the groups grow by them. */
    private void note(CompiledCondition condition) {
        BitSet variables = variables(condition);
        if (!isEqualityOfColumns(condition)) {
            variables.stream().forEach(variable -> conditioned.add(value[variable]));
        }
        if (variables.cardinality() > 1 && !isEqualityOfColumns(condition)) {
            compared.set(group[variables.nextSetBit(0)]);
        }
        if (!condition.left.isSteady() || Arrays.stream(condition.right).anyMatch(term -> !term.isSteady())) {
            mark(condition.left, changing);
            Arrays.stream(condition.right).forEach(term -> mark(term, changing));
        }
    }

    private void mark(CompiledTerm term, BitSet groups) {
        BitSet variables = new BitSet();
        collect(term, variables);
        variables.stream().forEach(variable -> groups.set(group[variable]));
    }

    private BitSet variables(CompiledCondition condition) {
        BitSet variables = new BitSet();
        collect(condition.left, variables);
        Arrays.stream(condition.right).forEach(term -> collect(term, variables));
        return variables;
    }

    private void collect(CompiledTerm term, BitSet variables) {
        if (term.isVariable() && !isGiven[term.index]) {
            variables.set(term.index);
        }
        Arrays.stream(term.arguments).forEach(argument -> collect(argument, variables));
    }

    private boolean isEqualityOfColumns(CompiledCondition condition) {
        return condition.kind == CompiledCondition.Kind.EQUAL
                && isColumn(condition.left)
                && isColumn(condition.right[0]);
    }

    /** Whether a term is a column as its own type compares it. */
    private boolean isColumn(CompiledTerm term) {
        if (term.isVariable()) {
            return true;
        }
        return term.arguments.length == 1
                && term.arguments[0].isVariable()
                && term.name.equals(keyFunction(term.arguments[0]));
    }

    private @Nullable String keyFunction(CompiledTerm variable) {
        return policy.tables().get(part.tables[variable.atom]).keyFunction[variable.column];
    }

    /**
     * An answer without the cells of which something would follow: that two are one value, that one is not NULL, or whatever
     * else the conditions and the table say of it.
     */
    int[] free(int[] head, Universe universe) {
        int[] free = head.clone();
        for (int i = 0; i < head.length; i++) {
            if (!isFree(i, head, universe)) {
                free[i] = Instantiation.UNKNOWN;
            }
        }
        return free;
    }

    private boolean isFree(int position, int[] head, Universe universe) {
        CompiledTerm term = part.head[position];
        if (!term.isVariable() || isGiven[term.index] || conditioned.contains(value[term.index])) {
            return false;
        }
        for (int i = 0; i < head.length; i++) {
            CompiledTerm other = part.head[i];
            if (i != position && other.isVariable() && value[other.index] == value[term.index]) {
                return false;
            }
        }
        for (int atom = 0; atom < part.tables.length; atom++) {
            CompiledTable table = policy.tables().get(part.tables[atom]);
            for (int column = 0; column < table.arity; column++) {
                int variable = part.variable(atom, column);
                if (value[variable] == value[term.index]
                        && (table.isBoolean[column] && !universe.isBoolean(head[position])
                                || (table.notNull[column] || variable != term.index)
                                        && !universe.isNotNull(head[position]))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether two columns have one value, of which neither is told by itself. */
    boolean areTied(int atom, int column, int other, int otherColumn) {
        return !isGiven[part.variable(atom, column)] && hold(atom, column, other, otherColumn);
    }

    /** Whether two columns have one value: a tenant, say, may be given to both. */
    boolean hold(int atom, int column, int other, int otherColumn) {
        return value[part.variable(atom, column)] == value[part.variable(other, otherColumn)];
    }

    /** Whether two atoms are one row, by any key: at one moment they would be. */
    boolean areOneRow(int atom, int other) {
        return part.tables[atom] == part.tables[other]
                && Arrays.stream(policy.tables().get(part.tables[atom]).keyColumns)
                        .anyMatch(key -> Arrays.stream(key).allMatch(column -> hold(atom, column, other, column)));
    }

    /** Whether two atoms may be one row by what a function says of a key, or an order in one direction. */
    boolean mayBeOneRow(int atom, int other) {
        return part.tables[atom] == part.tables[other]
                && Arrays.stream(policy.tables().get(part.tables[atom]).keyColumns)
                        .anyMatch(key -> Arrays.stream(key).allMatch(column -> mayBeEqual(atom, other, column)));
    }

    private boolean mayBeEqual(int atom, int other, int column) {
        int compared = comparison(atom, column);
        return hold(atom, column, other, column) || compared >= 0 && compared == comparison(other, column);
    }

    /** Whether rows of these atoms may be of an earlier state than the rest: none may be a right to itself, or to the time. */
    boolean canBeEarlier(BitSet atoms) {
        for (int atom = 0; atom < part.tables.length; atom++) {
            if (atoms.get(atom) && isChanging(atom)) {
                return false;
            }
            for (int other = 0; other < atom; other++) {
                if (atoms.get(atom) != atoms.get(other) && mayBeOneRow(atom, other)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The group in which a column is compared, or -1. */
    int comparison(int atom, int column) {
        int own = group[part.variable(atom, column)];
        return own >= 0 && compared.get(own) ? own : GIVEN;
    }

    /** Whether the time or the settings decide of a row: by one of its columns, or by what that is compared with. */
    boolean isChanging(int atom) {
        for (int column = 0; column < part.query.atoms().get(atom).arity(); column++) {
            int own = group[part.variable(atom, column)];
            if (own >= 0 && changing.get(own)) {
                return true;
            }
        }
        return part.changing.get(atom);
    }
}
