package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A row that was open at a moment before, and stays so: by its primary key, and in the columns that were shown.
 *
 * <p>What was read of it, or what else a view showed of it then, may be another value by now; whoever was shown a column
 * of a row is shown it again. Nothing else is carried from a moment before to now: neither what the row's values were,
 * nor that other rows stood beside it, nor what is known of it by a condition only. That the condition held then is no
 * right to see what it would tell now.
 *
 * @param table its number
 * @param key nodes of the primary key's columns, in the key's order
 * @param columns those that were shown
 */
@SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
record Grant(int table, int[] key, BitSet columns) {

    /** Of each row of a query with this answer: those whose primary key the answer says. */
    static List<Grant> of(ChaseState state, CompiledPolicy policy, Shape shape, int[] arguments, int[] head) {
        List<Grant> grants = new ArrayList<>(shape.tables.length);
        for (int atom = 0; atom < shape.tables.length; atom++) {
            CompiledTable table = policy.tables().get(shape.tables[atom]);
            int[] key = table.primary == null ? null : shape.cells(state, atom, table.primary, arguments, head);
            BitSet columns = shape.shown(atom, head);
            if (key != null && !columns.isEmpty()) {
                grants.add(new Grant(shape.tables[atom], key, columns));
            }
        }
        return grants;
    }

    /** Whether this one is of the same row, and of no fewer columns. */
    boolean includes(Grant other, Universe universe) {
        BitSet more = (BitSet) other.columns.clone();
        more.andNot(columns);
        return more.isEmpty() && isOfOneRow(other, universe);
    }

    /** The same row in the columns that another grant has, too; empty if that is of another row. */
    Optional<Grant> within(Grant other, Universe universe) {
        BitSet both = (BitSet) columns.clone();
        both.and(other.columns);
        return isOfOneRow(other, universe) && !both.isEmpty()
                ? Optional.of(new Grant(table, key, both))
                : Optional.empty();
    }

    private boolean isOfOneRow(Grant other, Universe universe) {
        boolean isSame = table == other.table;
        for (int i = 0; isSame && i < key.length; i++) {
            isSame = universe.same(key[i], other.key[i]);
        }
        return isSame;
    }

    /** Puts the row of now into the second database, as far as it is open; once. */
    void apply(ChaseState state, CompiledPolicy policy) {
        CompiledTable compiled = policy.tables().get(table);
        Instance first = state.instance(ChaseState.FIRST);
        for (int i = 0; i < first.count(table); i++) {
            int[] row = first.row(table, i);
            if (Origin.moment(Origin.of(row)) == Origin.NOW && isOf(row, state, compiled) && !state.isFull(0)) {
                if (state.carry("grant:" + table + columns, Arrays.copyOf(row, compiled.arity))) {
                    state.instance(ChaseState.SECOND).add(table, open(row, state, compiled));
                }
            }
        }
    }

    private boolean isOf(int[] row, ChaseState state, CompiledTable compiled) {
        int[] primary = compiled.primary;
        for (int i = 0; primary != null && i < primary.length; i++) {
            int own = state.comparable(compiled, primary[i], row[primary[i]]);
            if (!state.universe.same(own, state.comparable(compiled, primary[i], key[i]))) {
                return false;
            }
        }
        return primary != null;
    }

    private int[] open(int[] row, ChaseState state, CompiledTable compiled) {
        int[] open = compiled.unknown(state.universe);
        columns.stream().forEach(column -> open[column] = row[column]);
        for (int column : compiled.primary == null ? new int[0] : compiled.primary) {
            open[column] = row[column];
        }
        return open;
    }
}
