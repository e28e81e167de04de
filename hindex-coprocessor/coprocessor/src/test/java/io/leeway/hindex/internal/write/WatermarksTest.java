package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that were given up are carried out later than what came after them. */
class WatermarksTest {

    private static final TableName BASE = TableName.valueOf("watermarks");

    private final HBaseCluster cluster = TestClusters.light();
    private final RegionInfo region = region("a", "m", 1);
    private IndexPlan index;

    @BeforeEach
    void create() throws IOException {
        TableDescriptor base = TableDescriptorBuilder.newBuilder(BASE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue("hindex.index.by_word", "columns=f:word:utf8; state=active")
                .build();
        index = TablePlan.of(base).named("by_word");
        try (var admin = cluster.connection().getAdmin()) {
            admin.createTable(IndexTables.descriptor(index, base));
        }
    }

    @AfterEach
    void drop() throws IOException {
        try (var admin = cluster.connection().getAdmin()) {
            admin.disableTable(index.table());
            admin.deleteTable(index.table());
        }
    }

    private static RegionInfo region(String start, String end, long id) {
        return RegionInfoBuilder.newBuilder(BASE)
                .setStartKey(Bytes.toBytes(start))
                .setEndKey(Bytes.toBytes(end))
                .setRegionId(id)
                .build();
    }

    private Watermarks open() {
        return new Watermarks(region, Watermarks.Kind.UNCERTAIN);
    }

    private long read(Watermarks life) throws IOException {
        return life.read(cluster.connection(), index);
    }

    private void write(Watermarks life, long watermark) throws IOException {
        life.write(cluster.connection(), index, watermark);
    }

    private List<Cell> cells() throws IOException {
        try (var table = cluster.connection().getTable(index.table())) {
            List<Cell> cells =
                    table.get(new Get(Bytes.toBytes(region.getEncodedName()))).listCells();
            return cells == null ? List.of() : cells;
        }
    }

    private void carryOut(List<Cell> late) throws IOException {
        try (var table = cluster.connection().getTable(index.table())) {
            for (Cell cell : late) {
                table.put(new Put(Bytes.toBytes(region.getEncodedName())).add(cell));
            }
        }
    }

    @Test
    void whatAnEarlierLifeSentDoesNotUndoWhatALaterOneHasWritten() throws IOException {
        Watermarks first = open();
        write(first, 40);
        Watermarks second = open();
        assertThat(read(second)).isEqualTo(40);
        write(second, 30);

        write(first, Watermarks.SETTLED);

        assertThat(read(open())).isEqualTo(30);
        write(second, Watermarks.SETTLED);
        assertThat(read(open())).isEqualTo(Watermarks.SETTLED);
    }

    @Test
    void theLaterCallOfOneLifeCounts() throws IOException {
        Watermarks life = open();
        write(life, Watermarks.SETTLED);
        List<Cell> late = cells();
        write(life, 40);

        carryOut(late);

        assertThat(read(open())).isEqualTo(40);
    }

    @Test
    void livesThatAreOverLeaveNothingOnceALaterOneHasWritten() throws IOException {
        for (int i = 0; i < 3; i++) {
            Watermarks life = open();
            assertThat(read(life)).isEqualTo(i == 0 ? Watermarks.SETTLED : 40 + i - 1);
            write(life, 40 + i);
            assertThat(cells()).hasSize(1);
            write(life, 40 + i);
        }
    }

    @Test
    void aRegionThatHasNoneHasTheLowestOfThoseItCameFrom() throws IOException {
        write(open(), 50);
        write(new Watermarks(region("m", "t", 2), Watermarks.Kind.UNCERTAIN), 40);
        write(new Watermarks(region("t", "z", 3), Watermarks.Kind.UNCERTAIN), 30);
        write(new Watermarks(region("a", "t", 4), Watermarks.Kind.WRITTEN), 20);

        Watermarks merged = new Watermarks(region("a", "t", 4), Watermarks.Kind.UNCERTAIN);
        assertThat(read(merged)).isEqualTo(40);
        write(merged, 60);
        assertThat(read(new Watermarks(region("a", "t", 4), Watermarks.Kind.UNCERTAIN)))
                .isEqualTo(60);
        assertThat(read(new Watermarks(region("m", "z", 5), Watermarks.Kind.UNCERTAIN)))
                .isEqualTo(30);
    }

    /** Each of them needs what its parents left, until it has said the same itself. */
    @Test
    void whatAGoneRegionLeftGoesWhenAllThatHaveItsRowsHaveTakenItOver() throws IOException {
        try (var admin = cluster.connection().getAdmin()) {
            admin.createTable(
                    TableDescriptorBuilder.newBuilder(BASE)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                            .build(),
                    new byte[][] {Bytes.toBytes("m"), Bytes.toBytes("t")});
            List<RegionInfo> regions = admin.getRegions(BASE);
            write(new Watermarks(region("", "t", 1), Watermarks.Kind.UNCERTAIN), 40);
            write(new Watermarks(region("", "t", 1), Watermarks.Kind.WRITTEN), 40);
            write(new Watermarks(region("m", "t", 2), Watermarks.Kind.UNCERTAIN), Watermarks.SETTLED);
            write(new Watermarks(region("t", "", 3), Watermarks.Kind.UNCERTAIN), 50);

            assertThat(takeOver(regions.get(0))).isEqualTo(40);
            assertThat(rowsOf(Watermarks.Kind.UNCERTAIN))
                    .containsExactlyInAnyOrder(
                            encoded(region("", "t", 1)), encoded(region("t", "", 3)), encoded(regions.get(0)));
            assertThat(takeOver(regions.get(1))).isEqualTo(40);
            assertThat(rowsOf(Watermarks.Kind.UNCERTAIN))
                    .containsExactlyInAnyOrder(
                            encoded(region("t", "", 3)), encoded(regions.get(0)), encoded(regions.get(1)));
            assertThat(rowsOf(Watermarks.Kind.WRITTEN)).containsExactly(encoded(region("", "t", 1)));
            assertThat(takeOver(regions.get(2))).isEqualTo(50);
            assertThat(rowsOf(Watermarks.Kind.UNCERTAIN))
                    .containsExactlyInAnyOrderElementsOf(
                            regions.stream().map(RegionInfo::getEncodedName).toList());

            assertThat(read(new Watermarks(region("", "z", 9), Watermarks.Kind.UNCERTAIN)))
                    .isEqualTo(40);
            admin.disableTable(BASE);
            admin.deleteTable(BASE);
        }
    }

    /** As a region does that has been opened. */
    private long takeOver(RegionInfo opened) throws IOException {
        Watermarks life = new Watermarks(opened, Watermarks.Kind.UNCERTAIN);
        long left = read(life);
        write(life, left);
        life.removeGone(cluster.connection(), index);
        return left;
    }

    private static String encoded(RegionInfo region) {
        return region.getEncodedName();
    }

    private List<String> rowsOf(Watermarks.Kind kind) throws IOException {
        var rows = new ArrayList<String>();
        try (Table table = cluster.connection().getTable(index.table());
                ResultScanner all = table.getScanner(IndexTables.watermarkFamily())) {
            for (Result each : all) {
                if (each.listCells().stream().anyMatch(kind::isOf)) {
                    rows.add(Bytes.toString(each.getRow()));
                }
            }
        }
        return rows;
    }
}
