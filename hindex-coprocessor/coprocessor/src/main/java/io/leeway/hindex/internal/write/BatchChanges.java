package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.clock.RowClock;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.repair.Fact;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Mutation;

/*
 * What a write reads of the base table:
 * - an index over several columns: what its row has in those that the write leaves open, see RowChange
 * - deferred: nothing; but a delete of an exact version reads the column, since it can make older versions fresh whose
 *   entries are gone, and so does a put whose client gave a timestamp that the row may have had already
 * - sync: the column, to know what becomes obsolete
 */
/**
 * Finds out what batches of one region change in its indexes, without a call to any. Thread-safe, as it has no state of
 * its own.
 */
final class BatchChanges {

    private final TablePlan plan;
    private final RowClock clock;
    private final ColumnReader reader;
    private final WritePath.CellMaker cells;
    private final FollowingEntries following;
    private final Logging logging;
    private final ComingCells coming;

    BatchChanges(
            TablePlan plan,
            RowClock clock,
            ColumnReader reader,
            WritePath.CellMaker cells,
            FollowingEntries following,
            Logging logging,
            ComingCells coming) {
        this.plan = plan;
        this.clock = clock;
        this.reader = reader;
        this.cells = cells;
        this.following = following;
        this.logging = logging;
        this.coming = coming;
    }

    /** For a batch that has no cells yet. */
    OfBatch begin() {
        return new OfBatch();
    }

    /** What one batch changes: {@link #add} for each cell, {@link #resolve} when all are known. For one thread. */
    final class OfBatch {

        // What these are is said in BatchEntries.
        private final List<NewEntry> puts = new ArrayList<>();
        private final List<NewEntry> later = new ArrayList<>();
        private final List<Entry> revived = new ArrayList<>();
        private final List<Entry> hidden = new ArrayList<>();
        private final Set<Entry> obsolete = new LinkedHashSet<>();
        private final Set<Entry> unfindable = new LinkedHashSet<>();
        private final List<Entry> maybeInVain = new ArrayList<>();
        private boolean isUnsynced;
        // By index, row and timestamp: of two values at one place in a batch HBase keeps the later, and so does the
        // map.
        private final Map<Place, List<NewEntry>> putsByPlace = new LinkedHashMap<>();
        // By row and timestamp, since of two values there the later one holds.
        private final Map<Place, List<NewEntry>> laterByPlace = new LinkedHashMap<>();
        // What the batch does to a column or a row as a whole, since what becomes fresh follows from all its cells
        // together.
        private final Map<Place, ColumnChange> columns = new LinkedHashMap<>();
        private final Map<Place, Row> rows = new LinkedHashMap<>();

        void add(Mutation mutation, Origin origin) throws IOException {
            for (List<Cell> ofFamily : mutation.getFamilyCellMap().values()) {
                for (int i = 0; i < ofFamily.size(); i++) {
                    add(mutation, ofFamily.get(i), origin);
                }
            }
        }

        void add(Mutation mutation, Cell cell, Origin origin) throws IOException {
            for (IndexPlan index : plan.indexes()) {
                // Most cells of a table with an index are of other columns: nothing is allocated for them.
                if (!index.concerns(cell)) {
                    continue;
                }
                // Asked before the durability is changed below: an ASYNC_WAL that we chose may be lost as much as the
                // client's SKIP_WAL.
                isUnsynced |= logging.mayBeLost(mutation);
                if (index.isOfOneColumn()) {
                    add(index, mutation, cell, origin);
                } else {
                    logging.require(mutation);
                    addToRow(index, mutation, cell, origin);
                }
            }
        }

        /**
         * A cell of an index over several columns. Whether its timestamp counts as new depends on the clock too: one
         * that lags behind a cell far in the future (see {@code hindex.clock.max-ahead}) cannot say what stands above
         * all of the row.
         */
        private void addToRow(IndexPlan index, Mutation mutation, Cell cell, Origin origin) {
            // When the cell expires nobody writes, so nobody would write the entry of the state that comes to light.
            if (mutation.getTTL() != Long.MAX_VALUE) {
                throw new IllegalArgumentException("a put with a time to live of its own in a column of index "
                        + index.name()
                        + ", which has several: what the row shows afterwards would have no entry; set the"
                        + " time to live of the family instead");
            }
            Row row = rows.computeIfAbsent(
                    new Place(index.name(), ByteBuffer.wrap(mutation.getRow()), 0),
                    place -> new Row(new RowChange(index, mutation.getRow()), mutation));
            row.change.add(
                    Fact.written(index, cell),
                    origin != Origin.CLIENT_LATE && !clock.isBehind(),
                    origin == Origin.SERVER);
        }

        /**
         * A cell of an index over one column. In mode sync what is visible is enough, since obsolete is what was
         * visible; where old versions may come to light everything that is stored is read, and that once for all cells
         * of the column in the batch.
         */
        private void add(IndexPlan index, Mutation mutation, Cell cell, Origin origin) throws IOException {
            // Mode deferred reads nothing unless it must: that is what it is for.
            boolean readsAll = origin.needsAll(cell.getType());
            if (readsAll || index.isSync()) {
                ColumnChange column = columns.computeIfAbsent(
                        new Place(index.name(), ByteBuffer.wrap(mutation.getRow()), 0),
                        place -> new ColumnChange(index, mutation.getRow()));
                if (readsAll) {
                    column.readAll(reader);
                } else {
                    column.readVisible(reader);
                }
                column.add(Fact.written(index, cell));
            }
            if (cell.getType() == Cell.Type.Put) {
                put(index, mutation, cell, origin);
            }
        }

        /**
         * One value may have several entries, or none where it cannot be encoded; all of them share the cell's fate.
         */
        private void put(IndexPlan index, Mutation mutation, Cell cell, Origin origin) {
            byte[] row = mutation.getRow();
            long timeToLive = mutation.getTTL();
            List<Entry> entries = index.newEntries(row, CellUtil.cloneValue(cell), cell.getTimestamp());
            // Only what has a new timestamp and lasts: the next life of the region finds rows without entries by their
            // timestamps, and must find the cell still there.
            boolean mayFollow = origin == Origin.SERVER && timeToLive == Long.MAX_VALUE && following.mayFollow(index);
            // The common case, in which no two values can meet at one timestamp: no map, no key.
            if (origin == Origin.SERVER && mutation.size() == 1) {
                add(entries, timeToLive, mayFollow ? later : puts);
            } else {
                // Of two values at one timestamp in one batch HBase keeps the later.
                var written = new ArrayList<NewEntry>(entries.size());
                add(entries, timeToLive, written);
                (mayFollow ? laterByPlace : putsByPlace)
                        .put(new Place(index.name(), ByteBuffer.wrap(row), cell.getTimestamp()), written);
            }
        }

        private static void add(List<Entry> entries, long timeToLive, List<NewEntry> to) {
            for (Entry entry : entries) {
                to.add(new NewEntry(entry, timeToLive));
            }
        }

        /** Finds out what is to be done, under the locks of the rows. */
        BatchEntries resolve() throws IOException {
            // Revived entries may be gone, so they are written; hidden ones are there, but a compaction at work may be
            // about to drop them; obsolete ones can wait for a compaction; unfindable ones cannot, no compaction will
            // come upon them.
            for (ColumnChange change : columns.values()) {
                revived.addAll(change.revived());
                hidden.addAll(change.hidden());
                obsolete.addAll(change.obsolete());
                unfindable.addAll(change.unfindable());
            }
            for (Row row : rows.values()) {
                resolve(row);
            }
            if (isUnsynced) {
                // Should it be lost, these are needed, and a build that has not come to them yet does not see them now.
                unfindable.stream().filter(entry -> !entry.index().isReadable()).forEach(revived::add);
            }
            laterByPlace.values().forEach(later::addAll);
            return new BatchEntries(
                    puts, putsByPlace.values(), later, revived, hidden, obsolete, unfindable, maybeInVain, isUnsynced);
        }

        /**
         * Resolves one row of an index over several columns. Deletes that it asks for go into the same mutation, so
         * that they are written with it or not at all; they get no entries of their own.
         */
        private void resolve(Row row) throws IOException {
            RowChange change = row.change;
            change.resolve(reader, coming.of(change.index(), row.mutation.getRow()));
            for (RowChange.Deletion deletion : change.deletions()) {
                Cell delete = cells.delete(
                        deletion.type(), row.mutation.getRow(), change.column(deletion), deletion.timestamp());
                row.mutation
                        .getFamilyCellMap()
                        .computeIfAbsent(CellUtil.cloneFamily(delete), none -> new ArrayList<>())
                        .add(delete);
            }
            List<Entry> entries = change.entries();
            // A state that the row had before: its removal may be on its way.
            if (change.areRevived(entries)) {
                revived.addAll(entries);
            } else {
                boolean mayFollow = change.hasServerTime()
                        && following.mayFollow(change.index())
                        && change.maybeInVain().isEmpty();
                entries.forEach(entry -> (mayFollow ? later : puts).add(NewEntry.of(entry)));
            }
            // Whichever comes first, the files or this write: both states have their entry.
            for (Entry entry : change.entriesWhenLoaded()) {
                if (change.isNew(entry)) {
                    puts.add(NewEntry.of(entry));
                } else {
                    revived.add(entry);
                }
            }
            maybeInVain.addAll(change.maybeInVain());
            obsolete.addAll(change.obsolete());
            unfindable.addAll(change.unfindable());
        }
    }

    /** With the first mutation of the row in the batch, which takes the deletes that are added. */
    private record Row(RowChange change, Mutation mutation) {}

    /** The timestamp is 0 where all of the row's belong together. */
    private record Place(String index, ByteBuffer row, long timestamp) {}
}
