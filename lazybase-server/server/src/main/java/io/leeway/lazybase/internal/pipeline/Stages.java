package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.Chunks;
import io.leeway.lazybase.internal.column.KeyRange;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import io.leeway.lazybase.internal.merge.MemoryRun;
import io.leeway.lazybase.internal.merge.RunMerger;
import io.leeway.lazybase.internal.merge.SortedRun;
import io.leeway.lazybase.internal.merge.Sorter;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.storage.RunFile;
import io.leeway.lazybase.internal.storage.RunWriter;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What tasks do (LazyBase §3.3). Each reads what is immutable and writes new files; nothing counts before the coordinator has logged the
 * result, so a task that fails or is done twice changes nothing.
 */
final class Stages {

    private final Store store;
    private final PipelineSettings settings;
    private final AtomicLong nextFile;

    /** Renewed files of the authority: those that go, and those that come for each view. */
    record Renewed(List<String> dropped, Map<Integer, List<RunInfo>> parts, long rows, long bytes) {}

    /** Opens files for reading. */
    @FunctionalInterface
    interface Opener {
        RunFile open(RunInfo run, Layout layout) throws IOException;
    }

    Stages(Store store, PipelineSettings settings, long nextFile) {
        this.store = store;
        this.settings = settings;
        this.nextFile = new AtomicLong(nextFile);
    }

    long nextFile() {
        return nextFile.get();
    }

    private String newName() {
        return "run-" + nextFile.getAndIncrement() + ".lbx";
    }

    private RunMerger.Limits limits() {
        return new RunMerger.Limits(settings.extentRows(), settings.extentBytes());
    }

    /** Sorts the rows of one table of an SCU. */
    @Nullable
    RunInfo sort(Scu scu, Table table) throws IOException {
        Layout layout = Layout.of(table, table.primary());
        List<MemoryRun> runs = scu.sorted(table.id(), scu.groups(), layout.codec());
        return merge(runs, layout);
    }

    /** Merges runs of one table, oldest first, none of which is the authority. */
    @Nullable
    RunInfo merge(List<? extends SortedRun> runs, Layout layout) throws IOException {
        if (runs.isEmpty()) {
            return null;
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
            if (writer.rows() == 0) {
                return null;
            }
            writer.finish();
            return new RunInfo(name, writer.rows(), writer.bytes(), writer.minKey(), writer.maxKey());
        }
    }

    /**
     * Merges runs of one table into the authority of all its views.
     *
     * @param runs oldest first, in the order of the primary key
     */
    Renewed renew(Table table, State state, List<? extends SortedRun> runs, Opener opener) throws IOException {
        var dropped = new ArrayList<String>();
        var parts = new HashMap<Integer, List<RunInfo>>();
        long[] sums = new long[2];
        var sides = new ArrayList<ViewChanges>();
        for (View view : table.views().subList(1, table.views().size())) {
            sides.add(new ViewChanges(table, view));
        }
        Layout layout = Layout.of(table, table.primary());
        var primary = new Renewal(layout, state.partsOf(table.primary().id()), opener, sides);
        primary.run(runs);
        primary.into(table.primary().id(), dropped, parts, sums);
        for (ViewChanges side : sides) {
            Batch changes = side.batch();
            if (changes.rows() == 0) {
                continue;
            }
            var renewal = new Renewal(side.layout(), state.partsOf(side.view().id()), opener, List.of());
            renewal.run(List.of(Sorter.sort(changes, side.layout().codec())));
            renewal.into(side.view().id(), dropped, parts, sums);
        }
        return new Renewed(dropped, parts, sums[0], sums[1]);
    }

    /** Makes the authority of a new secondary view from that of the primary one. */
    Renewed backfill(Table table, View view, State state, Opener opener) throws IOException {
        var side = new ViewChanges(table, view);
        for (RunInfo part : state.partsOf(table.primary().id())) {
            SortedRun run = opener.open(part, Layout.of(table, table.primary())).sequential();
            for (int block = 0; block < run.blocks(); block++) {
                side.addBlock(run, block);
            }
        }
        var parts = new HashMap<Integer, List<RunInfo>>();
        long[] sums = new long[2];
        Batch rows = side.batch();
        if (rows.rows() > 0) {
            var renewal = new Renewal(side.layout(), List.of(), opener, List.of());
            renewal.run(List.of(Sorter.sort(rows, side.layout().codec())));
            renewal.into(view.id(), new ArrayList<>(), parts, sums);
        }
        return new Renewed(List.of(), parts, sums[0], sums[1]);
    }

    /** Merges runs into the files of one view; files whose keys no run has stay. */
    private final class Renewal {

        private final Layout layout;
        private final List<RunInfo> old;
        private final Opener opener;
        private final List<ViewChanges> sides;
        private final List<String> dropped = new ArrayList<>();
        private final List<RunInfo> added = new ArrayList<>();
        private long rows;
        private long bytes;

        Renewal(Layout layout, List<RunInfo> old, Opener opener, List<ViewChanges> sides) {
            this.layout = layout;
            this.old = old;
            this.opener = opener;
            this.sides = sides;
        }

        void into(int view, List<String> allDropped, Map<Integer, List<RunInfo>> parts, long[] sums) {
            allDropped.addAll(dropped);
            parts.put(view, added);
            sums[0] += rows;
            sums[1] += bytes;
        }

        void run(List<? extends SortedRun> runs) throws IOException {
            if (old.isEmpty()) {
                write(null, runs, KeyRange.ALL);
                return;
            }
            for (int i = 0; i < old.size(); i++) {
                byte[] from = i == 0 ? null : old.get(i).min();
                byte[] to = i + 1 == old.size() ? null : old.get(i + 1).min();
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
                authority = opener.open(part, layout).sequential();
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
                rows += out.written.stream().mapToLong(RunInfo::rows).sum();
                bytes += out.written.stream().mapToLong(RunInfo::bytes).sum();
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
    private record Sides(List<ViewChanges> sides) implements RunMerger.Changes {

        @Override
        public void removed(SortedRun authority, int block, int row) {
            for (ViewChanges side : sides) {
                side.remove(authority, block, row);
            }
        }

        @Override
        public void added(VectorBuilder[] columns, int row) {
            for (ViewChanges side : sides) {
                side.add(row);
            }
        }

        @Override
        public void flush(Vector[] columns) {
            for (ViewChanges side : sides) {
                side.flush(columns);
            }
        }
    }
}
