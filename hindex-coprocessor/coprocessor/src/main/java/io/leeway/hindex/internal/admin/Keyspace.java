package io.leeway.hindex.internal.admin;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * The keys of a table, as its regions shared them at one time. For counts and progress, which may be a little wrong
 * when regions change meanwhile. Immutable.
 */
record Keyspace(List<byte[]> starts) {

    static Keyspace of(Connection connection, TableName table) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            return new Keyspace(admin.getRegions(table).stream()
                    .filter(region -> region.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID)
                    .sorted(RegionInfo.COMPARATOR)
                    .map(RegionInfo::getStartKey)
                    .toList());
        }
    }

    /**
     * The number of the region that a row was in.
     *
     * <p>By halves; the first region begins with the empty row, so there is always one.
     */
    int region(byte[] row) {
        int low = 0;
        int high = starts.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) / 2;
            if (Arrays.compareUnsigned(starts.get(middle), row) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** How much of the table lies before a row, from 0 to 1, if keys are evenly spread. */
    double before(byte[] row) {
        int region = region(row);
        byte[] stop = region + 1 < starts.size() ? starts.get(region + 1) : new byte[0];
        return (region + share(starts.get(region), stop, row)) / starts.size();
    }

    /**
     * How much of a range lies before a row in it, from 0 to 1; an empty stop is the end of the table.
     *
     * <p>What both ends have in common says nothing and is left out; of the rest six bytes are enough for a bar on a
     * screen.
     */
    static double share(byte[] start, byte[] stop, byte[] row) {
        int common = Math.max(0, Arrays.mismatch(start, stop.length == 0 ? new byte[] {(byte) 0xFF} : stop));
        double from = fraction(start, common);
        double to = stop.length == 0 ? 1 : fraction(stop, common);
        return to <= from ? 0 : Math.max(0, Math.min(1, (fraction(row, common) - from) / (to - from)));
    }

    /** The bytes from one on, as a number from 0 to 1. */
    private static double fraction(byte[] key, int from) {
        int first = Math.min(key.length, from);
        return new BigInteger(1, Arrays.copyOfRange(key, first, first + 6)).doubleValue() / Math.pow(2, 48);
    }
}
