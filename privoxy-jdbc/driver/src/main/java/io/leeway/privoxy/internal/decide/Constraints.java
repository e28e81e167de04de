package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.ForeignKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every database fulfils, applied to the known rows of one: keys make values equal, foreign keys and inclusions add
 * rows. Existence constraints are applied to rows up to {@link #MAX_GENERATION} only, so that cyclic ones end; leaving
 * out rows is sound.
 */
final class Constraints {

    /** How many existence constraints in a row are followed. */
    static final int MAX_GENERATION = 4;

    private static final int[] NO_ARGUMENTS = {};

    private final ChaseState state;
    private final CompiledPolicy policy;
    private final List<CompiledTable> tables;
    private final int[][] targets;

    Constraints(ChaseState state, CompiledPolicy policy) {
        this.state = state;
        this.policy = policy;
        this.targets = policy.targets();
        this.tables = policy.tables();
    }

    /** Applies keys, then what adds rows, then keys to these. */
    void apply(int number, BitSet relevant, List<CompiledInclusion> inclusions) {
        applyKeys(number);
        long before = state.stamp();
        applyForeignKeys(number, relevant);
        applyInclusions(number, inclusions);
        if (state.stamp() != before) {
            applyKeys(number);
        }
    }

    /** Applies keys until nothing changes. */
    private void applyKeys(int number) {
        Instance instance = state.instance(number);
        int version;
        do {
            version = state.universe.version();
            for (int u = 0; u < instance.usedTables() && !state.universe.contradictory(); u++) {
                int table = instance.usedTable(u);
                if (instance.count(table) > 1) {
                    for (int key = 0; key < tables.get(table).keyColumns.length; key++) {
                        applyKey(instance, table, tables.get(table), key);
                    }
                }
            }
            state.universe.close();
        } while (version != state.universe.version() && !state.universe.contradictory());
    }

    private void applyKey(Instance instance, int tableNumber, CompiledTable table, int key) {
        Map<Application.Key, int[]> seen = new HashMap<>(instance.count(tableNumber) * 2);
        for (int i = 0; i < instance.count(tableNumber); i++) {
            int[] row = instance.row(tableNumber, i);
            int[] roots = keyRoots(table, key, row);
            if (roots != null) {
                int[] twin = seen.putIfAbsent(new Application.Key("", roots), row);
                if (twin != null) {
                    for (int column = 0; column < table.arity; column++) {
                        state.universe.merge(twin[column], row[column]);
                    }
                    twin[table.arity] = Math.min(twin[table.arity], row[table.arity]);
                    instance.remove(tableNumber, i--);
                }
            }
        }
    }

    /** The key's classes, or null if a null could exempt the row. */
    private int @Nullable [] keyRoots(CompiledTable table, int key, int[] row) {
        int[] columns = table.keyColumns[key];
        boolean nullsDistinct = table.keys.get(key).nullsDistinct();
        int[] roots = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            int cell = row[columns[i]];
            if (nullsDistinct && !state.universe.isNotNull(cell)) {
                return null;
            }
            roots[i] = state.universe.find(comparable(table, columns[i], cell));
        }
        return roots;
    }

    private int comparable(CompiledTable table, int column, int cell) {
        String function = table.keyFunction[column];
        return function == null ? cell : state.universe.apply(function, new int[] {cell});
    }

    /** Adds the rows that foreign keys demand of {@code relevant} tables. */
    private void applyForeignKeys(int number, BitSet relevant) {
        Instance instance = state.instance(number);
        for (int u = 0; u < instance.usedTables(); u++) {
            int source = instance.usedTable(u);
            for (int key = 0; key < targets[source].length; key++) {
                int target = targets[source][key];
                if (target >= 0 && target < instance.tables() && relevant.get(target)) {
                    applyForeignKey(
                            instance, source, tables.get(source).foreignKeys.get(key), target);
                }
            }
        }
    }

    private void applyForeignKey(Instance instance, int source, ForeignKey key, int target) {
        int count = instance.count(source);
        for (int i = 0; i < count; i++) {
            int[] row = instance.row(source, i);
            if (state.isFull(0)) {
                return;
            }
            if (refers(row, key) && !hasTarget(instance, row, source, key, target)) {
                if (Instance.generation(row) >= MAX_GENERATION) {
                    state.truncated = true;
                } else {
                    addTarget(instance, row, source, key, target);
                }
            }
        }
    }

    private boolean refers(int[] row, ForeignKey key) {
        for (int column : key.columns()) {
            if (!state.universe.isNotNull(row[column])) {
                return false;
            }
        }
        return true;
    }

    private boolean hasTarget(Instance instance, int[] row, int source, ForeignKey key, int target) {
        for (int i = 0; i < instance.count(target); i++) {
            int[] candidate = instance.row(target, i);
            boolean all = true;
            for (int c = 0; c < key.columns().size() && all; c++) {
                int column = key.columns().get(c);
                int targetColumn = key.targetColumns().get(c);
                all = state.universe.same(
                        comparable(tables.get(source), column, row[column]),
                        comparable(tables.get(target), targetColumn, candidate[targetColumn]));
            }
            if (all) {
                return true;
            }
        }
        return false;
    }

    private void addTarget(Instance instance, int[] row, int source, ForeignKey key, int target) {
        CompiledTable table = tables.get(target);
        int[] added = new int[table.arity + 1];
        for (int column = 0; column < table.arity; column++) {
            int pair = key.targetColumns().indexOf(column);
            added[column] = pair < 0 ? state.universe.fresh() : referred(row, source, key, pair, table, column);
            if (table.isBoolean[column]) {
                state.universe.markBoolean(added[column]);
            }
            if (table.notNull[column] || pair >= 0) {
                state.universe.assumeNotNull(added[column]);
            }
        }
        added[table.arity] = Instance.generation(row) + 1;
        instance.add(target, added);
    }

    private int referred(int[] row, int source, ForeignKey key, int pair, CompiledTable target, int targetColumn) {
        int column = key.columns().get(pair);
        CompiledTable from = tables.get(source);
        if (from.keyFunction[column] == null && target.keyFunction[targetColumn] == null) {
            return row[column];
        }
        int fresh = state.universe.fresh();
        state.universe.merge(comparable(target, targetColumn, fresh), comparable(from, column, row[column]));
        return fresh;
    }

    /** Applies the policy's inclusions to what is known. */
    private void applyInclusions(int number, List<CompiledInclusion> inclusions) {
        for (CompiledInclusion inclusion : inclusions) {
            // What holds for a parameter that nobody gave is not known.
            if (!state.isGiven(inclusion.contextNames())) {
                continue;
            }
            for (Shape left : inclusion.left()) {
                if (inclusion.right().length == 0) {
                    equateWhatMayNotDiffer(number, left);
                }
                List<int[]> heads = new ArrayList<>();
                List<Integer> generations = new ArrayList<>();
                Matcher.forEach(state, number, left, NO_ARGUMENTS, rows -> {
                    heads.add(state.nodes(left.head, NO_ARGUMENTS, rows));
                    generations.add(generation(rows));
                    return state.isFull(heads.size());
                });
                for (int i = 0; i < heads.size() && !state.universe.contradictory(); i++) {
                    applyInclusion(number, inclusion, heads.get(i), generations.get(i));
                }
            }
        }
    }

    /**
     * Rows that are denied only if two values differ have equal ones there: {@code … AND a.x <> c.x IS EMPTY}. Only where
     * neither can be NULL, as a comparison with NULL denies nothing.
     */
    private void equateWhatMayNotDiffer(int number, Shape denied) {
        for (CompiledCondition condition : denied.conditions) {
            if (condition.kind != CompiledCondition.Kind.NOT_EQUAL) {
                continue;
            }
            List<Ground> equal = new ArrayList<>();
            Matcher.forEachBut(state, number, denied, condition, rows -> {
                Ground differ = Ground.of(condition, state, NO_ARGUMENTS, rows);
                boolean bothThere =
                        state.universe.isNotNull(differ.left()) && state.universe.isNotNull(differ.right()[0]);
                if (bothThere && differ.truth(state) == Truth.OPEN) {
                    equal.add(new Ground(CompiledCondition.Kind.EQUAL, differ.left(), differ.right()));
                }
                return false;
            });
            equal.forEach(ground -> ground.assume(state));
        }
    }

    private static int generation(int[][] rows) {
        int generation = 0;
        for (int[] row : rows) {
            generation = Math.max(generation, Instance.generation(row));
        }
        return generation;
    }

    private void applyInclusion(int number, CompiledInclusion inclusion, int[] head, int generation) {
        for (Shape right : inclusion.right()) {
            if (Answers.has(state, number, right, NO_ARGUMENTS, head)) {
                return;
            }
        }
        if (inclusion.right().length == 0) {
            state.universe.contradict();
        } else if (generation >= MAX_GENERATION) {
            state.truncated = true;
        } else if (inclusion.right().length == 1) {
            Instantiation.add(state, policy, number, inclusion.right()[0], NO_ARGUMENTS, head, generation + 1);
        } else if (state.carry(number + ":" + inclusion.name(), head)) {
            state.pending.add(new ChaseState.Disjunction(number, inclusion.right(), head, generation + 1));
        }
    }
}
