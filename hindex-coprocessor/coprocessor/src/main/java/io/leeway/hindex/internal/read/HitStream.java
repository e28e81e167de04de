package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.query.ScanRange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/*
 * A version with several values has an entry for each. It is returned at the first of those that are in the ranges: the
 * cells tell which that is, so nothing has to be remembered.
 */
/**
 * The answer to a query, hit by hit, in the order asked for. Parts of a salted index are read side by side and merged
 * by the key without its salt; an index without has one part. To be closed; not thread-safe.
 */
public final class HitStream implements AutoCloseable {

    private final IndexPlan index;
    private final Lookup lookup;
    private final long limit;
    private final List<Cursor> cursors = new ArrayList<>();
    /** The first hit of each part that has one: as many as there are parts, never more. */
    private final PriorityQueue<Ahead> ahead;

    private boolean started;
    private long returned;

    private HitStream(IndexPlan index, Lookup lookup, long limit) {
        this.index = index;
        this.lookup = lookup;
        this.limit = limit;
        Comparator<Ahead> order = (one, other) ->
                lookup.order().compare(one.hit().key(), other.hit().key());
        this.ahead = new PriorityQueue<>(order);
    }

    /** A hit, and where the next one of its part comes from. */
    private record Ahead(Hit hit, Cursor cursor) {}

    /**
     * Opens a query; nothing is fetched yet.
     *
     * @param left what is to be read of the lookup's ranges
     * @param expected how many hits will be asked for, at a guess
     * @param endpoints of the index
     */
    public static HitStream open(
            Connection connection,
            TableName base,
            IndexPlan index,
            Lookup lookup,
            List<ScanRange> left,
            long limit,
            long expected,
            Duration timeout,
            Endpoints endpoints) {
        var stream = new HitStream(index, lookup, limit);
        List<List<ScanRange>> parts = lookup.order().parts(left);
        int size = PageSizes.first(expected, parts.size(), lookup.fetch());
        for (List<ScanRange> part : parts) {
            var ofPart = new Lookup(part, lookup.order(), lookup.asOf(), lookup.versions(), lookup.fetch());
            // An endpoint returns what is in the index, and nothing more, for the sake of rights: other columns the
            // client reads itself.
            // The whole row comes with the check, if the client makes it.
            PageSource pages = index.columns().containsAll(lookup.fetch().columns())
                            && !lookup.fetch().wholeRow()
                    ? new EndpointPages(connection, base, index, ofPart, size, endpoints)
                    : new EntryPages(connection, base, index, ofPart, size);
            stream.cursors.add(new Cursor(pages, timeout, expected));
        }
        return stream;
    }

    /**
     * The next hit, or null behind the last.
     *
     * <p>Nothing is asked of a server before the first call: a query that is opened and closed costs nothing.
     */
    public @Nullable Hit next() throws IOException {
        if (returned == limit) {
            close();
            return null;
        }
        if (!started) {
            started = true;
            // All at once before the first is waited for.
            cursors.forEach(Cursor::fetch);
            for (Cursor cursor : cursors) {
                look(cursor);
            }
        }
        while (true) {
            Ahead first = ahead.poll();
            if (first == null) {
                return null;
            }
            first.cursor().advance();
            look(first.cursor());
            if (isItsFirst(first.hit())) {
                returned++;
                return first.hit();
            }
        }
    }

    private void look(Cursor cursor) throws IOException {
        Hit hit = cursor.peek();
        if (hit != null) {
            ahead.add(new Ahead(hit, cursor));
        }
    }

    /** Whether no other entry of the same version comes, or came, before this one in this query. */
    private boolean isItsFirst(Hit hit) {
        if (!index.keys().isMultiValued()) {
            return true;
        }
        return index.entries(hit.row(), hit.state()).stream()
                .map(Entry::key)
                .filter(key -> lookup.ranges().stream().anyMatch(range -> range.contains(key)))
                .min(lookup.order())
                .map(key -> Arrays.equals(key, hit.key()))
                .orElse(true);
    }

    @Override
    public void close() {
        cursors.forEach(Cursor::close);
        ahead.clear();
    }
}
