package io.leeway.hindex.internal.load;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.RowState;
import io.leeway.hindex.internal.repair.ComingStates;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.StateHistory;
import io.leeway.hindex.internal.upkeep.LockedRows;
import io.leeway.hindex.internal.write.ColumnReader;
import io.leeway.hindex.internal.write.ComingCells;
import io.leeway.hindex.internal.write.FailedWrites;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Writes the entries of what rows will show when files with cells of them are loaded. For indexes over several columns;
 * {@link Load} calls it for some rows of its files at a time. Thread-safe.
 */
public final class ComingRows {

    private final Region region;
    private final ColumnReader reader;
    private final Writer writer;
    private final FailedWrites inVain;

    /** For a region; entries that may be in vain are told. */
    public ComingRows(Region region, ColumnReader reader, Writer writer, FailedWrites inVain) {
        this.region = region;
        this.reader = reader;
        this.writer = writer;
        this.inVain = inVain;
    }

    /** Writes entries. */
    @FunctionalInterface
    public interface Writer {
        /**
         * Returns when all of them are there.
         *
         * @param unfindable entries that nobody else finds when the files have come: they are told to those who remove
         *     them, later
         */
        void put(List<NewEntry> entries, Collection<Entry> unfindable) throws IOException;
    }

    /** Of which HBase shows one value only. */
    private record Place(int column, long timestamp) {}

    /**
     * Rows of one index, in order, under their locks; writes of them that come later know of the files themselves.
     *
     * <p>Of all states that may come, all entries are written; only those of the last but one, all files being newest,
     * are likely to stay. The others, and those that no compaction will find, are looked at when the load has ended.
     *
     * @return how many entries were written
     */
    public int put(IndexPlan index, List<byte[]> rows, ComingCells coming) throws IOException {
        return LockedRows.with(region, rows, () -> {
            Set<Entry> all = new LinkedHashSet<>();
            Set<Entry> likely = new HashSet<>();
            Set<Entry> unfindable = new HashSet<>();
            for (byte[] row : rows) {
                List<List<Fact>> files = coming.of(index, row);
                requireOneOrder(index, files);
                List<Fact> stored = reader.readAll(row, index);
                if (!files.isEmpty() && repeats(files.get(files.size() - 1), stored)) {
                    unfindable.addAll(StateHistory.of(index, stored).allEntries(row));
                }
                List<RowState> states = ComingStates.of(index, stored, files, List.of());
                for (RowState state : states) {
                    requirePossible(index, state);
                    all.addAll(index.newEntries(row, state));
                }
                if (!states.isEmpty()) {
                    likely.addAll(index.entries(row, states.get(states.size() - 2)));
                }
            }
            if (!all.isEmpty() || !unfindable.isEmpty()) {
                writer.put(
                        all.stream()
                                .map(entry -> new NewEntry(entry, Long.MAX_VALUE))
                                .toList(),
                        unfindable);
            }
            int written = all.size();
            all.removeAll(likely);
            all.addAll(unfindable);
            if (!all.isEmpty()) {
                inVain.add(List.copyOf(all), false, false);
            }
            return written;
        });
    }

    /** Then compactions do not find any more what states the row went through, see {@link StateHistory}. */
    private static boolean repeats(List<Fact> files, List<Fact> stored) {
        return stored.stream().anyMatch(Fact.repeatedBy(files));
    }

    /** Which of two values of one timestamp HBase shows depends on the order of files, and changes in compactions. */
    private static void requireOneOrder(IndexPlan index, List<List<Fact>> files) {
        var puts = new HashMap<Place, Fact>();
        for (Fact fact : files.isEmpty() ? List.<Fact>of() : files.get(files.size() - 1)) {
            if (fact.kind() == Fact.Kind.PUT) {
                Fact other = puts.putIfAbsent(new Place(fact.column(), fact.timestamp()), fact);
                if (other != null && !Arrays.equals(other.value(), fact.value())) {
                    throw new IllegalArgumentException(
                            "the files have two values with one timestamp in a row, in column "
                                    + index.columns().get(fact.column()) + " of index " + index.name()
                                    + "; leave one of them out, or give them different timestamps");
                }
            }
        }
    }

    private static void requirePossible(IndexPlan index, RowState state) {
        if (index.expires() && !state.isOfOneTime()) {
            throw new IllegalArgumentException("the family of index " + index.name()
                    + " has a time to live, and the columns of the index would expire one by one after the load; load all of"
                    + " them with one timestamp, or take the time to live away");
        }
    }
}
