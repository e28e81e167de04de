package io.leeway.hindex.internal.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads by a server, with high priority. HBase sends batches of gets with no priority, whatever the gets say (2.6.4);
 * scans have one. One scan for each region, which tells the region what was met in it before. For one thread.
 *
 * <p>Called in the handler of a read, so it goes through {@link ServerReads}: with a limit, and in another thread.
 */
final class ServerRows implements RowReads {

    private final ServerReads elsewhere;
    private final TableName base;
    private final MetEntries met;
    /** Where rows were found the last time, to know whom to tell what was met. */
    private final TreeMap<byte[], String> regionsByStart = new TreeMap<>(Bytes.BYTES_COMPARATOR);

    ServerRows(ServerReads elsewhere, TableName base, MetEntries met) {
        this.elsewhere = elsewhere;
        this.base = base;
        this.met = met;
    }

    /**
     * What is read in one region. By row, as its filter wants them sorted; a row that is asked for twice is read once.
     */
    private record OfRegion(String name, Map<byte[], Get> gets) {}

    @Override
    public Result[] read(List<Get> gets) throws IOException {
        return elsewhere.read(connection -> read(connection, gets));
    }

    private Result[] read(Connection connection, List<Get> gets) throws IOException {
        regionsByStart.clear();
        var byRegion = new TreeMap<byte[], OfRegion>(Bytes.BYTES_COMPARATOR);
        try (RegionLocator regions = connection.getRegionLocator(base)) {
            for (Get get : gets) {
                RegionInfo region = regions.getRegionLocation(get.getRow()).getRegion();
                regionsByStart.put(region.getStartKey(), region.getEncodedName());
                byRegion.computeIfAbsent(
                                region.getStartKey(),
                                none -> new OfRegion(region.getEncodedName(), new TreeMap<>(Bytes.BYTES_COMPARATOR)))
                        .gets()
                        .put(get.getRow(), get);
            }
        }
        var found = new TreeMap<byte[], Result>(Bytes.BYTES_COMPARATOR);
        try (Table rows = connection.getTable(base)) {
            for (OfRegion region : byRegion.values()) {
                Scan scan = scan(new ArrayList<>(region.gets().values()));
                // Taken before the call: if that fails the region is not told, which only delays a compaction.
                MetEntries.Report report = met.take(region.name());
                if (report != null) {
                    scan.setAttribute(MetEntries.ATTRIBUTE, report.toBytes());
                }
                try (ResultScanner scanner = rows.getScanner(scan)) {
                    scanner.forEach(result -> found.put(result.getRow(), result));
                }
            }
        }
        return gets.stream()
                .map(get -> found.getOrDefault(get.getRow(), Result.EMPTY_RESULT))
                .toArray(Result[]::new);
    }

    /**
     * From the first get, whose columns, versions and time range all have, to the last; between them the filter leaps.
     */
    private static Scan scan(List<Get> gets) throws IOException {
        byte[] last = gets.get(gets.size() - 1).getRow();
        Scan scan = new Scan(gets.get(0))
                .withStopRow(last, true)
                .setLimit(gets.size())
                .setCaching(gets.size())
                .setPriority(HConstants.HIGH_QOS);
        if (gets.size() > 1) {
            var each = new ArrayList<RowRange>(); // which the filter sorts
            gets.forEach(get -> each.add(new RowRange(get.getRow(), true, get.getRow(), true)));
            scan.setFilter(new MultiRowRangeFilter(each));
        }
        return scan;
    }

    @Override
    public void met(byte[] row, int fresh, int stale) {
        Map.Entry<byte[], String> region = regionsByStart.floorEntry(row);
        if (region != null) {
            met.add(region.getValue(), new MetEntries.Report(fresh, stale));
        }
    }
}
