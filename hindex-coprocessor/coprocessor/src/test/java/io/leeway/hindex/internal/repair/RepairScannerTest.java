package io.leeway.hindex.internal.repair;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.internal.collect.Retention;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A repair whose input takes back the memory of its cells, as HBase does with blocks of files when it has shipped them (H16). */
class RepairScannerTest {

    private static final int ROWS = 300;
    private static final int VERSIONS = 4;
    private static final List<String> COLUMNS = List.of("a", "b", "c");
    private static final TableDescriptor TABLE = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();

    private final RandomGenerator random = Seeds.random("released-blocks");
    private final Set<Entry> removed = new HashSet<>();
    private int shipped;

    @ParameterizedTest
    @ValueSource(strings = {"columns=f:b:utf8", "columns=f:a:utf8, f:b:utf8; covers=f:c"})
    void whatIsRememberedOutlivesTheBlocks(String definition) throws Exception {
        IndexPlan index = IndexPlan.of(IndexDefinition.parse("i", definition), TABLE);
        var expected = new HashSet<Entry>();
        var cells = new ArrayList<Cell>();
        for (int row = 0; row < ROWS; row++) {
            List<Cell> ofRow = row(row);
            cells.addAll(ofRow);
            expected.addAll(obsolete(index, ofRow));
        }

        List<String> kept = repair(index, cells);

        assertThat(shipped).isGreaterThan(ROWS);
        assertThat(removed).isEqualTo(expected);
        assertThat(kept).hasSize(ROWS * COLUMNS.size()).allMatch(cell -> cell.endsWith(" " + VERSIONS));
    }

    /** Its delete may be gone already: a put that is kept without it would be seen again. */
    @Test
    void aRowInWhichRevivalsAreLostIsRepairedToItsEndAndTheNextStayAsTheyAre() throws Exception {
        IndexPlan index = IndexPlan.of(IndexDefinition.parse("i", "columns=f:a:utf8"), TABLE);
        var removals = new Removals(removed::addAll, 1_000, entries -> Set.of(), 1);
        var garbage = new GarbageBuffer(removals, removals.knowledge(), 50, metrics(), entries -> Set.of());
        var cells = new ArrayList<Cell>();
        for (int row = 0; row < 3; row++) {
            var delete =
                    new KeyValue(key(row), "f".getBytes(UTF_8), "a".getBytes(UTF_8), 2, KeyValue.Type.DeleteColumn);
            delete.setSequenceId(3);
            cells.addAll(List.of(delete, cell(row, "a", 2, 2), cell(row, "a", 1, 1)));
        }
        var kept = new ArrayList<Cell>();
        try (var scanner = new RepairScanner(
                new OneByOne(cells), Retention.strictMajor(1), List.of(index), garbage, cell -> cell)) {
            for (int read = 0; read < cells.size(); read++) {
                if (read == 4) {
                    removals.revive(entriesOfAnotherRow(index));
                }
                scanner.next(kept);
            }
        }

        assertThat(kept).containsExactlyElementsOf(cells.subList(6, 9));
        assertThat(garbage.isComplete()).isFalse();
        assertThat(removed).isEmpty();
        assertThat(garbage.left())
                .extracting(entry -> new String(index.row(entry.key()), UTF_8))
                .containsExactly("row-0000", "row-0000", "row-0001", "row-0001");
    }

    private static List<Entry> entriesOfAnotherRow(IndexPlan index) {
        return List.of(
                index.entries("z".getBytes(UTF_8), "x".getBytes(UTF_8), 1).get(0),
                index.entries("z".getBytes(UTF_8), "y".getBytes(UTF_8), 2).get(0));
    }

    /** Gives a cell at a time. */
    private static final class OneByOne implements InternalScanner {

        private final Iterator<Cell> cells;

        OneByOne(List<Cell> cells) {
            this.cells = cells.iterator();
        }

        @Override
        public boolean next(List<Cell> result, ScannerContext limits) {
            result.add(cells.next());
            return cells.hasNext();
        }

        @Override
        public void close() {}
    }

    /** All versions of its columns, in the order of HBase's files; all columns are written at once. */
    private static List<Cell> row(int number) {
        var cells = new ArrayList<Cell>();
        for (String column : COLUMNS) {
            // The newest was written twice: its entry is of both.
            cells.add(cell(number, column, VERSIONS, 2 * VERSIONS));
            for (int version = VERSIONS; version > 0; version--) {
                cells.add(cell(number, column, version, version));
            }
        }
        return cells;
    }

    private static byte[] key(int row) {
        return String.format("row-%04d", row).getBytes(UTF_8);
    }

    private static Cell cell(int row, String column, int version, long sequence) {
        var cell = new KeyValue(
                key(row),
                "f".getBytes(UTF_8),
                column.getBytes(UTF_8),
                version,
                (column + " of " + row + ", " + version).getBytes(UTF_8));
        cell.setSequenceId(sequence);
        return cell;
    }

    /** The entries of all states of a row but the last. */
    private static Set<Entry> obsolete(IndexPlan index, List<Cell> row) {
        byte[] key = CellUtil.cloneRow(row.get(0));
        var obsolete = new HashSet<Entry>();
        for (int version = 1; version < VERSIONS; version++) {
            long at = version;
            Cell[] written =
                    row.stream().filter(cell -> cell.getTimestamp() == at).toArray(Cell[]::new);
            obsolete.addAll(index.entriesOf(key, written));
        }
        return obsolete;
    }

    private static Metrics metrics() {
        return Metrics.of(
                new MetricRegistryImpl(new MetricRegistryInfo("t", "t", "t", "t", false)), Metrics.Side.TABLE);
    }

    private List<String> repair(IndexPlan index, List<Cell> cells) throws Exception {
        var removals = new Removals(removed::addAll, 1_000, entries -> Set.of(), 100);
        var garbage = new GarbageBuffer(removals, removals.knowledge(), 50, metrics(), entries -> Set.of());
        var kept = new ArrayList<String>();
        try (var scanner = new RepairScanner(
                new Blocks(cells),
                Retention.strictMajor(1),
                List.of(index),
                garbage,
                KeyValueUtil::copyToNewKeyValue)) {
            var some = new ArrayList<Cell>();
            boolean more = true;
            while (more) {
                more = scanner.next(some);
                some.forEach(cell -> kept.add(CellUtil.getCellKeyAsString(cell) + " " + cell.getTimestamp()));
                some.clear();
                scanner.shipped();
            }
        }
        return kept;
    }

    /** Gives a few cells at a time, rows in pieces. What it gave is overwritten when it is shipped. */
    private final class Blocks implements InternalScanner, Shipper {

        private final List<Cell> cells;
        private final List<byte[]> given = new ArrayList<>();
        private int next;

        Blocks(List<Cell> cells) {
            this.cells = cells;
        }

        @Override
        public boolean next(List<Cell> result, ScannerContext limits) {
            int end = Math.min(cells.size(), next + 1 + random.nextInt(5));
            Cell first = cells.get(next);
            for (; next < end && CellUtil.matchingRows(first, cells.get(next)); next++) {
                KeyValue cell = KeyValueUtil.copyToNewKeyValue(cells.get(next));
                given.add(cell.getBuffer());
                result.add(cell);
            }
            return next < cells.size();
        }

        @Override
        public void shipped() {
            shipped++;
            given.forEach(block -> Arrays.fill(block, (byte) 0x7f));
            given.clear();
        }

        @Override
        public void close() {
            shipped();
        }
    }
}
