package io.leeway.lazybase.internal.query;

import io.leeway.lazybase.internal.column.KeyRange;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.merge.MergeScan;
import io.leeway.lazybase.internal.merge.Segment;
import io.leeway.lazybase.internal.merge.SortedRun;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.pipeline.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one table that fit a condition, in the order of the view that is read. For one thread.
 */
public final class Scan {

    private final List<KeyRange> ranges;
    private final List<SortedRun> runs;
    private final Predicate predicate;
    private final int[] ids;
    private final boolean[] isLong;
    private final Stats stats;
    private int nextRange;
    private @Nullable MergeScan merge;

    /** What a query has read so far. Thread-safe. */
    public static final class Stats {
        private final java.util.concurrent.atomic.LongAdder rows = new java.util.concurrent.atomic.LongAdder();
        private final java.util.concurrent.atomic.LongAdder bytes = new java.util.concurrent.atomic.LongAdder();

        /** Rows that were looked at. */
        public long rows() {
            return rows.sum();
        }

        /** Bytes of extents that were looked at. */
        public long bytes() {
            return bytes.sum();
        }
    }

    /** Some rows of a segment: those that fit. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Rows(Segment segment, int[] rows, int count) {}

    private Scan(
            List<KeyRange> ranges,
            List<SortedRun> runs,
            Predicate predicate,
            int[] ids,
            boolean[] isLong,
            Stats stats) {
        this.ranges = ranges;
        this.runs = runs;
        this.predicate = predicate;
        this.ids = ids;
        this.isLong = isLong;
        this.stats = stats;
    }

    /**
     * Which view is cheapest for a condition: the primary one unless another has all columns and fewer rows to look at.
     */
    public static View choose(Reading reading, Table table, Predicate predicate, int[] ids) {
        View best = table.primary();
        if (table.views().size() == 1) {
            return best;
        }
        long least = reading.estimate(table, best, KeyRanges.of(predicate, Layout.codec(table, best.key())));
        for (View view : table.views().subList(1, table.views().size())) {
            boolean covers =
                    Arrays.stream(ids).allMatch(id -> id == 0 || view.columns().contains(id));
            if (covers) {
                long rows = reading.estimate(table, view, KeyRanges.of(predicate, Layout.codec(table, view.key())));
                if (rows < least) {
                    least = rows;
                    best = view;
                }
            }
        }
        return best;
    }

    /**
     * Scans that together have all rows, and that may run side by side; the ranges of their keys follow each other.
     *
     * @param ids numbers of columns that are wanted or that the condition needs
     * @param most how many scans at most
     */
    public static List<Scan> of(
            Reading reading, Table table, View view, Predicate predicate, int[] ids, Stats stats, int most) {
        List<KeyRange> ranges = KeyRanges.of(predicate, Layout.codec(table, view.key()));
        List<SortedRun> runs = reading.runs(table, view);
        boolean[] isLong = new boolean[ids.length];
        for (int c = 0; c < ids.length; c++) {
            isLong[c] = ids[c] == 0 || table.columnOf(ids[c]).type().isLong();
        }
        var scans = new ArrayList<Scan>();
        for (List<KeyRange> share : shares(ranges, runs.get(0), most)) {
            scans.add(new Scan(share, runs, predicate, ids, isLong, stats));
        }
        return scans;
    }

    /** Cuts one range at block boundaries of the largest run; more than one are dealt out as they are. */
    private static List<List<KeyRange>> shares(List<KeyRange> ranges, SortedRun run, int most) {
        if (most <= 1 || ranges.size() != 1 || run.blocks() < 2 * most) {
            return List.of(ranges);
        }
        KeyRange all = ranges.get(0);
        var shares = new ArrayList<List<KeyRange>>();
        byte[] from = all.from();
        for (int i = 1; i <= most; i++) {
            byte[] to = i == most ? all.to() : run.minKey((int) ((long) run.blocks() * i / most));
            KeyRange share = new KeyRange(from, to).and(all);
            if (!share.isEmpty()) {
                shares.add(List.of(share));
            }
            from = to;
        }
        return shares;
    }

    /** The next rows that fit, or null at the end. */
    public @Nullable Rows next() {
        while (true) {
            MergeScan current = merge;
            if (current == null) {
                if (nextRange == ranges.size()) {
                    return null;
                }
                current = new MergeScan(runs, ranges.get(nextRange++), ids, isLong, this::canSkip);
                merge = current;
            }
            Segment segment = current.next();
            if (segment == null) {
                stats.rows.add(current.rowsRead());
                stats.bytes.add(current.bytesRead());
                merge = null;
                continue;
            }
            Rows fitting = fitting(segment);
            if (fitting.count > 0) {
                return fitting;
            }
        }
    }

    private boolean canSkip(SortedRun run, int block) {
        return !predicate.mayFit(id -> run.zone(block, id));
    }

    private Rows fitting(Segment segment) {
        int count = segment.rows();
        int[] rows = new int[count];
        for (int i = 0; i < count; i++) {
            rows[i] = i;
        }
        int left = predicate.filter(segment, id -> column(segment, id), rows, count);
        return new Rows(segment, rows, left);
    }

    private Vector column(Segment segment, int id) {
        for (int c = 0; c < ids.length; c++) {
            if (ids[c] == id) {
                return segment.column(c, isLong[c]);
            }
        }
        throw new IllegalStateException("column " + id + " was not asked for");
    }

    /** A wanted column of a segment, by its place among those that were asked for. */
    public Vector columnAt(Segment segment, int index) {
        return segment.column(index, isLong[index]);
    }
}
