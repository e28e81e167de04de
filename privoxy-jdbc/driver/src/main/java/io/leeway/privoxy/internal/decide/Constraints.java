package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.ForeignKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every database fulfils, applied to the known rows of one: keys make values equal, foreign keys and inclusions
 * add rows. Existence constraints are applied to rows up to {@link #MAX_GENERATION} only, so that cyclic ones end;
 * leaving out rows is sound.
 *
 * <p>Keys are equality-generating dependencies, foreign keys and assertions tuple-generating ones (Abiteboul, Hull,
 * Vianu, Foundations of Databases, section 8.4 and chapter 10). Rows are added only where none fulfils the demand yet,
 * the restricted chase: it ends more often, and less is looked at.
 */
final class Constraints {

    /**
     * How many existence constraints in a row are followed.
     *
     * <p>Users refer to people and people to users in the dissertation's own schema (diaspora*): the chase of such a
     * cycle never ends. A proof that needs a longer way is lost and left to the solvers.
     */
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

    /**
     * Applies keys, then what adds rows, then keys to these.
     *
     * <p>Keys first, since two rows that are one make one row refer, not two; and again afterwards, since a row that
     * was added may be one that is there under another name.
     */
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
            // A merge can make the key of a third row equal, hence until nothing changes.
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
        Map<Application.Key, Integer> seen = new HashMap<>(instance.count(tableNumber) * 2);
        for (int i = 0; i < instance.count(tableNumber); i++) {
            int[] row = instance.row(tableNumber, i);
            int[] roots = Origin.moment(Origin.of(row)) == Origin.NONE ? null : keyRoots(table, key, row);
            Integer twin = roots == null ? null : seen.putIfAbsent(new Application.Key("", roots), i);
            if (twin != null) {
                int[] other = instance.row(tableNumber, twin);
                for (int column = 0; column < table.arity; column++) {
                    // All columns: they are one row. The key's own columns may still differ as
                    // texts where the collation is coarse, yet a row has one value in each
                    // column.
                    state.universe.merge(other[column], row[column]);
                }
                int origin = Origin.both(Origin.of(other), Origin.of(row));
                if (origin != Origin.of(other)) {
                    int[] both = other.clone();
                    both[table.arity] = origin;
                    instance.replace(tableNumber, twin, both);
                }
                instance.remove(tableNumber, i--);
            }
        }
    }

    /**
     * The key's classes and the row's moment, or null if a null could exempt the row.
     *
     * <p>A unique constraint lets any number of rows have NULL in it, unless it says {@code NULLS NOT DISTINCT}. A cell
     * that may be NULL exempts the row as one that is does: to take two such rows for one would prove what is not so.
     */
    private int @Nullable [] keyRoots(CompiledTable table, int key, int[] row) {
        int[] columns = table.keyColumns[key];
        boolean nullsDistinct = table.keys.get(key).nullsDistinct();
        int[] roots = new int[columns.length + 1];
        roots[columns.length] = Origin.moment(Origin.of(row));
        for (int i = 0; i < columns.length; i++) {
            int cell = row[columns[i]];
            if (nullsDistinct && !state.universe.isNotNull(cell)) {
                return null;
            }
            roots[i] = state.universe.find(state.comparable(table, columns[i], cell));
        }
        return roots;
    }

    /** Adds the rows that foreign keys demand of {@code relevant} tables. */
    private void applyForeignKeys(int number, BitSet relevant) {
        Instance instance = state.instance(number);
        for (int u = 0; u < instance.usedTables(); u++) {
            int source = instance.usedTable(u);
            for (int key = 0; key < targets[source].length; key++) {
                int target = targets[source][key];
                // A table that became known after this case was begun has no place in its
                // instances; leaving it out loses a proof at most.
                if (target >= 0 && target < instance.tables() && relevant.get(target)) {
                    applyForeignKey(
                            instance, source, tables.get(source).foreignKeys.get(key), target);
                }
            }
        }
    }

    private void applyForeignKey(Instance instance, int source, ForeignKey key, int target) {
        // Taken before: rows that this adds to the same table (a reference to itself) wait for the
        // next round, or one round would follow a cycle to its bound.
        int count = instance.count(source);
        for (int i = 0; i < count; i++) {
            int[] row = instance.row(source, i);
            if (state.isFull(0)) {
                return;
            }
            if (refers(row, key) && !hasTarget(instance, row, source, key, target)) {
                if (Origin.generation(Origin.of(row)) >= MAX_GENERATION) {
                    state.truncated = true;
                } else {
                    addTarget(instance, row, source, key, target);
                }
            }
        }
    }

    /**
     * {@code MATCH SIMPLE}: with NULL in any column the reference demands nothing, and a column that may be NULL is not
     * known to demand anything.
     */
    private boolean refers(int[] row, ForeignKey key) {
        if (Origin.moment(Origin.of(row)) == Origin.NONE) {
            return false;
        }
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
            boolean all = Origin.moment(Origin.of(candidate)) == Origin.moment(Origin.of(row));
            for (int c = 0; c < key.columns().size() && all; c++) {
                int column = key.columns().get(c);
                int targetColumn = key.targetColumns().get(c);
                all = state.universe.same(
                        state.comparable(tables.get(source), column, row[column]),
                        state.comparable(tables.get(target), targetColumn, candidate[targetColumn]));
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
            // What is referred to equals something and so is not NULL, also in a unique key that
            // allows NULL.
            if (table.notNull[column] || pair >= 0) {
                state.universe.assumeNotNull(added[column]);
            }
        }
        added[table.arity] = Origin.demandedBy(Origin.of(row));
        instance.add(target, added);
    }

    private int referred(int[] row, int source, ForeignKey key, int pair, CompiledTable target, int targetColumn) {
        int column = key.columns().get(pair);
        CompiledTable from = tables.get(source);
        if (from.keyFunction[column] == null && target.keyFunction[targetColumn] == null) {
            return row[column];
        }
        // Where equality is coarser than identity the referred column may be written in other
        // letters: it is a value of its own with the same key.
        int fresh = state.universe.fresh();
        state.universe.merge(
                state.comparable(target, targetColumn, fresh), state.comparable(from, column, row[column]));
        return fresh;
    }

    /**
     * Applies the policy's inclusions to what is known.
     *
     * <p>The database does not check them, so a row may break one, and from what is not so everything would follow. In proofs
     * what an inclusion demands is therefore a row of a moment of its own, as if it had been read, of which nothing follows
     * for others; and what a denial matches closes no case. That two values are equal which may not differ is believed.
     */
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
                if (inclusion.right().length > 0 || !state.tellsMoments()) {
                    applyInclusion(number, inclusion, left);
                }
            }
        }
    }

    private void applyInclusion(int number, CompiledInclusion inclusion, Shape left) {
        // Matches first, rows afterwards, as the matcher must not see the instance grow under it.
        List<int[]> heads = new ArrayList<>();
        List<Integer> origins = new ArrayList<>();
        Matcher.forEach(state, number, left, NO_ARGUMENTS, inclusion.moments(), rows -> {
            heads.add(state.nodes(left.head, NO_ARGUMENTS, rows));
            origins.add(Origin.of(rows));
            return state.isFull(heads.size());
        });
        for (int i = 0; i < heads.size() && !state.universe.contradictory(); i++) {
            applyInclusion(number, inclusion, heads.get(i), origins.get(i));
        }
    }

    /**
     * Rows that are denied only if two values differ have equal ones there: {@code … AND a.x <> c.x IS EMPTY}. Only
     * where neither can be NULL, as a comparison with NULL denies nothing.
     *
     * <p>This is the only use of a denial that adds knowledge: policies say "the course of an assignment is that of its
     * group" in this form, and without it queries over both are refused.
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
                // Where it is known already that they differ, the denial matches as a whole and
                // closes the case below.
                if (bothThere && differ.truth(state) == Truth.OPEN) {
                    equal.add(new Ground(CompiledCondition.Kind.EQUAL, differ.left(), differ.right()));
                }
                return false;
            });
            equal.forEach(ground -> ground.assume(state));
        }
    }

    private void applyInclusion(int number, CompiledInclusion inclusion, int[] head, int origin) {
        Shape[] right = inclusion.right();
        for (Shape part : right) {
            if (Answers.has(state, number, part, NO_ARGUMENTS, head, part.all(Origin.moment(origin)))) {
                return;
            }
        }
        if (right.length == 0) {
            // Rows that a denial matches cannot be there together: the case does not occur.
            state.universe.contradict();
        } else if (Origin.generation(origin) >= MAX_GENERATION) {
            state.truncated = true;
        } else if (state.tellsMoments()) {
            addApart(number, inclusion, head, origin);
        } else if (right.length == 1) {
            Instantiation.add(
                    state, policy, number, right[0], NO_ARGUMENTS, head, right[0].all(Origin.demandedBy(origin)));
            // Once for each row, as a pending choice that was taken would be put up again and again.
        } else if (state.carry(number + ":" + inclusion.name(), head)) {
            int[][] origins = Arrays.stream(right)
                    .map(part -> part.all(Origin.demandedBy(origin)))
                    .toArray(int[][]::new);
            state.pending.add(new ChaseState.Disjunction(number, right, head, origins));
        }
    }

    /** Once for each row; of several parts none is known to have it. */
    private void addApart(int number, CompiledInclusion inclusion, int[] head, int origin) {
        Shape[] right = inclusion.right();
        if (right.length == 1 && state.carry(number + ":" + inclusion.name() + ":" + Origin.moment(origin), head)) {
            int[] cells = policy.canonical(right[0]).free(head, state.universe);
            int apart = Origin.demandedBy(origin, state.anotherMoment());
            Instantiation.add(state, policy, number, right[0], NO_ARGUMENTS, cells, right[0].all(apart));
        }
    }
}
