package io.leeway.hindex.internal.plan;

import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/*
 * All versions, since a row may have had a value several times, and each time is an entry of its own that is removed
 * alone. The new version behaviour, since an entry that was removed may come back at the same timestamp: when a delete
 * makes an older version fresh again, or a client gives a timestamp twice. With HBase's default such an entry would stay
 * hidden behind its removal.
 */
/** What the tables look like that hold entries. */
public final class IndexTables {

    private IndexTables() {}

    /** The table for the entries of an index of this base table. */
    public static TableDescriptor descriptor(IndexPlan index, TableDescriptor base) {
        ColumnFamilyDescriptor indexed = base.getColumnFamily(index.column().family());
        if (indexed == null) {
            throw new IllegalArgumentException("index " + index.name() + " is over " + index.column() + ", but "
                    + base.getTableName() + " has no such family");
        }
        if (indexed.isNewVersionBehavior()) {
            throw new IllegalArgumentException("the family of " + index.column()
                    + " has NEW_VERSION_BEHAVIOR, whose deletes hindex does not model; index another family");
        }
        var family = ColumnFamilyDescriptorBuilder.newBuilder(IndexPlan.entryFamily())
                .setMaxVersions(HConstants.ALL_VERSIONS)
                .setKeepDeletedCells(KeepDeletedCells.FALSE)
                .setNewVersionBehavior(true);
        if (indexed.getMinVersions() == 0) {
            family.setTimeToLive(indexed.getTimeToLive());
        }
        return TableDescriptorBuilder.newBuilder(index.table())
                .setColumnFamily(family.build())
                .build();
    }
}
