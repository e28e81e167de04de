package io.leeway.lazybase.internal.query;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.Freshness;
import io.leeway.lazybase.internal.column.KeyRange;
import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.merge.MemoryRun;
import io.leeway.lazybase.internal.merge.RunMerger;
import io.leeway.lazybase.internal.merge.SortedRun;
import io.leeway.lazybase.internal.merge.Sorter;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.pipeline.Flight;
import io.leeway.lazybase.internal.pipeline.Layout;
import io.leeway.lazybase.internal.pipeline.RunInfo;
import io.leeway.lazybase.internal.pipeline.Scu;
import io.leeway.lazybase.internal.pipeline.Snapshot;
import io.leeway.lazybase.internal.pipeline.State;
import io.leeway.lazybase.internal.pipeline.ViewChanges;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A snapshot and how far of it is read: what a query sees of every table. Several queries may share one, which then see the same.
 * Thread-safe but for closing.
 */
public final class Reading implements AutoCloseable {

    private final Snapshot snapshot;
    private final List<Object> units;
    private final Reach reach;

    private Reading(Snapshot snapshot, List<Object> units, Reach reach) {
        this.snapshot = snapshot;
        this.units = units;
        this.reach = reach;
    }

    /** Reads as little as is fresh enough. */
    public static Reading of(Snapshot snapshot, Freshness freshness, CommitToken atLeast) {
        List<Object> units = units(snapshot);
        Reach reach = Reach.of(
                snapshot.state().authority(),
                spans(units),
                open(snapshot),
                Reach.needed(freshness, snapshot.now()),
                atLeast,
                snapshot.now());
        return new Reading(snapshot, units, reach);
    }

    /** All ways to read a snapshot, the stalest first; they share it, so only one of them is to be closed. */
    public static List<Reading> all(Snapshot snapshot) {
        List<Object> units = units(snapshot);
        var all = new ArrayList<Reading>();
        for (int count = 0; count <= units.size(); count++) {
            all.add(new Reading(
                    snapshot,
                    units,
                    Reach.reach(snapshot.state().authority(), spans(units), open(snapshot), count, 0, snapshot.now())));
        }
        if (snapshot.openGroups() > 0) {
            all.add(new Reading(
                    snapshot,
                    units,
                    Reach.reach(
                            snapshot.state().authority(),
                            spans(units),
                            open(snapshot),
                            units.size(),
                            snapshot.openGroups(),
                            snapshot.now())));
        }
        return all;
    }

    /** What follows the authority, in the order of SCUs: flights and SCUs that are not sorted. */
    private static List<Object> units(Snapshot snapshot) {
        var units = new ArrayList<Object>(snapshot.state().flights());
        units.addAll(snapshot.unsorted());
        units.sort((a, b) -> Long.compare(first(a), first(b)));
        return units;
    }

    private static long first(Object unit) {
        return unit instanceof Flight flight ? flight.first() : ((Scu) unit).number();
    }

    private static List<Reach.Unit> spans(List<Object> units) {
        var spans = new ArrayList<Reach.Unit>();
        for (Object unit : units) {
            spans.add(
                    unit instanceof Flight flight
                            ? new Reach.Unit(flight.last(), flight.minTime())
                            : new Reach.Unit(((Scu) unit).number(), ((Scu) unit).minTime()));
        }
        return spans;
    }

    private static Reach.OpenScu open(Snapshot snapshot) {
        return new Reach.OpenScu() {
            @Override
            public long number() {
                return snapshot.open().number();
            }

            @Override
            public int groups() {
                return snapshot.openGroups();
            }

            @Override
            public int groupsUntil(long time) {
                return snapshot.open().groupsUntil(time);
            }

            @Override
            public long timeOf(int group) {
                return snapshot.open().timeOf(group);
            }
        };
    }

    /** How far it reads. */
    public Reach reach() {
        return reach;
    }

    /** What it reads of. */
    public Snapshot snapshot() {
        return snapshot;
    }

    /** How old the answer is at most, in milliseconds: all that was accepted before is in it. */
    public long age() {
        return Math.max(0, snapshot.now() - reach.asOf());
    }

    /** The stages that are read, as people see them: {@code authority+2 merged+1 sorted+1 unsorted+open}. */
    public String stages() {
        int merged = 0;
        int sorted = 0;
        int unsorted = 0;
        for (Object unit : units.subList(0, reach.units())) {
            if (unit instanceof Flight flight) {
                merged += flight.level() > 0 ? 1 : 0;
                sorted += flight.level() == 0 ? 1 : 0;
            } else {
                unsorted++;
            }
        }
        var text = new StringBuilder("authority");
        append(text, merged, "merged");
        append(text, sorted, "sorted");
        append(text, unsorted, "unsorted");
        return reach.openGroups() > 0 ? text.append("+open").toString() : text.toString();
    }

    private static void append(StringBuilder text, int count, String what) {
        if (count > 0) {
            text.append('+').append(count).append(' ').append(what);
        }
    }

    /** Runs of a table in the order of a view, oldest first; to be merged by a scan. */
    public List<SortedRun> runs(Table table, View view) {
        if (view.id() == table.primary().id()) {
            return primaryRuns(table);
        }
        var runs = new ArrayList<SortedRun>();
        runs.add(authority(view));
        MemoryRun changes = changes(table, view);
        if (changes.batch().rows() > 0) {
            runs.add(changes);
        }
        return runs;
    }

    private ChainedRun authority(View view) {
        var parts = new ArrayList<SortedRun>();
        for (RunInfo part : snapshot.state().partsOf(view.id())) {
            parts.add(snapshot.file(part.file()));
        }
        return new ChainedRun(parts);
    }

    private List<SortedRun> primaryRuns(Table table) {
        var runs = new ArrayList<SortedRun>();
        runs.add(authority(table.primary()));
        runs.addAll(fresh(table));
        return runs;
    }

    /** What is not in the authority. */
    private List<SortedRun> fresh(Table table) {
        var runs = new ArrayList<SortedRun>();
        var codec = Layout.of(table, table.primary()).codec();
        for (Object unit : units.subList(0, reach.units())) {
            if (unit instanceof Flight flight) {
                RunInfo run = flight.runs().get(table.id());
                if (run != null) {
                    runs.add(snapshot.file(run.file()));
                }
            } else {
                Scu scu = (Scu) unit;
                runs.addAll(scu.sorted(table.id(), scu.groups(), codec));
            }
        }
        if (reach.openGroups() > 0) {
            runs.addAll(snapshot.open().sorted(table.id(), reach.openGroups(), codec));
        }
        return runs;
    }

    /**
     * What a secondary view's authority does not know: for each key that has fresh updates, the old entry is hidden and the new row stands in
     * its place. The old entry is found through the primary authority, so it does not matter what the updates carry.
     */
    private MemoryRun changes(Table table, View view) {
        var changes = new ViewChanges(table, view);
        List<SortedRun> fresh = fresh(table);
        if (!fresh.isEmpty()) {
            ChainedRun authority = authority(table.primary());
            for (KeyRange touched : touched(fresh, authority)) {
                collect(table, fresh, authority, touched, changes);
            }
        }
        return Sorter.sort(changes.take(), changes.layout().codec());
    }

    /** Ranges of keys that have fresh rows, such that the authority's blocks without any are not read. */
    private static List<KeyRange> touched(List<SortedRun> fresh, ChainedRun authority) {
        var ranges = new ArrayList<KeyRange>();
        for (int block = 0; block < authority.blocks(); block++) {
            byte[] from = block == 0 ? null : authority.minKey(block);
            byte[] to = block + 1 == authority.blocks() ? null : authority.minKey(block + 1);
            var range = new KeyRange(from, to);
            if (fresh.stream().anyMatch(run -> hasKeyIn(run, range))) {
                ranges.add(range);
            }
        }
        return ranges.isEmpty() && authority.blocks() == 0 ? List.of(KeyRange.ALL) : ranges;
    }

    private static boolean hasKeyIn(SortedRun run, KeyRange range) {
        for (int block = 0; block < run.blocks(); block++) {
            if (range.to() != null && Arrays.compareUnsigned(run.minKey(block), range.to()) >= 0) {
                return false;
            }
            if (range.overlaps(run.minKey(block), run.maxKey(block))) {
                Keys keys = run.keys(block);
                int row = range.from() == null ? 0 : keys.seek(0, keys.size(), range.from());
                if (row < keys.size() && (range.to() == null || keys.compare(row, range.to()) < 0)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void collect(
            Table table, List<SortedRun> fresh, ChainedRun authority, KeyRange range, ViewChanges changes) {
        Layout layout = Layout.of(table, table.primary());
        var runs = new ArrayList<SortedRun>();
        runs.add(authority);
        runs.addAll(fresh);
        try {
            new RunMerger(
                            runs,
                            range,
                            layout.ids(),
                            layout.isLong(),
                            true,
                            new RunMerger.Limits(4096, 1 << 20),
                            (flags, columns, rows, min, max) -> {},
                            new ToView(changes),
                            authority)
                    .run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hands changes on to one view. */
    private record ToView(ViewChanges view) implements RunMerger.Changes {

        @Override
        public void removed(SortedRun authority, int block, int row) {
            view.remove(authority, block, row);
        }

        @Override
        public void added(io.leeway.lazybase.internal.column.VectorBuilder[] columns, int row) {
            view.add(row);
        }

        @Override
        public void flush(Vector[] columns) {
            view.flush(columns);
        }
    }

    /** About how many rows of a view's runs have keys in some ranges; what a scan of them costs. */
    public long estimate(Table table, View view, List<KeyRange> ranges) {
        long rows = within(authority(view), ranges);
        boolean primary = view.id() == table.primary().id();
        State state = snapshot.state();
        for (Object unit : units.subList(0, reach.units())) {
            if (unit instanceof Flight flight) {
                RunInfo run = flight.runs().get(table.id());
                if (run != null) {
                    rows += primary ? within(snapshot.file(run.file()), ranges) : 8 * run.rows();
                }
            } else {
                rows += 2 * ((Scu) unit).rowsOf(table.id(), Integer.MAX_VALUE);
            }
        }
        if (reach.openGroups() > 0) {
            rows += 2 * snapshot.open().rowsOf(table.id(), reach.openGroups());
        }
        return state.authority() < 0 ? 0 : rows;
    }

    private static long within(SortedRun run, List<KeyRange> ranges) {
        long rows = 0;
        for (int block = 0; block < run.blocks(); block++) {
            for (KeyRange range : ranges) {
                if (range.overlaps(run.minKey(block), run.maxKey(block))) {
                    rows += run.rows(block);
                    break;
                }
            }
        }
        return rows;
    }

    /** What reading a table's ranges costs: rows and bytes that are stored, and rows that would have to be sorted first. */
    public Cost cost(Table table, List<KeyRange> ranges) {
        long rows = 0;
        long bytes = 0;
        var stored = new ArrayList<SortedRun>();
        stored.add(authority(table.primary()));
        long unsorted = 0;
        for (Object unit : units.subList(0, reach.units())) {
            if (unit instanceof Flight flight) {
                RunInfo run = flight.runs().get(table.id());
                if (run != null) {
                    stored.add(snapshot.file(run.file()));
                }
            } else {
                unsorted += ((Scu) unit).unsortedRowsOf(table.id(), Integer.MAX_VALUE);
                rows += ((Scu) unit).rowsOf(table.id(), Integer.MAX_VALUE);
            }
        }
        if (reach.openGroups() > 0) {
            unsorted += snapshot.open().unsortedRowsOf(table.id(), reach.openGroups());
            rows += snapshot.open().rowsOf(table.id(), reach.openGroups());
        }
        for (SortedRun run : stored) {
            for (int block = 0; block < run.blocks(); block++) {
                int each = block;
                if (ranges.stream().anyMatch(range -> range.overlaps(run.minKey(each), run.maxKey(each)))) {
                    rows += run.rows(block);
                    bytes += run.bytes(block);
                }
            }
        }
        return new Cost(rows, bytes, unsorted, stored.size());
    }

    /**
     * What reading costs.
     *
     * @param rows that are looked at
     * @param bytes that are read from files, if nothing is in the cache
     * @param toSort rows that are sorted first
     * @param runs that are merged
     */
    public record Cost(long rows, long bytes, long toSort, int runs) {}

    @Override
    public void close() {
        snapshot.close();
    }
}
