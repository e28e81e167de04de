package io.leeway.hindex.internal.region;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.internal.write.WritePath;
import java.util.ArrayList;
import java.util.Iterator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.RawCellBuilder;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;

/** Makes cells as HBase wants them of coprocessors: with its builder, and with their tags. Thread-safe. */
final class RegionCells implements WritePath.CellMaker {

    private final RegionCoprocessorEnvironment environment;

    RegionCells(RegionCoprocessorEnvironment environment) {
        this.environment = environment;
    }

    @Override
    public Cell delete(Cell.Type type, byte[] row, ColumnName column, long timestamp) {
        RawCellBuilder delete = environment.getCellBuilder();
        delete.clear();
        return delete.setRow(row)
                .setFamily(column.family())
                .setQualifier(column.qualifier())
                .setTimestamp(timestamp)
                .setType(type)
                .setValue(HConstants.EMPTY_BYTE_ARRAY)
                .build();
    }

    /** With its tags: a cell's own time to live and its labels are among them. */
    @Override
    public Cell at(Cell cell, long timestamp) {
        RawCellBuilder copy = environment.getCellBuilder();
        copy.clear();
        if (cell instanceof RawCell raw) {
            var tags = new ArrayList<Tag>();
            for (Iterator<Tag> all = raw.getTags(); all.hasNext(); ) {
                tags.add(all.next());
            }
            copy.setTags(tags);
        }
        return copy.setRow(CellUtil.cloneRow(cell))
                .setFamily(CellUtil.cloneFamily(cell))
                .setQualifier(CellUtil.cloneQualifier(cell))
                .setTimestamp(timestamp)
                .setType(cell.getType())
                .setValue(CellUtil.cloneValue(cell))
                .build();
    }
}
