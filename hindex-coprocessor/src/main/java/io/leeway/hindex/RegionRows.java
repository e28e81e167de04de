package io.leeway.hindex;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.FreshVersions;
import io.leeway.hindex.internal.repair.StateHistory;
import io.leeway.hindex.internal.upkeep.RowEntries;
import io.leeway.hindex.internal.write.ColumnReader;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;

/** What the rows of a region say to its indexes. Thread-safe. */
final class RegionRows implements ColumnReader, RowEntries {

    private final Region region;

    RegionRows(Region region) {
        this.region = region;
    }

    @Override
    public List<Fact> readVisible(byte[] row, IndexPlan index, int versions) throws IOException {
        Get get = new Get(row).readVersions(versions);
        index.select(get);
        return read(new Scan(get), index);
    }

    /** HBase selects no columns when it shows what is hidden. */
    @Override
    public List<Fact> readAll(byte[] row, IndexPlan index) throws IOException {
        return read(everything(row, index), index);
    }

    private static Scan everything(byte[] row, IndexPlan index) {
        return new Scan()
                .withStartRow(row)
                .withStopRow(row, true)
                .addFamily(index.family())
                .setRaw(true)
                .readAllVersions();
    }

    @Override
    public List<NewEntry> fresh(byte[] row, IndexPlan index) throws IOException {
        Scan scan = new Scan().withStartRow(row).withStopRow(row, true).readVersions(index.versions());
        index.select(scan);
        var cells = new ArrayList<Cell>();
        try (InternalScanner scanner = region.getScanner(scan)) {
            while (scanner.next(cells)) {
                // All of the row.
            }
            return index.entriesOf(row, cells.toArray(Cell[]::new)).stream()
                    .map(entry -> new NewEntry(entry, timeToLive(cells, entry.timestamp())))
                    .toList();
        }
    }

    private static long timeToLive(List<Cell> cells, long timestamp) {
        return cells.stream()
                .filter(cell -> cell.getTimestamp() == timestamp)
                .mapToLong(NewEntry::timeToLive)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    @Override
    public List<NewEntry> afterALoss(byte[] row, IndexPlan index) throws IOException {
        if (!index.isOfOneColumn()) {
            return stored(row, index).all().stream()
                    .map(entry -> new NewEntry(entry, Long.MAX_VALUE))
                    .toList();
        }
        var entries = new ArrayList<NewEntry>();
        forEach(everything(row, index), index, cell -> {
            if (cell.getType() == Cell.Type.Put) {
                index.entries(row, CellUtil.cloneValue(cell), cell.getTimestamp())
                        .forEach(entry -> entries.add(new NewEntry(entry, NewEntry.timeToLive(cell))));
            }
        });
        return entries;
    }

    @Override
    public Stored stored(byte[] row, IndexPlan index) throws IOException {
        List<Fact> facts = readAll(row, index);
        if (!index.isOfOneColumn()) {
            // No purge brings a former state back, see StateHistory.
            var history = StateHistory.of(index, facts);
            Set<Entry> states = history.formerEntries(row, Long.MIN_VALUE);
            states.addAll(history.currentEntries(row));
            return new Stored(states, states);
        }
        return new Stored(entries(row, index, facts), entries(row, index, FreshVersions.of(facts, Integer.MAX_VALUE)));
    }

    private static Set<Entry> entries(byte[] row, IndexPlan index, List<Fact> facts) {
        var entries = new HashSet<Entry>();
        facts.stream()
                .filter(fact -> fact.kind() == Fact.Kind.PUT)
                .forEach(fact -> entries.addAll(index.entries(row, fact.value(), fact.timestamp())));
        return entries;
    }

    private List<Fact> read(Scan scan, IndexPlan index) throws IOException {
        var facts = new ArrayList<Fact>();
        forEach(scan, index, cell -> facts.add(Fact.stored(index, cell)));
        return facts;
    }

    private void forEach(Scan scan, IndexPlan index, Consumer<Cell> action) throws IOException {
        try (InternalScanner scanner = region.getScanner(scan)) {
            var cells = new ArrayList<Cell>();
            boolean more;
            do {
                cells.clear();
                more = scanner.next(cells);
                cells.stream().filter(index::concerns).forEach(action);
            } while (more);
        }
    }
}
