package io.leeway.hindex.internal.plan;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.HConstants;

/**
 * Where a row starts, for those who seek it.
 *
 * <p>Without state.
 */
public final class RowStart {

    private RowStart() {}

    /** Before all cells of a row: no family has an empty name. */
    public static Cell of(byte[] row) {
        return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
                .setRow(row)
                .setFamily(HConstants.EMPTY_BYTE_ARRAY)
                .setQualifier(HConstants.EMPTY_BYTE_ARRAY)
                .setTimestamp(HConstants.LATEST_TIMESTAMP)
                .setType(Cell.Type.Put)
                .setValue(HConstants.EMPTY_BYTE_ARRAY)
                .build();
    }
}
