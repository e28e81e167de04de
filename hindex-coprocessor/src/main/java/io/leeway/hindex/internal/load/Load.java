package io.leeway.hindex.internal.load;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;

/** Files that HBase takes into a region together, and how far their entries are. One thread at a time works on it. */
final class Load implements Closeable {

    private static final int BATCH = 1_000;

    private final List<LoadedFile> files;
    private final BulkLoads.Region region;
    private final int perSecond;
    private int file;
    private byte[] row = {};
    private long written;
    private long newest;

    Load(List<LoadedFile> files, BulkLoads.Region region, int perSecond) {
        this.files = List.copyOf(files);
        this.region = region;
        this.perSecond = perSecond;
    }

    /**
     * Goes on for so long, or to the end.
     *
     * @return whether all entries are there
     */
    boolean work(List<IndexPlan> indexes, long nanos) throws IOException {
        long start = System.nanoTime();
        var slice = new Slice(indexes, start, start + nanos);
        while (file < files.size()) {
            LoadedFile current = files.get(file);
            slice.begin();
            current.read(row, cell -> slice.take(current, cell));
            if (slice.isOver) {
                return false;
            }
            slice.write();
            file++;
            row = HConstants.EMPTY_BYTE_ARRAY;
        }
        return true;
    }

    /** How many entries were written. */
    long written() {
        return written;
    }

    /** The highest timestamp of indexed columns in the files, as far as they were read. */
    long newest() {
        return newest;
    }

    /** Whether one of the files has the version that an entry speaks of. */
    boolean has(Entry entry) throws IOException {
        for (LoadedFile each : files) {
            if (entry.index().isOfFamily(each.family()) && each.has(entry)) {
                return true;
            }
        }
        return false;
    }

    /** One turn of work. */
    private final class Slice {

        private final List<IndexPlan> indexes;
        private final long start;
        private final long end;
        private final List<NewEntry> batch = new ArrayList<>();
        private long writtenNow;
        private byte[] current = {};
        private boolean isOver;

        Slice(List<IndexPlan> indexes, long start, long end) {
            this.indexes = indexes;
            this.start = start;
            this.end = end;
        }

        void begin() {
            current = HConstants.EMPTY_BYTE_ARRAY;
        }

        /** Turns end between rows, so that each of them gets further however short it is. */
        boolean take(LoadedFile of, Cell cell) throws IOException {
            if (current.length == 0 || !CellUtil.matchingRows(cell, current)) {
                if (batch.size() >= BATCH) {
                    write();
                    row = CellUtil.cloneRow(cell);
                    if (System.nanoTime() >= end) {
                        isOver = true;
                        return false;
                    }
                }
                current = CellUtil.cloneRow(cell);
            } else if (batch.size() >= BATCH) {
                write();
            }
            for (IndexPlan index : indexes) {
                if (index.isOfFamily(of.family()) && index.concerns(cell)) {
                    add(index, cell);
                }
            }
            return true;
        }

        private void add(IndexPlan index, Cell cell) {
            switch (cell.getType()) {
                case Put -> {
                    if (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
                        throw new IllegalArgumentException(
                                "the file has cells without a timestamp (the largest there is),"
                                        + " which their entries could not have too; write the file with timestamps");
                    }
                    index.newEntries(current, CellUtil.cloneValue(cell), cell.getTimestamp())
                            .forEach(entry -> batch.add(new NewEntry(entry, NewEntry.timeToLive(cell))));
                }
                case Delete, DeleteFamilyVersion ->
                    throw new IllegalArgumentException(
                            "the file has deletes of exact versions, which may bring back older"
                                    + " versions that have no entries any more; send such deletes as ordinary writes");
                case DeleteColumn, DeleteFamily -> {
                    // What they hide is found by compactions.
                }
            }
            newest = Math.max(newest, cell.getTimestamp());
        }

        void write() throws IOException {
            if (batch.isEmpty()) {
                return;
            }
            region.put(List.copyOf(batch));
            written += batch.size();
            writtenNow += batch.size();
            batch.clear();
            long due = start + (long) ((double) writtenNow / perSecond * TimeUnit.SECONDS.toNanos(1));
            long wait = Math.min(due, end) - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(wait);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (LoadedFile each : files) {
            each.close();
        }
    }
}
