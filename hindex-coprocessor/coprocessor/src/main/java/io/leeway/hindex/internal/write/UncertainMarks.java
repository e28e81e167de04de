package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What the tables of a region's indexes say: from which timestamp on its entries are uncertain.
 *
 * <p>Thread-safe: changed in turns, of which each index has its own and which writes wait for with a limit, see
 * {@link Turns}; compared without one. In a turn the lock of {@link UncertainEntries} is taken; who has that takes no
 * turn.
 */
final class UncertainMarks {

    private final SharedSender sender;
    private final Watermarks watermarks;
    private final LongConsumer left;
    /** Never changed. */
    private final Map<IndexPlan, Mark> marks = new HashMap<>();

    /**
     * Of a region that has just been opened.
     *
     * @param left is told, in a turn, of the timestamp that an earlier life has left
     */
    UncertainMarks(TablePlan plan, RegionInfo region, SharedSender sender, LongConsumer left) {
        this.sender = sender;
        this.watermarks = new Watermarks(region, Watermarks.Kind.UNCERTAIN);
        this.left = left;
        plan.indexes().forEach(index -> marks.put(index, new Mark(index)));
    }

    /**
     * Of one index: what its table says. What is stored is changed in turns only, but compared without one: nearly all
     * writes find that they are above it and go on.
     */
    private final class Mark {

        private final IndexPlan index;
        private final Turns turns = new Turns(sender.timeoutMillis());
        private volatile boolean isKnown;

        /** The table says this, or less: entries from it on will be looked at. */
        private volatile long stored = Watermarks.SETTLED;

        // Without this a store that failed on the way up would never be repeated, as nothing seems left to raise.
        /** Whether it may say less, since it could not be told. */
        private volatile boolean isBehind;

        Mark(IndexPlan index) {
            this.index = index;
        }

        /** What an earlier life has left must not be lost. */
        void read() throws IOException {
            turns.take(this::readOnce);
        }

        /**
         * The first thing of every life, before anything is written: a write that stored its own timestamp first would
         * cover up what an earlier life has left.
         */
        private void readOnce() throws IOException {
            if (!isKnown) {
                long found = sender.askAsServer(index.table(), connection -> watermarks.read(connection, index));
                if (found != Watermarks.SETTLED) {
                    // Perhaps it is that of a region which this one was a part of.
                    // At once, under the own name: the region that it came from may be taken away when all who need it
                    // have stored theirs.
                    store(found);
                    left.accept(found);
                }
                isKnown = true;
            }
        }

        /** What it has read is covered by what it has stored. */
        void removeGone() throws IOException {
            sender.askAsServer(index.table(), connection -> {
                watermarks.removeGone(connection, index);
                return index;
            });
        }

        /**
         * What the table says is at most this when it returns. Asked first without a turn, as nearly always nothing is
         * to be done.
         */
        void require(long lowest) throws IOException {
            if (lowest < stored) {
                turns.take(() -> lower(lowest));
            }
        }

        /** Asks again, now in a turn: who was before may have lowered it for this one too. */
        private void lower(long lowest) throws IOException {
            readOnce();
            if (lowest < stored) {
                store(lowest);
            }
        }

        void raise(LongSupplier limit) throws IOException {
            turns.take(() -> raiseIfHigher(limit));
        }

        /**
         * Raises what the table says to what is certain now. Writes look at the number without a turn, so it is raised
         * in two steps: first here, for those who look; then it is asked again what runs. A batch that looked before
         * counts as running and is seen by the second question; one that looks afterwards finds itself below and takes
         * a turn, which it gets when this is over.
         */
        private void raiseIfHigher(LongSupplier certain) throws IOException {
            long before = stored;
            long limit = certain.getAsLong();
            if (limit < before || limit == before && !isBehind) {
                return;
            }
            stored = limit;
            limit = Math.min(limit, certain.getAsLong());
            if (limit < before) {
                stored = before;
            } else {
                store(limit);
            }
        }

        boolean saysNothing() {
            return stored == Watermarks.SETTLED && !isBehind;
        }

        /**
         * If it fails, either may be there: only the higher of the two is sure to be covered.
         *
         * <p>So the higher one is noted before the call, and the new one after it. A failure leaves the higher one:
         * writes below it lower it again, though it may be for nothing.
         */
        private void store(long timestamp) throws IOException {
            stored = Math.max(stored, timestamp);
            isBehind = true;
            sender.askAsServer(index.table(), connection -> {
                watermarks.write(connection, index, timestamp);
                return index;
            });
            stored = timestamp;
            isBehind = false;
        }
    }

    Set<IndexPlan> indexes() {
        return marks.keySet();
    }

    /** Reads what earlier lives have left, and takes away those of regions that are gone. */
    void read() throws IOException {
        for (Mark mark : marks.values()) {
            mark.read();
        }
        // After all indexes were read: of each mark of a region that is gone this one has stored its own by then.
        for (Mark mark : marks.values()) {
            mark.removeGone();
        }
    }

    /**
     * The lowest of all holds for each index of the batch: one comparison each, where telling them apart would need a
     * map.
     */
    void require(Collection<NewEntry> entries, Collection<Entry> unfindable, long lowest) throws IOException {
        IndexPlan last = null;
        for (NewEntry each : entries) {
            last = require(each.entry(), lowest, last);
        }
        for (Entry each : unfindable) {
            last = require(each, lowest, last);
        }
    }

    private IndexPlan require(Entry entry, long lowest, @Nullable IndexPlan last) throws IOException {
        IndexPlan index = entry.index();
        if (index != last) {
            Objects.requireNonNull(marks.get(index), "an index of another table")
                    .require(lowest);
        }
        return index;
    }

    /** All say at most this when it returns; asked for each anew. */
    void require(LongSupplier lowest) throws IOException {
        for (Mark mark : marks.values()) {
            mark.require(lowest.getAsLong());
        }
    }

    /**
     * Raises all to what is certain.
     *
     * @param limit what the table may say now
     */
    void raise(LongSupplier limit) throws IOException {
        for (Mark mark : marks.values()) {
            mark.raise(limit);
        }
    }

    /** Whether what earlier lives have left was read. */
    boolean areKnown() {
        return marks.values().stream().allMatch(mark -> mark.isKnown);
    }

    boolean sayNothing() {
        return marks.values().stream().allMatch(Mark::saysNothing);
    }
}
