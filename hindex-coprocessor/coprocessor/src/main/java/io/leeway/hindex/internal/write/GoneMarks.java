package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/*
 * A region that has no mark of its own takes over those of all regions that had its rows before, and writes its own, which covers
 * them. So a mark of a region that is gone is needed as long as one of the regions that have its rows now has none.
 *
 * Order: the marks are read first, then which regions there are. A region whose mark was read and that is not among those is gone for
 * good. The other way round it could have been made in between.
 */
/**
 * What regions have left that were split or merged, to be taken away when nobody needs it any more. Made for one look;
 * called by {@link Watermarks#removeGone} of a region that found such marks when it was opened. If it never runs, or
 * fails, regions that come of others only look at more than they must. For one thread.
 */
final class GoneMarks {

    private static final byte[] FAMILY = IndexTables.watermarkFamily();

    private final Watermarks.Kind kind;
    private final List<Result> left;
    private final List<RegionInfo> regions;
    /** Regions that there are now. */
    private final Set<String> names = new HashSet<>();
    /** Regions, there now or gone, that have a mark of this kind. */
    private final Set<String> namesWithMarks = new HashSet<>();

    private GoneMarks(Watermarks.Kind kind, List<Result> left, List<RegionInfo> regions) {
        this.kind = kind;
        this.left = left;
        this.regions = regions;
        regions.forEach(region -> names.add(region.getEncodedName()));
        left.stream().filter(this::hasMark).forEach(each -> namesWithMarks.add(name(each)));
    }

    /** Looks for marks of one kind of regions of a table, and removes what is not needed. */
    static void remove(Connection connection, IndexPlan index, TableName base, Watermarks.Kind kind)
            throws IOException {
        try (Table table = connection.getTable(index.table())) {
            List<Result> left = left(table);
            for (Delete each : new GoneMarks(kind, left, regions(connection, base)).deletes()) {
                table.delete(each);
            }
        }
    }

    private static List<Result> left(Table table) throws IOException {
        var left = new ArrayList<Result>();
        try (ResultScanner all = table.getScanner(new Scan().addFamily(FAMILY).setPriority(HConstants.HIGH_QOS))) {
            all.forEach(left::add);
        }
        return left;
    }

    /**
     * In the order of their rows.
     *
     * <p>Without replicas, which write nothing, and without parents of splits, which are listed until their files are
     * cleared away but have no rows of their own any more.
     */
    private static List<RegionInfo> regions(Connection connection, TableName base) throws IOException {
        try (RegionLocator locator = connection.getRegionLocator(base)) {
            return locator.getAllRegionLocations().stream()
                    .map(HRegionLocation::getRegion)
                    .filter(region -> region.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID && !region.isSplit())
                    .sorted(RegionInfo.COMPARATOR)
                    .toList();
        }
    }

    private List<Delete> deletes() {
        return left.stream()
                .filter(each -> !names.contains(name(each)))
                .map(this::delete)
                .filter(delete -> !delete.isEmpty())
                .toList();
    }

    /**
     * Column by column, with the timestamps that were read, since the other kind of mark may still be needed in the
     * same row.
     */
    private Delete delete(Result gone) {
        var delete = new Delete(gone.getRow());
        delete.setPriority(HConstants.HIGH_QOS);
        for (Cell cell : gone.rawCells()) {
            if (kind.isOf(cell) && !isNeeded(Watermark.of(cell))) {
                delete.addColumns(FAMILY, CellUtil.cloneQualifier(cell), cell.getTimestamp());
            }
        }
        return delete;
    }

    private boolean isNeeded(Watermark mark) {
        return mark.time() != Watermarks.SETTLED && !isTakenOver(mark);
    }

    /**
     * Whether each of its rows is in a region that has a mark.
     *
     * <p>The regions are gone through in their order, and each has to begin where the one before ended: where there is
     * a hole, as between the steps of a split, some region is not known, and the mark stays.
     */
    private boolean isTakenOver(Watermark mark) {
        byte[] from = mark.start();
        for (RegionInfo region : regions) {
            if (mark.overlaps(region)) {
                if (Bytes.compareTo(region.getStartKey(), from) > 0
                        || !namesWithMarks.contains(region.getEncodedName())) {
                    return false;
                }
                from = region.getEndKey();
                if (from.length == 0) {
                    return true;
                }
            }
        }
        // A mark up to the end of the table is taken over only by a last region, which was the return above.
        return mark.end().length > 0 && Bytes.compareTo(from, mark.end()) >= 0;
    }

    private boolean hasMark(Result each) {
        return List.of(each.rawCells()).stream().anyMatch(kind::isOf);
    }

    private static String name(Result each) {
        return new String(each.getRow(), StandardCharsets.US_ASCII);
    }
}
