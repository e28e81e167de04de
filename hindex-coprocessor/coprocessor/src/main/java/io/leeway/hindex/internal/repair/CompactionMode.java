package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.collect.Retention;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;

/**
 * What a compaction does about obsolete entries.
 *
 * <p>Made by {@link StoreRepair} for each compaction, so that all that depends on the table's options is decided in one
 * place. Immutable.
 *
 * @param isWhole whether it reads all files, and may conclude from them what is over: only then deletes may go
 * @param leavesKept whether entries of versions that stay are left to a run that follows
 * @param readsBefore whether the family is read, and repaired, first
 * @param repair what is done about entries of versions that it drops
 */
record CompactionMode(boolean isWhole, boolean leavesKept, boolean readsBefore, Retention.Repair repair) {

    /**
     * As a table is set.
     *
     * @param isUnsure whether the run that followed the last compaction may have overlooked something: then this one,
     *     if it has all files, does not leave it to another
     */
    static CompactionMode of(StoreRepair.Settings settings, boolean isWhole, boolean isUnsure) {
        boolean isRepaired = settings.repair() != Retention.Repair.NONE;
        // One that is unsure repairs in its own stream: were it left to a reading beside it each time, it could stay
        // unsure for ever.
        boolean isIsolated = settings.variant() == StoreRepair.Variant.ISOLATED && !(isWhole && isUnsure);
        return new CompactionMode(
                isWhole,
                isIsolated,
                isRepaired && isWhole && settings.variant() == StoreRepair.Variant.BEFORE_COMPACTION,
                // Versions stay until the run that follows has removed their entries.
                isRepaired && isIsolated ? Retention.Repair.LAZY : settings.repair());
    }

    /**
     * What it may drop of a family whose entries are repaired up to a sequence id.
     *
     * <p>HBase's own settings are read as HBase reads them, since what it would have dropped is what is to be dropped.
     */
    Retention retention(Store store, ScanType type, long repairedUpTo) {
        long purgeAfter = store.getReadOnlyConfiguration().getLong("hbase.hstore.time.to.purge.deletes", 0);
        long purgeBefore = purgeAfter == 0 ? Long.MAX_VALUE : System.currentTimeMillis() - purgeAfter;
        // HBase's type alone is not enough: beside a load even a compaction of all files counts as one of some.
        boolean purges = isWhole && type == ScanType.COMPACT_DROP_DELETES;
        return retention(store, isWhole, purges ? purgeBefore : Long.MIN_VALUE, repairedUpTo, repair);
    }

    /** For a run that reads the family beside its compaction: it removes entries, and drops nothing. */
    static Retention beside(Store store, long repairedUpTo) {
        return retention(store, true, Long.MIN_VALUE, repairedUpTo, Retention.Repair.STRICT);
    }

    private static Retention retention(
            Store store, boolean complete, long purgeBefore, long repairedUpTo, Retention.Repair repair) {
        ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
        boolean expires = family.getTimeToLive() != HConstants.FOREVER;
        return new Retention(
                family.getMaxVersions(),
                family.getMinVersions(),
                expires
                        ? System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(family.getTimeToLive())
                        : Long.MIN_VALUE,
                family.getKeepDeletedCells() != KeepDeletedCells.FALSE,
                complete,
                purgeBefore,
                // Open scanners go on reading the files that are replaced.
                Long.MAX_VALUE,
                repairedUpTo,
                repair);
    }
}
