package io.leeway.hindex;

import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.TableName;

/**
 * What a comparison of an index with its table found.
 *
 * @param table the base table
 * @param index the index
 * @param asOf versions with larger timestamps were not looked at
 * @param regions what was found, by the regions of the base table as they were in the beginning, in the order of keys
 */
public record VerifyReport(TableName table, String index, long asOf, List<Region> regions) {

    /** A report; the list is copied. */
    public VerifyReport {
        regions = List.copyOf(regions);
    }

    /**
     * What was found in one region.
     *
     * @param start its first key, with unprintable bytes in hexadecimal
     * @param rows of the base table that the index must have entries of
     * @param entries in the index that speak of its rows
     * @param missing values that rows have now and that have no entry: such rows are not found
     * @param superseded entries of values that were overwritten; compactions of the base table remove them
     * @param deleted entries of values that were deleted; compactions of the base table remove them
     * @param dangling entries of values that the table does not store, which no read returns: what writes that failed
     *     or a killed server have left; regions look for such, and a repair removes them
     * @param malformed values that are not what the index's columns are declared as, or are too long: they have no
     *     entry, so no query finds them
     */
    public record Region(
            String start,
            long rows,
            long entries,
            long missing,
            long superseded,
            long deleted,
            long dangling,
            long malformed) {

        /** Entries of values that rows had: superseded or deleted. */
        public long stale() {
            return superseded + deleted;
        }
    }

    /** Rows that were read. */
    public long rows() {
        return sum(Region::rows);
    }

    /** Entries that were read. */
    public long entries() {
        return sum(Region::entries);
    }

    /** Values that rows have and that have no entry. */
    public long missing() {
        return sum(Region::missing);
    }

    /** Entries of values that rows had: what a compaction of the base table removes. */
    public long stale() {
        return sum(Region::stale);
    }

    /** Those of them whose value was deleted. */
    public long deleted() {
        return sum(Region::deleted);
    }

    /** Entries of values that the table does not store. */
    public long dangling() {
        return sum(Region::dangling);
    }

    /** Values that are not what the index's columns are declared as, or are too long: no query finds them. */
    public long malformed() {
        return sum(Region::malformed);
    }

    /** Whether every value that can have an entry has it, so that reads by the index are right. */
    public boolean isComplete() {
        return missing() == 0;
    }

    /** Whether nothing is wrong: stale entries are no fault, since no read returns them and compactions remove them. */
    public boolean isSound() {
        return missing() == 0 && dangling() == 0;
    }

    /** Whether the index holds exactly what rows have. */
    public boolean isExact() {
        return isSound() && stale() == 0;
    }

    private long sum(ToLongFunction<Region> part) {
        return regions.stream().mapToLong(part).sum();
    }
}
