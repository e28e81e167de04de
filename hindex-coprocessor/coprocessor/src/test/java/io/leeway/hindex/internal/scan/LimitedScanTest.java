package io.leeway.hindex.internal.scan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitedScanTest {

    private static final byte[] FAMILY = bytes("f");
    private static final int ROWS = 3_000;

    private final HBaseCluster cluster = TestClusters.light();

    /** However often it is cut off, within rows or between them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void showsEachRowOnceAndWhole(boolean reversed) throws IOException {
        Region region = regionWithRemovedRows();
        List<String> all = all(region, scan(reversed));

        var seen = new ArrayList<String>();
        byte[] passed = null;
        int calls = 0;
        boolean isAtEnd = false;
        while (!isAtEnd) {
            Scan scan = scan(reversed);
            if (passed != null) {
                scan.withStartRow(passed, false);
            }
            long nanos = ++calls % 2 * 2_000_000L;
            try (LimitedScan rows = LimitedScan.of(region, scan, System.nanoTime() + nanos)) {
                var row = new ArrayList<Cell>();
                while (rows.next(row)) {
                    seen.add(text(row));
                }
                isAtEnd = rows.isAtEnd();
                passed = rows.passed();
            }
            assertThat(isAtEnd || passed != null).isTrue();
        }

        assertThat(seen).isEqualTo(all).hasSize(ROWS / 50);
    }

    private static Scan scan(boolean reversed) {
        return new Scan().addFamily(FAMILY).readAllVersions().setReversed(reversed);
    }

    private static List<String> all(Region region, Scan scan) throws IOException {
        var rows = new ArrayList<String>();
        try (RegionScanner scanner = region.getScanner(scan)) {
            var row = new ArrayList<Cell>();
            boolean more = true;
            while (more) {
                more = scanner.next(row);
                if (!row.isEmpty()) {
                    rows.add(text(row));
                }
                row.clear();
            }
        }
        return rows;
    }

    private static String text(List<Cell> row) {
        return row.stream()
                .map(cell -> new String(CellUtil.cloneRow(cell), UTF_8) + "/"
                        + new String(CellUtil.cloneQualifier(cell), UTF_8))
                .toList()
                .toString();
    }

    /** Of fifty rows one is left, with more cells than HBase reads before it looks at the time. */
    private Region regionWithRemovedRows() throws IOException {
        TableName name = cluster.freshTable(
                "limited",
                table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                        .setValue("hbase.cells.scanned.per.heartbeat.check", "3"));
        var puts = new ArrayList<Put>();
        var deletes = new ArrayList<Delete>();
        for (int i = 0; i < ROWS; i++) {
            byte[] row = bytes("r" + (10_000 + i));
            var put = new Put(row);
            for (int column = 0; column < 7; column++) {
                put.addColumn(FAMILY, bytes("c" + column), row);
            }
            puts.add(put);
            if (i % 50 != 25) {
                deletes.add(new Delete(row));
            }
        }
        try (Table table = cluster.connection().getTable(name)) {
            table.put(puts);
            table.delete(deletes);
        }
        return cluster.regions(name).get(0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
