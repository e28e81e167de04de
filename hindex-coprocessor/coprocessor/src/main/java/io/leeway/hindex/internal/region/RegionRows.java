package io.leeway.hindex.internal.region;

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
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * What the rows of a region say to its indexes. Reads the region itself, below the hooks of calls: no rights are
 * asked, and it costs no call. Thread-safe.
 */
public final class RegionRows implements ColumnReader, RowEntries {

    private final Region region;

    /** Of a region. */
    public RegionRows(Region region) {
        this.region = region;
    }

    @Override
    public List<Fact> readVisible(byte[] row, IndexPlan index, int versions) throws IOException {
        Get get = new Get(row).readVersions(versions);
        index.select(get);
        return read(new Scan(get), index);
    }

    /**
     * All that is stored, as a raw scan shows it. HBase selects no columns when it shows what is hidden, so the family
     * is read.
     */
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
        List<Cell> cells = shown(row, index);
        return index.entriesOf(row, cells.toArray(Cell[]::new)).stream()
                .map(entry -> new NewEntry(entry, timeToLive(cells, entry.timestamp())))
                .toList();
    }

    @Override
    public boolean isMalformed(byte[] row, IndexPlan index) throws IOException {
        return index.malformed(row, shown(row, index).toArray(Cell[]::new)) > 0;
    }

    /** What a reader would see: the same cells that a query's check is given. */
    private List<Cell> shown(byte[] row, IndexPlan index) throws IOException {
        Scan scan = new Scan().withStartRow(row).withStopRow(row, true).readVersions(index.versions());
        index.select(scan);
        var cells = new ArrayList<Cell>();
        try (InternalScanner scanner = region.getScanner(scan)) {
            while (scanner.next(cells)) {
                // All of the row.
            }
        }
        return cells;
    }

    /** Of several cells with one timestamp the shortest: the state that they make ends with the first of them. */
    private static long timeToLive(List<Cell> cells, long timestamp) {
        return cells.stream()
                .filter(cell -> cell.getTimestamp() == timestamp)
                .mapToLong(NewEntry::timeToLive)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Which of the stored versions would come to light nobody knows, so all have their entries; of several columns all
     * states.
     */
    @Override
    public List<NewEntry> afterALoss(byte[] row, IndexPlan index) throws IOException {
        if (!index.isOfOneColumn()) {
            return states(row, index, readAll(row, index)).stream()
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
    public List<NewEntry> comingBack(byte[] row, IndexPlan index) throws IOException {
        return FreshVersions.of(readAll(row, index), index.versions()).stream()
                // Nobody stands behind one that expires as long as it does not, and then its time to live is not
                // needed.
                .filter(fact -> !fact.expires())
                .flatMap(fact -> index.entries(row, fact.value(), fact.timestamp()).stream())
                .map(entry -> new NewEntry(entry, Long.MAX_VALUE))
                .toList();
    }

    /**
     * Three questions about the same facts: whether it is stored at all; whether it is, or will be, among the versions
     * that the index finds; and whether any delete hides it.
     */
    @Override
    public Stored stored(byte[] row, Entry entry) throws IOException {
        IndexPlan index = entry.index();
        List<Fact> facts = readAll(row, index);
        if (!index.isOfOneColumn()) {
            return states(row, index, facts).contains(entry) ? Stored.VISIBLE : Stored.NOT;
        }
        if (!isOf(facts, row, entry)) {
            return Stored.NOT;
        }
        if (isOf(FreshVersions.of(facts, index.versions()), row, entry)) {
            return Stored.COMING_BACK;
        }
        return isOf(FreshVersions.of(facts, Integer.MAX_VALUE), row, entry) ? Stored.VISIBLE : Stored.HIDDEN;
    }

    /** Entries of all states; no purge brings a former one back, see {@link StateHistory}. */
    private static Set<Entry> states(byte[] row, IndexPlan index, List<Fact> facts) {
        var history = StateHistory.of(index, facts);
        Set<Entry> states = history.formerEntries(row, Long.MIN_VALUE);
        states.addAll(history.currentEntries(row));
        return states;
    }

    /** Whether one of the values has the entry. A row may have many, whose entries need not be made. */
    private static boolean isOf(List<Fact> facts, byte[] row, Entry entry) {
        return facts.stream()
                .filter(fact -> fact.kind() == Fact.Kind.PUT && fact.timestamp() == entry.timestamp())
                .anyMatch(fact -> entry.index()
                        .entries(row, fact.value(), fact.timestamp())
                        .contains(entry));
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
