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

    private static final int[] NO_COLUMNS = {};

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
     * Of each key whether it says which row it is, for longer than a moment: the primary one, or one of references only,
     * as that of the profile of a person.
     *
     * <p>A name or an address is another row's as soon as somebody takes it.
     */
    final boolean[] isIdentity;

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
        this.isIdentity = new boolean[keyColumns.length];
        for (int key = 0; key < isIdentity.length; key++) {
            isIdentity[key] = key == 0 || isOfReferences(keys.get(key));
        }
    }

    private boolean isOfReferences(Key key) {
        return key.columns().stream()
                .allMatch(column -> foreignKeys.stream()
                        .map(ForeignKey::columns)
                        .anyMatch(columns ->
                                columns.contains(column) && key.columns().containsAll(columns)));
    }

    /** The columns of the primary key, or of the first other one; none without a key. */
    int[] identity() {
        return keyColumns.length == 0 ? NO_COLUMNS : keyColumns[0];
    }
}
