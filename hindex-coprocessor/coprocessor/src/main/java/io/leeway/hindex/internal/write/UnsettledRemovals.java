package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;

/*
 * Model: a removal whose call failed may be carried out all the same, and late: its request waits in a socket, or for a handler
 * of a server that stands still. If its entry is written again meanwhile, the removal would take it, and an acknowledged write
 * would have none. So each removal says until when it may be carried out, by the sender's clock and with what another clock may
 * differ; regions of the index refuse it after that, see RunningRemovals. Here it is remembered as long as it may yet come, and
 * for so long its entry is not written again.
 *
 * Nearly all entries that are written were never removed, and nothing is remembered unless calls fail: then a put asks no more
 * than whether that is so.
 */
/** Removals of entries of which nobody knows whether they were carried out, or will be. Thread-safe. */
final class UnsettledRemovals {

    private final int most;
    private final long nanos;
    private final LongSupplier clock;

    /**
     * Until when, in the order of that: all wait equally long, so the first that is not over ends the search for those
     * that are.
     */
    private final Map<Place, Long> ends = new LinkedHashMap<>();

    /** Asked without the lock by every put of an entry. */
    private volatile boolean isEmpty = true;

    /** So many, each for so long on this clock. */
    UnsettledRemovals(int most, long nanos, LongSupplier clock) {
        this.most = most;
        this.nanos = nanos;
        this.clock = clock;
    }

    private record Place(TableName table, ByteBuffer key, ByteBuffer qualifier, long timestamp) {

        static Place of(Entry entry) {
            return new Place(
                    entry.index().table(),
                    ByteBuffer.wrap(entry.key()),
                    ByteBuffer.wrap(entry.qualifier()),
                    entry.timestamp());
        }
    }

    /**
     * Before removals are sent: what could not be remembered, were the call to fail, is not sent.
     *
     * <p>One call that is larger than all the room is let through when nothing else is remembered: else it could never
     * be sent.
     */
    synchronized void requireRoom(int more) throws IOException {
        forget();
        if (!ends.isEmpty() && ends.size() + more > most) {
            throw new IOException("more removals of index entries have failed than can be remembered (" + most
                    + "); the next are sent when these cannot be carried out any more, see hindex.clock.skew");
        }
    }

    /** Their call has failed just now. */
    synchronized void add(Collection<Entry> entries) {
        forget();
        long end = clock.getAsLong() + nanos;
        for (Entry entry : entries) {
            Place place = Place.of(entry);
            // Put behind all others: its time begins anew.
            ends.remove(place);
            ends.put(place, end);
        }
        isEmpty = ends.isEmpty();
    }

    /**
     * Before entries are written.
     *
     * <p>Refused as "too busy", which HBase's client tries again by itself.
     */
    void requireSettled(Collection<NewEntry> entries) throws RegionTooBusyException {
        if (isEmpty) {
            return;
        }
        synchronized (this) {
            forget();
            for (NewEntry entry : entries) {
                if (ends.containsKey(Place.of(entry.entry()))) {
                    throw new RegionTooBusyException(
                            "an index entry that comes back was to be removed, and the call for"
                                    + " that failed: it may yet be carried out; try again, see hindex.clock.skew");
                }
            }
        }
    }

    private void forget() {
        long now = clock.getAsLong();
        Iterator<Long> all = ends.values().iterator();
        while (all.hasNext() && all.next() - now <= 0) {
            all.remove();
        }
        isEmpty = ends.isEmpty();
    }
}
