package io.leeway.hindex.internal.read;

import com.google.protobuf.Message;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.query.ReadOrder;
import io.leeway.hindex.internal.query.ScanRange;
import io.leeway.hindex.internal.scan.LimitedScan;
import io.leeway.hindex.internal.upkeep.DescribedTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/*
 * The work of a call is limited in hits, bytes and time; the client goes on where it ended. Columns are returned only if they
 * are in the index, so that who may read the index sees nothing more by asking here.
 */
/**
 * Answers for one region of an index: reads entries, and checks them against the base table. The endpoint has one for
 * each region, and calls it in the handler of the call, as the server. Thread-safe.
 */
public final class RegionReader {

    /** Entries between two looks at the clock and at the size of the answer. */
    private static final int BATCH = 200;
    /** Whatever the client wants: it asks again for more, and another call may come in between. */
    private static final int MOST_HITS = 1_000;
    /** Of the answer. It may grow beyond by one batch, since a batch is checked as a whole. */
    private static final long MOST_BYTES = 1 << 20;
    /** In a handler: among entries that were removed, or that nothing bears out, nothing else would end a call. */
    private static final long MOST_NANOS = Duration.ofSeconds(1).toNanos();

    private final RegionCoprocessorEnvironment environment;
    private final ServerReads elsewhere;
    private final Metrics metrics;
    private final ReadRights rights;
    private final long mostNanos;
    private final IntConsumer counter;
    private final MetEntries met = new MetEntries();
    /** The definition that was right the last time. */
    private volatile @Nullable IndexPlan known;

    /**
     * For the region of this environment.
     *
     * @param counter is told how many entries were read
     */
    public RegionReader(
            RegionCoprocessorEnvironment environment, ServerReads elsewhere, Metrics metrics, IntConsumer counter) {
        this(environment, elsewhere, metrics, counter, MOST_NANOS);
    }

    RegionReader(
            RegionCoprocessorEnvironment environment,
            ServerReads elsewhere,
            Metrics metrics,
            IntConsumer counter,
            long mostNanos) {
        this.counter = counter;
        this.environment = environment;
        this.elsewhere = elsewhere;
        this.rights = new ReadRights(environment.getConfiguration(), elsewhere);
        this.metrics = metrics;
        this.mostNanos = mostNanos;
    }

    /**
     * Fails unless the caller may read the index, and its columns in the base table. Without the first, a client that
     * reads for itself when a region does not answer would be shown no entries, and take that for the answer.
     *
     * @param caller null if the server asks itself
     */
    public void requireRights(@Nullable User caller, Message message) throws IOException {
        if (!rights.isChecked()) {
            return;
        }
        // Before anything is looked up: what is found, and whether, is nothing for who may not read here.
        rights.require(
                caller, List.of(ReadRights.table(environment.getRegionInfo().getTable())));
        ReadProtocol.Request request = ReadProtocol.request(message);
        rights.require(caller, List.of(ReadRights.columns(request.base(), index(request))));
    }

    /** Ends its use of the server's connection. */
    public void close() throws IOException {
        elsewhere.release();
    }

    /** Counts what came of it, whatever that was. */
    Message read(ReadProtocol.Request request) throws IOException {
        boolean answered = false;
        try {
            Message answer = answer(request);
            answered = true;
            return answer;
        } finally {
            metrics.add(answered ? Metrics.Count.READ_CALLS : Metrics.Count.READ_FAILURES, 1);
        }
    }

    /**
     * One answer. The client may have asked for ranges of many regions, since it does not know where regions begin;
     * only what is in this one is read, and the answer says what that was, so that the client goes on behind.
     */
    private Message answer(ReadProtocol.Request request) throws IOException {
        IndexPlan index = index(request);
        RegionInfo info = environment.getRegionInfo();
        ScanRange region = ScanRange.of(info.getStartKey(), info.getEndKey());
        Lookup lookup = request.lookup();
        List<ScanRange> left = lookup.ranges().stream()
                .map(range -> range.within(region))
                .filter(range -> !range.isEmpty())
                .toList();
        var check = new CheckedRead(index, lookup);
        RowReads rows = new CountedRows(rows(request.base(), index), metrics);
        var hits = new ArrayList<Hit>();
        var unfounded = new ArrayList<Entry>();
        int wanted = Math.min(Math.max(1, request.rows()), MOST_HITS);
        long bytes = 0;
        long end = System.nanoTime() + mostNanos;
        byte[] last = null;
        boolean hasTime = true;
        while (!left.isEmpty() && hits.size() < wanted && bytes < MOST_BYTES && hasTime) {
            var candidates = new ArrayList<Candidate>();
            // Some turn out to be obsolete.
            // So a few more are read than wanted; what is too much is not thrown away, but given to the client.
            int size = Math.min(BATCH, wanted - hits.size() + 10);
            Progress progress = entries(index, lookup, left, size, end, candidates);
            left = progress.left;
            last = progress.last == null ? last : progress.last;
            counter.accept(candidates.size());
            List<Hit> found = check.check(rows, candidates, unfounded);
            hits.addAll(found);
            bytes += found.stream().mapToLong(hit -> size(index, hit)).sum();
            hasTime = System.nanoTime() - end < 0;
        }
        metrics.add(Metrics.Count.READ_HITS, hits.size());
        // Unfounded entries go to the client, who asks for their removal: a handler here must not wait for a row's lock
        // there.
        var answer = new ReadProtocol.Answer(hits, unfounded, left.isEmpty() ? null : last, region);
        return ReadProtocol.message(answer, index.columns().size());
    }

    /** From regions of this server directly, from others by calls. */
    private RowReads rows(TableName base, IndexPlan index) {
        return new LocalRows(
                environment.getOnlineRegions(), base, index.family(), new ServerRows(elsewhere, base, met));
    }

    /** About what the answer grows by: key and row, which is a part of it, then values. */
    private static long size(IndexPlan index, Hit hit) {
        long size = 2L * hit.key().length;
        for (int column = 0; column < index.columns().size(); column++) {
            byte[] value = hit.state().value(column);
            size += value == null ? 0 : value.length;
        }
        return size + hit.fetched().stream().mapToLong(Cell::getSerializedSize).sum();
    }

    /**
     * How far the entries are read.
     *
     * @param last up to which row; null if there was none
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    private record Progress(List<ScanRange> left, byte @Nullable [] last) {}

    /**
     * Adds the candidates of so many rows, or those up to which the time goes: among removed entries there may be none.
     *
     * <p>The ranges are read from their front, or from their end for a descending order. Behind a row that was begun
     * and not finished the rest of its range is left.
     */
    private Progress entries(
            IndexPlan index, Lookup lookup, List<ScanRange> ranges, int rows, long end, List<Candidate> candidates)
            throws IOException {
        boolean descending = lookup.order().descending();
        List<ScanRange> left = ranges;
        byte[] last = null;
        int seen = 0;
        // One scanner for each range: it is opened in the region itself, without a call whose number would have to be
        // kept small.
        while (!left.isEmpty() && seen < rows) {
            ScanRange range = left.get(descending ? left.size() - 1 : 0);
            Scan scan = EntryPages.scan(List.of(range), lookup);
            try (LimitedScan entries = LimitedScan.of(environment.getRegion(), scan, end)) {
                var cells = new ArrayList<Cell>();
                while (seen < rows && entries.next(cells)) {
                    add(index, CellUtil.cloneRow(cells.get(0)), cells, candidates);
                    seen++;
                }
                byte[] passed = entries.passed();
                last = passed == null ? last : passed;
                if (passed != null && !entries.isAtEnd()) {
                    return new Progress(new ReadOrder(false, descending).remaining(left, passed), last);
                }
            }
            left = descending ? left.subList(0, left.size() - 1) : left.subList(1, left.size());
        }
        return new Progress(left, last);
    }

    /** One for each timestamp at which the row got the value. */
    private static void add(IndexPlan index, byte[] key, List<Cell> cells, List<Candidate> candidates) {
        byte[] row = index.row(key);
        for (Cell cell : cells) {
            candidates.add(
                    new Candidate(new Entry(index, key, CellUtil.cloneQualifier(cell), cell.getTimestamp()), row));
        }
    }

    /**
     * As a region has it, since the master may be down; what differs there is asked of the master, who knows it first.
     */
    private static IndexPlan defined(Connection connection, ReadProtocol.Request request) throws IOException {
        Optional<TableDescriptor> described = DescribedTable.ask(connection, request.base());
        if (described.isPresent()) {
            for (IndexPlan index : TablePlan.of(described.get()).indexes()) {
                if (index.name().equals(request.index())
                        && index.definition().toText().equals(request.definition())) {
                    return index;
                }
            }
        }
        try (Table base = connection.getTable(request.base())) {
            return TablePlan.of(base.getDescriptor()).named(request.index());
        }
    }

    /** Not to be tried again: keys that are made by another definition would find nothing, or something else. */
    private static IllegalArgumentException isAnother(ReadProtocol.Request request) {
        return new IllegalArgumentException(
                "index " + request.index() + " is not what it was when the client opened it; open it anew");
    }

    /** As the base table defines it; the client must know it so, too. */
    private IndexPlan index(ReadProtocol.Request request) throws IOException {
        // Another table is none of ours, whether it is there or not.
        if (!request.base().equals(IndexTables.base(environment.getRegion().getTableDescriptor()))) {
            throw isAnother(request);
        }
        IndexPlan index = known;
        if (index == null || !index.definition().toText().equals(request.definition())) {
            index = elsewhere.read(connection -> defined(connection, request));
            if (!index.table().equals(environment.getRegionInfo().getTable())
                    || !index.definition().toText().equals(request.definition())) {
                throw isAnother(request);
            }
            // Only what was found to be right: whoever asks wrongly must not decide for the others.
            known = index;
        }
        // With each call, as it may be disabled or built anew while the definition stays the same text.
        index.requireReadable();
        List<?> columns = request.lookup().fetch().columns();
        if (!index.columns().containsAll(columns)) {
            throw new IllegalArgumentException("index " + request.index() + " does not have all of " + columns
                    + "; read them from the base table");
        }
        return index;
    }
}
