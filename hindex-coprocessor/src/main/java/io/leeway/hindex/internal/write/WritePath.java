package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.clock.RowClock;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.Removals;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;

/*
 * Order: the entry is written before the base cell, under the row's lock. A crash in between leaves an entry without a
 * base cell, which reads do not return; the other order would leave a row that the index misses.
 *
 * What a write reads of the base table:
 * - deferred: nothing; but a delete of an exact version reads the column, since it can make older versions fresh whose
 *   entries are gone, and so does a put whose client gave a timestamp that the row may have had already
 * - sync: the column, to know what becomes obsolete
 *
 * Removals follow after the base write. They may fail: compactions find what they left.
 */
/** What happens to writes of one region. Thread-safe. */
public final class WritePath {

    private final TablePlan plan;
    private final RowClock clock;
    private final ColumnReader reader;
    private final CellCopier copier;
    private final SharedSender sender;
    private final Removals removals;

    @SuppressWarnings("ThreadLocalUsage") // one for each region
    private final ThreadLocal<Obsolete> obsoleteAfterwards = new ThreadLocal<>();

    /** The write path of a region. */
    public WritePath(
            TablePlan plan,
            RowClock clock,
            ColumnReader reader,
            CellCopier copier,
            SharedSender sender,
            Removals removals) {
        this.plan = plan;
        this.clock = clock;
        this.reader = reader;
        this.copier = copier;
        this.sender = sender;
        this.removals = removals;
    }

    /** Copies a cell but for its timestamp. */
    @FunctionalInterface
    public interface CellCopier {
        /** The copy. */
        Cell at(Cell cell, long timestamp);
    }

    private record Obsolete(Collection<Entry> entries, long knowledge) {}

    /** Before HBase fills in timestamps. */
    public void beforeTimestamps(Mutation mutation) {
        if (mutation instanceof Put || mutation instanceof Delete) {
            Stamps.mark(mutation);
        }
    }

    /** Under the rows' locks, with timestamps, before anything is written. */
    public void beforeBatch(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        obsoleteAfterwards.remove();
        var changes = new Changes();
        for (int i = 0; i < batch.size(); i++) {
            Mutation mutation = batch.getOperation(i);
            boolean pending = batch.getOperationStatus(i).getOperationStatusCode() == OperationStatusCode.NOT_RUN;
            if (pending && (mutation instanceof Put || mutation instanceof Delete)) {
                changes.add(mutation, stamp(mutation));
            }
        }
        changes.write();
    }

    /** After the locks were released. */
    public void afterBatch(boolean success) throws IOException {
        Obsolete obsolete = obsoleteAfterwards.get();
        obsoleteAfterwards.remove();
        if (success && obsolete != null) {
            removals.remove(obsolete.entries(), obsolete.knowledge());
        }
    }

    /**
     * The cells that an increment or an append results in, under the row's lock.
     *
     * @param cells the cell before, which may be null, and the cell after
     * @return the cells to write instead
     */
    public List<Pair<Cell, Cell>> beforeResult(Mutation mutation, List<Pair<Cell, Cell>> cells) throws IOException {
        var changes = new Changes();
        var result = new ArrayList<Pair<Cell, Cell>>(cells.size());
        byte[] row = mutation.getRow();
        for (Pair<Cell, Cell> pair : cells) {
            Cell after = pair.getSecond();
            if (!clock.isFirst(row, 0, row.length, after.getTimestamp())) {
                after = copier.at(after, clock.next(row, 0, row.length, after.getTimestamp()));
            }
            result.add(Pair.newPair(pair.getFirst(), after));
            changes.add(mutation, after, Origin.SERVER);
        }
        changes.write();
        return result;
    }

    /** Where the timestamps of a mutation come from. */
    private enum Origin {
        /** All from the server: no other write of the row has them. */
        SERVER,
        /** From the client, but above all that the row had. */
        CLIENT_NEW,
        /** From the client; the row may have had them. */
        CLIENT_LATE
    }

    /** Gives the cells that have the server's time one that the row never had. */
    private Origin stamp(Mutation mutation) {
        byte[] row = mutation.getRow();
        BitSet marks = Stamps.of(mutation);
        if (marks != null) {
            long now = Stamps.serverTime(mutation, marks);
            long timestamp = clock.next(row, 0, row.length, now);
            if (timestamp != now) {
                Stamps.restamp(mutation, marks, cell -> copier.at(cell, timestamp));
            }
        }
        return marks != null && marks.cardinality() == mutation.size()
                ? Origin.SERVER
                : observe(mutation, marks == null ? new BitSet() : marks);
    }

    private Origin observe(Mutation mutation, BitSet fromServer) {
        byte[] row = mutation.getRow();
        boolean late = false;
        int at = 0;
        long last = Long.MIN_VALUE;
        for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
            for (Cell cell : cells) {
                if (!fromServer.get(at++) && cell.getTimestamp() != last) {
                    last = cell.getTimestamp();
                    late |= !clock.isFirst(row, 0, row.length, last);
                }
            }
        }
        return late ? Origin.CLIENT_LATE : Origin.CLIENT_NEW;
    }

    /** What one batch changes in the indexes. */
    private final class Changes {

        private final long knowledge = removals.knowledge();
        private final List<NewEntry> puts = new ArrayList<>();
        private final Map<Place, List<NewEntry>> putsOfClientTime = new LinkedHashMap<>();
        private final Map<Place, ColumnChange> columns = new LinkedHashMap<>();

        void add(Mutation mutation, Origin origin) throws IOException {
            for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
                for (int i = 0; i < cells.size(); i++) {
                    add(mutation, cells.get(i), origin);
                }
            }
        }

        void add(Mutation mutation, Cell cell, Origin origin) throws IOException {
            for (IndexPlan index : plan.indexes()) {
                if (index.concerns(cell)) {
                    add(index, mutation, cell, origin);
                }
            }
        }

        private void add(IndexPlan index, Mutation mutation, Cell cell, Origin origin) throws IOException {
            boolean readsAll = needsAll(cell.getType(), origin);
            if (readsAll || index.isSync()) {
                ColumnChange column = columns.computeIfAbsent(
                        new Place(index.name(), ByteBuffer.wrap(mutation.getRow()), 0),
                        place -> new ColumnChange(index, mutation.getRow()));
                if (readsAll) {
                    column.readAll(reader);
                } else {
                    column.readVisible(reader);
                }
                column.add(Fact.of(cell));
            }
            if (cell.getType() == Cell.Type.Put) {
                put(index, mutation, cell, origin);
            }
        }

        private void put(IndexPlan index, Mutation mutation, Cell cell, Origin origin) {
            byte[] row = mutation.getRow();
            List<NewEntry> entries = index.newEntries(row, CellUtil.cloneValue(cell), cell.getTimestamp()).stream()
                    .map(entry -> new NewEntry(entry, mutation.getTTL()))
                    .toList();
            if (origin == Origin.SERVER && mutation.size() == 1) {
                puts.addAll(entries);
            } else {
                // Of two values at one timestamp in one batch HBase keeps the later.
                putsOfClientTime.put(new Place(index.name(), ByteBuffer.wrap(row), cell.getTimestamp()), entries);
            }
        }

        void write() throws IOException {
            var revived = new ArrayList<Entry>();
            var obsolete = new ArrayList<Entry>();
            for (ColumnChange change : columns.values()) {
                revived.addAll(change.revived());
                obsolete.addAll(change.obsolete());
            }
            if (!revived.isEmpty()) {
                removals.revive(revived);
                revived.forEach(entry -> puts.add(NewEntry.of(entry)));
            }
            putsOfClientTime.values().forEach(puts::addAll);
            if (!puts.isEmpty()) {
                sender.put(puts);
            }
            if (!obsolete.isEmpty()) {
                obsoleteAfterwards.set(new Obsolete(obsolete, knowledge));
            }
        }
    }

    /** Whether what readers do not see matters too. */
    private static boolean needsAll(Cell.Type type, Origin origin) {
        return switch (type) {
            case Put -> origin == Origin.CLIENT_LATE;
            case Delete, DeleteFamilyVersion -> true;
            case DeleteColumn, DeleteFamily -> false;
        };
    }

    private record Place(String index, ByteBuffer row, long timestamp) {}
}
