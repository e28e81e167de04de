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
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads rows of the base table, which are all read alike; as many results as there are gets, empty where there is no row. */
@FunctionalInterface
interface RowReads {

    Result[] read(List<Get> gets) throws IOException;

    /** Is told how many entries a row that was read has borne out, and how many not. */
    default void met(byte[] row, int fresh, int stale) {}

    /** By a client. */
    static RowReads byClient(Connection connection, TableName base) {
        return gets -> {
            try (Table rows = connection.getTable(base)) {
                return rows.get(gets);
            }
        };
    }

    /**
     * By a server, with high priority. HBase sends batches of gets with no priority, whatever the gets say (2.6.4); scans
     * have one. One scan for each region.
     */
    static RowReads byServer(Connection connection, TableName base) {
        return gets -> {
            var byRegion = new TreeMap<byte[], Map<byte[], Get>>(Bytes.BYTES_COMPARATOR);
            try (RegionLocator regions = connection.getRegionLocator(base)) {
                for (Get get : gets) {
                    byte[] start =
                            regions.getRegionLocation(get.getRow()).getRegion().getStartKey();
                    byRegion.computeIfAbsent(start, none -> new TreeMap<>(Bytes.BYTES_COMPARATOR))
                            .put(get.getRow(), get);
                }
            }
            var found = new TreeMap<byte[], Result>(Bytes.BYTES_COMPARATOR);
            try (Table rows = connection.getTable(base)) {
                for (Map<byte[], Get> region : byRegion.values()) {
                    try (ResultScanner scanner = rows.getScanner(scan(new ArrayList<>(region.values())))) {
                        scanner.forEach(result -> found.put(result.getRow(), result));
                    }
                }
            }
            return gets.stream()
                    .map(get -> found.getOrDefault(get.getRow(), Result.EMPTY_RESULT))
                    .toArray(Result[]::new);
        };
    }

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
}
