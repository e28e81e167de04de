package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.column.KeyCodec;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import java.util.HashSet;
import java.util.List;

/**
 * How rows of a view are stored: which columns, and the codec of its keys. The hidden time of the last update comes first.
 *
 * @param ids numbers of the columns
 * @param isLong whether their values are longs
 * @param codec of its keys
 */
@SuppressWarnings("ArrayRecordComponent")
public record Layout(int[] ids, boolean[] isLong, KeyCodec codec) {

    /** Of a view of a table. */
    public static Layout of(Table table, View view) {
        int count = view.columns().size();
        int[] ids = new int[count + 1];
        boolean[] isLong = new boolean[count + 1];
        ids[0] = Column.UPDATED;
        isLong[0] = true;
        for (int c = 0; c < count; c++) {
            ids[c + 1] = view.columns().get(c);
            isLong[c + 1] = table.columnOf(ids[c + 1]).type().isLong();
        }
        return new Layout(ids, isLong, codec(table, view.key()));
    }

    /** The codec of a key of some columns: only those of the primary key are never NULL. */
    public static KeyCodec codec(Table table, List<Integer> key) {
        var primary = new HashSet<>(table.primary().key());
        int[] columns = new int[key.size()];
        boolean[] isLong = new boolean[key.size()];
        boolean[] nullable = new boolean[key.size()];
        for (int c = 0; c < columns.length; c++) {
            columns[c] = key.get(c);
            isLong[c] = table.columnOf(columns[c]).type().isLong();
            nullable[c] = !primary.contains(columns[c]);
        }
        return new KeyCodec(columns, isLong, nullable);
    }
}
