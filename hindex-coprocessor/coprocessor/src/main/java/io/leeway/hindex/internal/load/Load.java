package io.leeway.hindex.internal.load;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that HBase takes into a region together, and how far their entries are. One thread at a time works on it; many
 * may ask what the files have.
 */
final class Load implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    /** Entries in one call to an index; a call has the write's time limit. */
    private static final int BATCH = 1_000;

    /**
     * Entries that the files are asked for together; such a question is waited for with a limit, so it has to be a
     * short one.
     */
    private static final int QUESTIONS = 50;

    /** Rows that are locked together. */
    private static final int ROWS = 50;

    /**
     * Cells that are read together, if nothing is to be written before; such a read is waited for with a limit, too.
     */
    private static final int CELLS = 10_000;

    private final List<LoadedFile> files;
    private final BulkLoads.Region region;
    private final boolean hasStates;
    private final int perSecond;
    private final FileReads reads;
    /** The number of the file that is worked on; with the row it says where the next call goes on. */
    private int file;
    /** The first row that is not done in it; empty for the first of all. */
    private byte[] row = {};

    private long written;
    /** See the method. It is raised only when the entries are there. */
    private long newest;

    /** Files, and whether their rows have entries that depend on what else the rows have. */
    Load(List<LoadedFile> files, BulkLoads.Region region, int perSecond, boolean hasStates, FileReads reads) {
        this.reads = reads;
        this.files = List.copyOf(files);
        this.hasStates = hasStates;
        this.region = region;
        this.perSecond = perSecond;
    }

    /**
     * The same files in another place, of which as much is done as of these; nobody goes on with these.
     *
     * <p>Replication copies the files anew for each attempt; without this a load of more than one attempt's time would
     * never end.
     */
    Load at(List<LoadedFile> elsewhere) {
        var same = new Load(elsewhere, region, perSecond, hasStates, reads);
        same.file = file;
        same.row = row;
        same.written = written;
        same.newest = newest;
        return same;
    }

    /**
     * Goes on for so long, or to the end.
     *
     * <p>One row more is done than the time allows: each call gets further, however short it is.
     *
     * @return whether all entries are there
     */
    boolean work(List<IndexPlan> indexes, long nanos) throws IOException {
        long start = System.nanoTime();
        var slice = new Slice(indexes, start, start + nanos);
        while (file < files.size()) {
            LoadedFile current = files.get(file);
            slice.begin();
            read(current, slice);
            if (slice.isOver) {
                return false;
            }
            slice.endRow();
            slice.write();
            file++;
            row = HConstants.EMPTY_BYTE_ARRAY;
        }
        return true;
    }

    /**
     * From where the last call ended, within the file; cells are taken in the reading thread, entries written in this
     * one.
     */
    private void read(LoadedFile current, Slice slice) throws IOException {
        FileCells cells = current.cells(row);
        try {
            while (!slice.isOver && reads.readForLoad(() -> cells.read(cell -> slice.take(current, cell), CELLS))) {
                slice.writeIfFull();
            }
        } finally {
            reads.closeLater(cells);
        }
    }

    /** How many entries were written. */
    long written() {
        return written;
    }

    /** The highest timestamp of indexed columns in the files, as far as they were read. */
    long newest() {
        return newest;
    }

    /** Whether rows have entries that depend on what else they have. */
    boolean hasStates() {
        return hasStates;
    }

    /** Which entries must stay, since one of the files has what they speak of, or may have it. */
    Set<Entry> held(Collection<Entry> entries) {
        var held = new HashSet<Entry>();
        List<Entry> all = List.copyOf(entries);
        for (int from = 0; from < all.size(); from += QUESTIONS) {
            List<Entry> some = all.subList(from, Math.min(all.size(), from + QUESTIONS));
            try {
                held.addAll(reads.read(() -> had(some)));
            } catch (IOException e) {
                LOG.debug("a file that is being loaded could not be read", e);
                // Those that stay too long do less harm than those that are lost.
                held.addAll(some);
            }
        }
        return held;
    }

    /** Which entries must stay, since one of these loads has what they speak of, or may have it. */
    static Set<Entry> held(List<Load> loads, Collection<Entry> entries) {
        var held = new HashSet<Entry>();
        for (Load load : loads) {
            held.addAll(load.held(entries));
        }
        return held;
    }

    /** Reads the files, in one of their threads. */
    private Set<Entry> had(List<Entry> entries) throws IOException {
        var had = new HashSet<Entry>();
        for (Entry entry : entries) {
            if (has(entry)) {
                had.add(entry);
            }
        }
        return had;
    }

    /**
     * Whether one of the files has the version that an entry speaks of; or a part of what it speaks of, if that is
     * several columns.
     *
     * <p>Of several columns the state is not known before the files come, so a part is enough to leave the entry alone.
     */
    private boolean has(Entry entry) throws IOException {
        IndexPlan index = entry.index();
        for (LoadedFile each : files) {
            if (index.isOfFamily(each.family())
                    && (index.isOfOneColumn()
                            ? each.has(entry)
                            : !each.facts(index, index.row(entry.key())).isEmpty())) {
                return true;
            }
        }
        return false;
    }

    /** What the files say about a row: the first that has cells of it, the first two, and so on. */
    List<List<Fact>> coming(IndexPlan index, byte[] of) throws IOException {
        return reads.read(() -> facts(index, of));
    }

    /** Files without a cell of the row make no state of their own. */
    private List<List<Fact>> facts(IndexPlan index, byte[] of) throws IOException {
        var coming = new ArrayList<List<Fact>>();
        var sofar = new ArrayList<Fact>();
        for (LoadedFile each : files) {
            List<Fact> more = index.isOfFamily(each.family()) ? each.facts(index, of) : List.of();
            if (!more.isEmpty()) {
                sofar.addAll(more);
                coming.add(List.copyOf(sofar));
            }
        }
        return coming;
    }

    /**
     * One turn of work. It takes cells in the threads that read them, and writes in that of the load, one after the
     * other: each waits for the other, so nothing here is locked.
     */
    private final class Slice {

        private final List<IndexPlan> indexes;
        private final long start;
        private final long end;
        private final List<NewEntry> batch = new ArrayList<>();
        /** Rows whose entries depend on what else they have, by index. */
        private final Map<IndexPlan, List<byte[]>> rows = new LinkedHashMap<>();
        /** Indexes over several columns that the present row has cells of. */
        private final Set<IndexPlan> ofRow = new LinkedHashSet<>();
        /** How many rows are collected: they will be locked together. */
        private int locked;

        private long writtenNow;
        /** The row that is being taken. */
        private byte[] current = {};
        /**
         * The row that did not fit, with which it goes on; empty if a row was cut in the middle, or none was left over.
         */
        private byte[] next = {};
        /** Of what was taken but not written yet. */
        private long newestTaken;
        /** Whether the time was over at the end of a row. */
        private boolean isOver;

        Slice(List<IndexPlan> indexes, long start, long end) {
            this.indexes = indexes;
            this.start = start;
            this.end = end;
        }

        void begin() {
            current = HConstants.EMPTY_BYTE_ARRAY;
        }

        /** Whether it has taken the cell; else what it has is to be written first. */
        boolean take(LoadedFile of, Cell cell) {
            if (current.length == 0 || !CellUtil.matchingRows(cell, current)) {
                endRow();
                if (isFull()) {
                    next = CellUtil.cloneRow(cell);
                    return false;
                }
                current = CellUtil.cloneRow(cell);
            } else if (batch.size() >= BATCH) {
                return false;
            }
            for (IndexPlan index : indexes) {
                if (index.isOfFamily(of.family()) && index.concerns(cell)) {
                    add(index, cell);
                }
            }
            return true;
        }

        /** Both are limits of one call under locks: entries of single columns, and rows with states. */
        private boolean isFull() {
            return batch.size() >= BATCH || locked >= ROWS;
        }

        /** Turns end between rows, so that each of them gets further however short it is. */
        void writeIfFull() throws IOException {
            if (!isFull()) {
                return;
            }
            write();
            if (next.length > 0) {
                row = next;
                isOver = System.nanoTime() >= end;
                next = HConstants.EMPTY_BYTE_ARRAY;
            }
        }

        /** Now it is known which indexes have several columns of the row. */
        void endRow() {
            ofRow.forEach(index ->
                    rows.computeIfAbsent(index, none -> new ArrayList<>()).add(current));
            locked += ofRow.isEmpty() ? 0 : 1;
            ofRow.clear();
        }

        /**
         * One cell. A put has its entry; a delete that hides all before it has none, and compactions find what it
         * hides. What would need the row as it was, a delete of an exact version, is refused, and so is what has no
         * time of its own yet.
         */
        private void add(IndexPlan index, Cell cell) {
            switch (cell.getType()) {
                case Put -> {
                    if (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
                        throw new IllegalArgumentException(
                                "the file has cells without a timestamp (the largest there is),"
                                        + " which their entries could not have too; write the file with timestamps");
                    }
                    if (index.isOfOneColumn()) {
                        index.newEntries(current, CellUtil.cloneValue(cell), cell.getTimestamp())
                                .forEach(entry -> batch.add(new NewEntry(entry, NewEntry.timeToLive(cell))));
                    } else if (NewEntry.timeToLive(cell) != Long.MAX_VALUE) {
                        throw new IllegalArgumentException(
                                "the file has cells with a time to live of their own in columns"
                                        + " of index " + index.name()
                                        + ", which has several; set the time to live of the family"
                                        + " instead");
                    }
                }
                case Delete, DeleteFamilyVersion ->
                    throw new IllegalArgumentException(
                            "the file has deletes of exact versions, which may bring back older"
                                    + " versions that have no entries any more; send such deletes as ordinary writes");
                case DeleteColumn, DeleteFamily -> {
                    // What they hide is found by compactions.
                }
            }
            newestTaken = Math.max(newestTaken, cell.getTimestamp());
            if (!index.isOfOneColumn()) {
                ofRow.add(index);
            }
        }

        /** What was collected; then waits for the rate, but not beyond the end of the turn, whose handler is needed. */
        void write() throws IOException {
            newest = Math.max(newest, newestTaken);
            if (batch.isEmpty() && rows.isEmpty()) {
                return;
            }
            long now = batch.size();
            if (!batch.isEmpty()) {
                region.put(List.copyOf(batch));
            }
            for (Map.Entry<IndexPlan, List<byte[]>> some : rows.entrySet()) {
                now += region.putComing(some.getKey(), some.getValue());
            }
            written += now;
            writtenNow += now;
            batch.clear();
            rows.clear();
            locked = 0;
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
