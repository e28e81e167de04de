package io.leeway.lazybase.internal.pipeline;

import com.google.common.cache.CacheBuilder;
import io.leeway.lazybase.internal.column.Chunks;
import io.leeway.lazybase.internal.column.KeyRange;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import io.leeway.lazybase.internal.merge.RunMerger;
import io.leeway.lazybase.internal.merge.SortedRun;
import io.leeway.lazybase.internal.merge.Sorter;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.storage.RunFile;
import io.leeway.lazybase.internal.storage.RunWriter;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does a task (James Cipar, "Trading Freshness for Performance in Distributed Systems", 2014, section 3.3.3). It reads what is immutable
 * and writes new files; nothing counts before the coordinator has logged the result, so a task that fails or is done twice changes nothing.
 * For one task.
 */
final class Stages implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Stages.class);

    /** What changes of secondary views take in memory before they are sorted and written. */
    private static final long CHANGES_BYTES = 16 << 20;

    private final Store store;
    private final PipelineSettings settings;
    private final long number;
    private final List<RunFile> open = new ArrayList<>();
    private int files;

    private Stages(Store store, PipelineSettings settings, long number) {
        this.store = store;
        this.settings = settings;
        this.number = number;
    }

    /**
     * Does a task.
     *
     * @param scu that is to be sorted, if it is in memory
     */
    static Task.Done run(Store store, PipelineSettings settings, Task task, @Nullable Scu scu) throws IOException {
        long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        var runs = new HashMap<Integer, List<RunInfo>>();
        List<String> dropped = List.of();
        try (var stages = new Stages(store, settings, task.number())) {
            if (task instanceof Task.Sort sort) {
                stages.sort(scu == null ? new Scu(sort.scu(), store, null) : scu, sort.tables(), runs);
            } else if (task instanceof Task.Merge merge) {
                stages.merge(merge, runs);
            } else if (task instanceof Task.Renew renew) {
                dropped = stages.renew(renew, runs);
            }
        }
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began;
        return new Task.Done(runs, dropped, cpu);
    }

    /** Makes the authority of a new secondary view from that of the primary one. */
    static List<RunInfo> backfill(
            Store store, PipelineSettings settings, long number, Table table, View view, List<RunInfo> primary)
            throws IOException {
        try (var stages = new Stages(store, settings, number)) {
            var side = new ViewChanges(table, view);
            var rows = stages.new Side(side, CHANGES_BYTES);
            var renewal = stages.new Ranges(side.layout(), List.of(), KeyRange.ALL, List.of());
            try {
                for (SortedRun run : stages.open(primary, Layout.of(table, table.primary()))) {
                    for (int block = 0; block < run.blocks(); block++) {
                        side.addBlock(run, block);
                        rows.writeIfMany();
                    }
                }
                rows.write();
                if (!rows.written.isEmpty()) {
                    renewal.run(stages.open(rows.written, side.layout()));
                }
            } finally {
                rows.delete();
            }
            return renewal.added;
        }
    }

    private String newName() {
        return "run-" + number + "-" + files++ + ".lbx";
    }

    private RunMerger.Limits limits() {
        return new RunMerger.Limits(settings.extentRows(), settings.extentBytes());
    }

    /** Opens files for going through them once. */
    private List<SortedRun> open(List<RunInfo> runs, Layout layout) throws IOException {
        var opened = new ArrayList<SortedRun>();
        for (RunInfo run : runs) {
            var file = new RunFile(
                    store,
                    run.file(),
                    layout.codec(),
                    CacheBuilder.newBuilder().maximumSize(1).build());
            open.add(file);
            opened.add(file.sequential());
        }
        return opened;
    }

    @Override
    public void close() {
        open.forEach(RunFile::close);
    }

    private void sort(Scu scu, List<Table> tables, Map<Integer, List<RunInfo>> done) throws IOException {
        scu.remap();
        List<Integer> written = scu.tables();
        for (Table table : tables) {
            if (written.contains(table.id())) {
                Layout layout = Layout.of(table, table.primary());
                merge(scu.sorted(table.id(), scu.groups(), layout.codec()), layout, table.id(), done);
            }
        }
    }

    private void merge(Task.Merge task, Map<Integer, List<RunInfo>> done) throws IOException {
        for (Table table : task.tables()) {
            Layout layout = Layout.of(table, table.primary());
            var runs = new ArrayList<RunInfo>();
            for (Flight flight : task.inputs()) {
                RunInfo run = flight.runs().get(table.id());
                if (run != null) {
                    runs.add(run);
                }
            }
            merge(open(runs, layout), layout, table.id(), done);
        }
    }

    /** Merges runs, oldest first, none of which is the authority, into one, if there is anything in them. */
    private void merge(List<? extends SortedRun> runs, Layout layout, int id, Map<Integer, List<RunInfo>> done)
            throws IOException {
        if (runs.isEmpty()) {
            return;
        }
        String name = newName();
        // What is fresh is read soon and rewritten soon, so it is compressed quickly.
        try (RunWriter writer = new RunWriter(store, name, layout.ids(), layout.isLong(), Chunks.Codec.LZ4)) {
            new RunMerger(
                            runs,
                            KeyRange.ALL,
                            layout.ids(),
                            layout.isLong(),
                            false,
                            limits(),
                            (flags, columns, rows, min, max) -> writer.append(flags, columns, 0, rows, min, max),
                            null,
                            null)
                    .run();
            if (writer.rows() > 0) {
                writer.finish();
                done.computeIfAbsent(id, none -> new ArrayList<>())
                        .add(new RunInfo(name, writer.rows(), writer.bytes(), writer.minKey(), writer.maxKey()));
            }
        }
    }

    /** Merges runs into a range of the authority of a view; returns the files that are replaced. */
    private List<String> renew(Task.Renew task, Map<Integer, List<RunInfo>> done) throws IOException {
        Table table = task.tables().get(0);
        var sides = new ArrayList<Side>();
        View view = table.primary();
        List<View> secondary = table.views().subList(1, table.views().size());
        for (View each : secondary) {
            if (each.id() == task.view()) {
                view = each;
            }
            sides.add(new Side(new ViewChanges(table, each), CHANGES_BYTES / secondary.size()));
        }
        if (!view.equals(table.primary())) {
            sides.clear();
        }
        Layout layout = Layout.of(table, view);
        var ranges = new Ranges(layout, task.old(), new KeyRange(task.from(), task.to()), sides);
        ranges.run(open(task.inputs(), layout));
        done.put(view.id(), ranges.added);
        for (Side side : sides) {
            side.write();
            if (!side.written.isEmpty()) {
                done.put(side.changes.view().id(), side.written);
            }
        }
        return ranges.dropped;
    }

    /**
     * The changes of a secondary view, which are sorted and written whenever they are many: however much a renewal brings, it takes the
     * same memory. Of the files a later one is newer.
     */
    private final class Side {

        private final ViewChanges changes;
        private final long mostBytes;
        private final List<RunInfo> written = new ArrayList<>();

        Side(ViewChanges changes, long mostBytes) {
            this.changes = changes;
            this.mostBytes = mostBytes;
        }

        void writeIfMany() throws IOException {
            if (changes.rows() >= settings.partRows() || changes.weight() >= mostBytes) {
                write();
            }
        }

        void write() throws IOException {
            if (changes.rows() > 0) {
                var sorted = Sorter.sort(changes.take(), changes.layout().codec());
                var runs = new HashMap<Integer, List<RunInfo>>();
                merge(List.of(sorted), changes.layout(), changes.view().id(), runs);
                written.addAll(runs.getOrDefault(changes.view().id(), List.of()));
            }
        }

        void delete() {
            for (RunInfo run : written) {
                try {
                    store.delete(run.file());
                } catch (IOException e) {
                    LOG.debug("{} is removed with the other orphans at the next start: {}", run.file(), e.toString());
                }
            }
        }
    }

    /** Merges runs into the files of one view; files whose keys no run has stay. */
    private final class Ranges {

        private final Layout layout;
        private final List<RunInfo> old;
        private final KeyRange all;
        private final List<Side> sides;
        private final List<String> dropped = new ArrayList<>();
        private final List<RunInfo> added = new ArrayList<>();

        Ranges(Layout layout, List<RunInfo> old, KeyRange all, List<Side> sides) {
            this.layout = layout;
            this.old = old;
            this.all = all;
            this.sides = sides;
        }

        void run(List<? extends SortedRun> runs) throws IOException {
            if (old.isEmpty()) {
                write(null, runs, all);
                return;
            }
            for (int i = 0; i < old.size(); i++) {
                byte[] from = i == 0 ? all.from() : old.get(i).min();
                byte[] to = i + 1 == old.size() ? all.to() : old.get(i + 1).min();
                var range = new KeyRange(from, to);
                List<SortedRun> touching = touching(runs, range);
                if (!touching.isEmpty()) {
                    renew(old.get(i), touching, range);
                }
            }
        }

        /** If all new keys follow those of a file that is full, it stays and a new one begins. */
        private void renew(RunInfo part, List<SortedRun> runs, KeyRange range) throws IOException {
            byte[] after = Arrays.copyOf(part.max(), part.max().length + 1);
            boolean full = part.rows() >= settings.partRows();
            if (full && touching(runs, new KeyRange(range.from(), after)).isEmpty()) {
                write(null, runs, new KeyRange(after, range.to()));
            } else {
                write(part, runs, range);
            }
        }

        private List<SortedRun> touching(List<? extends SortedRun> runs, KeyRange range) {
            var touching = new ArrayList<SortedRun>();
            for (SortedRun run : runs) {
                if (touches(run, range)) {
                    touching.add(run);
                }
            }
            return touching;
        }

        private static boolean touches(SortedRun run, KeyRange range) {
            for (int block = 0; block < run.blocks(); block++) {
                if (range.to() != null && Arrays.compareUnsigned(run.minKey(block), range.to()) >= 0) {
                    return false;
                }
                if (range.overlaps(run.minKey(block), run.maxKey(block))) {
                    // The bounds overlap; only the keys say whether there is one.
                    var keys = run.keys(block);
                    int row = range.from() == null ? 0 : keys.seek(0, keys.size(), range.from());
                    if (row < keys.size() && (range.to() == null || keys.compare(row, range.to()) < 0)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private void write(@Nullable RunInfo part, List<? extends SortedRun> runs, KeyRange range) throws IOException {
            var inputs = new ArrayList<SortedRun>();
            SortedRun authority = null;
            if (part != null) {
                authority = open(List.of(part), layout).get(0);
                inputs.add(authority);
                dropped.add(part.file());
            }
            inputs.addAll(runs);
            try (var out = new Splitter(layout)) {
                new RunMerger(
                                inputs,
                                range,
                                layout.ids(),
                                layout.isLong(),
                                true,
                                limits(),
                                out,
                                sides.isEmpty() ? null : new Sides(sides),
                                authority)
                        .run();
                out.finish();
                added.addAll(out.written);
            }
        }
    }

    /** Writes files of about the same number of rows. */
    private final class Splitter implements RunMerger.Output, AutoCloseable {

        private final Layout layout;
        private final List<RunInfo> written = new ArrayList<>();
        private @Nullable RunWriter writer;
        private String name = "";

        Splitter(Layout layout) {
            this.layout = layout;
        }

        @Override
        public void extent(byte @Nullable [] flags, Vector[] columns, int rows, byte[] min, byte[] max)
                throws IOException {
            RunWriter mine = writer;
            if (mine == null) {
                name = newName();
                mine = new RunWriter(store, name, layout.ids(), layout.isLong(), Chunks.Codec.ZSTD);
                writer = mine;
            }
            mine.append(flags, columns, 0, rows, min, max);
            // Half as much again at most: a file that grows by a few rows is not split at once.
            if (mine.rows() >= settings.partRows() + settings.partRows() / 2) {
                finish();
            }
        }

        void finish() throws IOException {
            RunWriter mine = writer;
            if (mine == null) {
                return;
            }
            mine.finish();
            written.add(new RunInfo(name, mine.rows(), mine.bytes(), mine.minKey(), mine.maxKey()));
            close();
        }

        @Override
        public void close() throws IOException {
            RunWriter mine = writer;
            writer = null;
            if (mine != null) {
                mine.close();
            }
        }
    }

    /** Tells all secondary views of a change. */
    private record Sides(List<Side> sides) implements RunMerger.Changes {

        @Override
        public void removed(SortedRun authority, int block, int row) throws IOException {
            for (Side side : sides) {
                side.changes.remove(authority, block, row);
                side.writeIfMany();
            }
        }

        @Override
        public void added(VectorBuilder[] columns, int row) {
            for (Side side : sides) {
                side.changes.add(row);
            }
        }

        @Override
        public void flush(Vector[] columns) throws IOException {
            for (Side side : sides) {
                side.changes.flush(columns);
                side.writeIfMany();
            }
        }
    }
}
