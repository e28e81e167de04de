package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.guard.Guard;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.RowState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/*
 * Every entry is only a hint: the index is written first, so an entry may be of a write that is not acknowledged yet or
 * never will be, and obsolete entries stay until a compaction. A hit counts when the base table, asked afterwards, has
 * that value at that timestamp among its newest versions. Timestamp and value are compared, since a client may give the
 * same timestamp to two values.
 *
 * An entry that the base table does not bear out, and that no compaction will find since no version there has its
 * timestamp, is reported to the base region, which decides under the row's lock. Young ones are left alone: their writes may
 * be on their way, and the lock would make the read wait for them. Obsolete ones are left to compactions.
 */
/** Reads an index and checks what it says. */
public final class CheckedRead {

    private static final int BATCH = 500;
    private static final int MOST_REPORTED = 100;
    private static final long YOUNG_MILLIS = 60_000;

    private final Connection connection;
    private final TableName base;
    private final IndexPlan index;

    /** Reads of one index. */
    public CheckedRead(Connection connection, TableName base, IndexPlan index) {
        this.connection = connection;
        this.base = base;
        this.index = index;
    }

    /**
     * A row that was in a state since a timestamp.
     *
     * @param state what it had in the columns of the index, by their numbers
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    public record Hit(byte[] row, RowState state, long timestamp) {

        /** What the first column held: an entry is of a row that has it. */
        public byte[] value() {
            return Objects.requireNonNull(state.value(0));
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    private record Candidate(Entry entry, byte[] row) {}

    /** All rows with exactly this value of the first column. */
    public List<Hit> exact(byte[] value, long asOf) throws IOException {
        var hits = new ArrayList<Hit>();
        var unfounded = new UnfoundedEntries(connection, base, index);
        try (Table entries = connection.getTable(index.table());
                Table rows = connection.getTable(base)) {
            for (byte[] prefix : index.prefixes(value)) {
                try (ResultScanner scanner = entries.getScanner(scan(prefix, asOf))) {
                    for (Result[] batch = scanner.next(BATCH); batch.length > 0; batch = scanner.next(BATCH)) {
                        check(rows, candidates(batch), asOf, hits, unfounded);
                    }
                }
            }
        }
        report(unfounded);
        return hits;
    }

    /** The answer stands, whatever becomes of this. */
    private void report(UnfoundedEntries unfounded) {
        if (unfounded.size() > 0) {
            Guard.attempt("removal of unfounded entries", unfounded::remove);
        }
    }

    private static Scan scan(byte[] prefix, long asOf) throws IOException {
        Scan scan = new Scan()
                .setStartStopRowForPrefixScan(prefix)
                .addFamily(IndexPlan.entryFamily())
                .readAllVersions();
        return asOf == Long.MAX_VALUE ? scan : scan.setTimeRange(0, asOf + 1);
    }

    private List<Candidate> candidates(Result[] entries) {
        var candidates = new ArrayList<Candidate>();
        for (Result entry : entries) {
            byte[] row = index.row(entry.getRow());
            for (Cell cell : entry.rawCells()) {
                candidates.add(new Candidate(
                        new Entry(index, entry.getRow(), CellUtil.cloneQualifier(cell), cell.getTimestamp()), row));
            }
        }
        return candidates;
    }

    private void check(Table rows, List<Candidate> candidates, long asOf, List<Hit> hits, UnfoundedEntries unfounded)
            throws IOException {
        long young = System.currentTimeMillis() - YOUNG_MILLIS;
        var gets = new ArrayList<Get>();
        for (int i = 0; i < candidates.size(); i++) {
            if (startsRow(candidates, i)) {
                gets.add(get(candidates.get(i).row(), asOf));
            }
        }
        Result[] results = rows.get(gets);
        int at = -1;
        List<RowState> states = List.of();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            if (startsRow(candidates, i)) {
                at++;
                states = results[at].isEmpty() ? List.of() : index.states(results[at].rawCells());
            }
            boolean found = addIfThere(states, candidate, hits);
            if (!found
                    && asOf == Long.MAX_VALUE
                    && candidate.entry().timestamp() < young
                    && unfounded.size() < MOST_REPORTED
                    && isUnfounded(states, candidate)) {
                unfounded.add(candidate.entry());
            }
        }
    }

    private static boolean startsRow(List<Candidate> candidates, int i) {
        return i == 0
                || !Arrays.equals(candidates.get(i - 1).row(), candidates.get(i).row());
    }

    /** Older than all that is fresh is obsolete; a compaction has seen the version or will. */
    private static boolean isUnfounded(List<RowState> states, Candidate candidate) {
        return states.isEmpty()
                || candidate.entry().timestamp()
                        >= states.get(states.size() - 1).timestamp();
    }

    private boolean addIfThere(List<RowState> states, Candidate candidate, List<Hit> hits) {
        for (RowState state : states) {
            if (state.timestamp() == candidate.entry().timestamp()
                    && index.entries(candidate.row(), state).contains(candidate.entry())) {
                hits.add(new Hit(candidate.row(), state, state.timestamp()));
                return true;
            }
        }
        return false;
    }

    private Get get(byte[] row, long asOf) throws IOException {
        Get get = new Get(row).readVersions(index.versions());
        index.select(get);
        return asOf == Long.MAX_VALUE ? get : get.setTimeRange(0, asOf + 1);
    }
}
