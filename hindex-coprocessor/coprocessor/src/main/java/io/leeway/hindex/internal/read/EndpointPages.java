package io.leeway.hindex.internal.read;

import com.google.protobuf.ServiceException;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.query.ScanRange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/*
 * Where a region does not answer, because it has no endpoint, is busy, or the base table keeps it waiting, the client does
 * the work of that page itself: it can wait longer than a server's thread may.
 */
/**
 * Pages that regions of the index put together, one call for each. {@link HitStream} takes it where the entries have
 * all that is wanted. Used by one thread at a time.
 */
final class EndpointPages implements PageSource {

    /** In one question; what is behind goes with a later one. */
    private static final int MOST_RANGES = 500;
    /** Bytes that are added to come close to a range's end from below, see {@link #before}. */
    private static final int LAST_ROW_LENGTH = 64;

    private final Connection connection;
    private final TableName base;
    private final IndexPlan index;
    private final Lookup lookup;
    private final EntryPages otherwise;
    private final Endpoints endpoints;
    private List<ScanRange> left;
    private int size;

    /** Within one part of the table, beginning with pages of this size. */
    EndpointPages(
            Connection connection, TableName base, IndexPlan index, Lookup lookup, int size, Endpoints endpoints) {
        this.connection = connection;
        this.base = base;
        this.index = index;
        this.lookup = lookup;
        this.otherwise = new EntryPages(connection, base, index, lookup, size);
        this.endpoints = endpoints;
        this.left = lookup.ranges();
        this.size = size;
    }

    /**
     * Three ends: an answer; a refusal for want of rights, which stands; anything else, upon which the client reads
     * this page itself, and asks a region again for the next.
     */
    @Override
    public Page next() throws IOException {
        if (!endpoints.mayAnswer()) {
            return nextOtherwise();
        }
        ReadProtocol.Answer answer;
        try {
            answer = ask();
        } catch (AccessDeniedException e) {
            // HBase shows clients nothing of what they may not read, and says nothing: that would pass for an answer.
            throw e;
        } catch (InterruptedIOException e) {
            if (!(e instanceof SocketTimeoutException)) {
                throw e; // Nobody waits for the answer any more.
            }
            endpoints.failed(e);
            return nextOtherwise();
        } catch (IOException e) {
            endpoints.failed(e);
            return nextOtherwise();
        }
        // First, so that no failure of what follows has the page read twice.
        goOnAfter(answer);
        size = PageSizes.next(size, lookup.fetch());
        EntryPages.remove(connection, base, index, answer.unfounded());
        return new Page(answer.hits(), !left.isEmpty());
    }

    private Page nextOtherwise() throws IOException {
        otherwise.resume(left);
        Page page = otherwise.next();
        left = otherwise.left();
        return page;
    }

    /**
     * Of the region in which the next range begins; for a descending order, of the one in which the last range ends.
     */
    private ReadProtocol.Answer ask() throws IOException {
        boolean descending = lookup.order().descending();
        List<ScanRange> asked = descending
                ? left.subList(Math.max(0, left.size() - MOST_RANGES), left.size())
                : left.subList(0, Math.min(left.size(), MOST_RANGES));
        byte[] place = descending
                ? before(asked.get(asked.size() - 1).stop())
                : asked.get(0).start();
        var question = new Lookup(asked, lookup.order(), lookup.asOf(), lookup.versions(), lookup.fetch());
        var request =
                new ReadProtocol.Request(base, index.name(), index.definition().toText(), question, size);
        try (Table entries = connection.getTable(index.table())) {
            return ReadProtocol.answer(
                    entries.coprocessorService(place)
                            .callBlockingMethod(
                                    ReadProtocol.MESSAGES.method(),
                                    null,
                                    ReadProtocol.message(request),
                                    ReadProtocol.MESSAGES.prototype()),
                    index);
        } catch (ServiceException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
        }
    }

    /**
     * A row that is as close before another as need be to find its region.
     *
     * <p>Rows have no predecessor: between two of them there are always more. What is asked here only has to be in the
     * region of the last row before the end.
     */
    private static byte[] before(byte[] stop) {
        byte[] row = Arrays.copyOf(stop, stop.length + LAST_ROW_LENGTH);
        Arrays.fill(row, stop.length, row.length, (byte) -1);
        if (stop.length == 0) {
            return row;
        }
        if (stop[stop.length - 1] == 0) {
            return Arrays.copyOf(stop, stop.length - 1);
        }
        row[stop.length - 1]--;
        return row;
    }

    /**
     * Cuts off what the answer has dealt with: up to its last row; or, when it says that the region is done, everything
     * up to the end of that region, whether or not anything was found there.
     */
    private void goOnAfter(ReadProtocol.Answer answer) {
        boolean descending = lookup.order().descending();
        byte[] last = answer.last();
        left = left.stream()
                .map(range -> {
                    if (last != null) {
                        return descending ? range.before(last) : range.after(last);
                    }
                    return descending ? range.aheadOf(answer.region()) : range.behind(answer.region());
                })
                .filter(range -> !range.isEmpty())
                .toList();
    }
}
