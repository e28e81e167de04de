package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table's constraints as arrays.
 *
 * <p>What the database enforces is trusted: keys, foreign keys and NOT NULL are read from its catalogue, and those of
 * which it says that it does not enforce them ({@code NOT VALID}) are not in the schema to begin with.
 */
final class CompiledTable {

    final Table table;
    final int arity;
    final boolean[] notNull;
    // A Boolean has two values beside NULL, which is worth a case distinction.
    final boolean[] isBoolean;
    /**
     * For each column the function through which SQL compares it, or null where equality is identity.
     *
     * <p>Keys and foreign keys are compared as the column's collation does: under one without cases 'BOB' and 'bob' are
     * the same key, so the rows are one although their texts need not be.
     */
    final @Nullable String[] keyFunction;

    final List<Key> keys;
    final int[][] keyColumns;
    /**
     * The columns of the primary key, or null. It says which row a row is, for longer than a moment.
     *
     * <p>No other key does: a name, an address or a reference is another row's as soon as somebody gives it to that.
     */
    final int @Nullable [] primary;

    final List<ForeignKey> foreignKeys;

    CompiledTable(Table table) {
        this.table = table;
        this.arity = table.arity();
        this.notNull = new boolean[arity];
        this.isBoolean = new boolean[arity];
        this.keyFunction = new String[arity];
        for (int c = 0; c < arity; c++) {
            Column column = table.columns().get(c);
            notNull[c] = !column.nullable();
            isBoolean[c] = column.type().kind() == ValueKind.BOOLEAN;
            keyFunction[c] =
                    column.type().hasExactEquality() ? null : column.type().keyFunction();
        }
        this.keys = table.keys();
        this.keyColumns = keys.stream()
                .map(key -> key.columns().stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
        this.foreignKeys = table.foreignKeys();
        this.primary = keys.isEmpty() || !isPrimary(keys.get(0)) ? null : keyColumns[0];
    }

    /** The schema has the primary key first, and of the others only those as such in which NULL counts as a value. */
    private boolean isPrimary(Key key) {
        return !key.nullsDistinct() && key.columns().stream().allMatch(column -> notNull[column]);
    }

    /** A row of which nothing is known but what holds of each. */
    int[] unknown(Universe universe) {
        int[] row = new int[arity + 1];
        for (int column = 0; column < arity; column++) {
            row[column] = universe.fresh();
            if (isBoolean[column]) {
                universe.markBoolean(row[column]);
            }
            if (notNull[column]) {
                universe.assumeNotNull(row[column]);
            }
        }
        return row;
    }
}
