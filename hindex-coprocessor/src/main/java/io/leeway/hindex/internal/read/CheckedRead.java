package io.leeway.hindex.internal.read;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.RowState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
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
/** Checks entries of an index against the base table. */
final class CheckedRead {

    private static final int MOST_REPORTED = 100;
    private static final long YOUNG_MILLIS = 60_000;

    private final IndexPlan index;
    private final Lookup lookup;
    private final int priority;

    /** Checks with reads of this priority. */
    CheckedRead(IndexPlan index, Lookup lookup, int priority) {
        this.index = index;
        this.lookup = lookup;
        this.priority = priority;
    }

    /** Those that the base table bears out, in the order of the candidates; adds those that nothing will bear out. */
    List<Hit> check(Table rows, List<Candidate> candidates, List<Entry> unfounded) throws IOException {
        long young = System.currentTimeMillis() - YOUNG_MILLIS;
        var gets = new ArrayList<Get>();
        for (int i = 0; i < candidates.size(); i++) {
            if (startsRow(candidates, i)) {
                gets.add(get(candidates.get(i).row()));
            }
        }
        Result[] results = gets.isEmpty() ? new Result[0] : rows.get(gets);
        var hits = new ArrayList<Hit>();
        int at = -1;
        List<RowState> states = List.of();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            if (startsRow(candidates, i)) {
                at++;
                states = results[at].isEmpty() ? List.of() : index.states(results[at].rawCells());
            }
            boolean found = addIfThere(states, candidate, results[at], hits);
            if (!found
                    && lookup.isOfNow()
                    && candidate.entry().timestamp() < young
                    && unfounded.size() < MOST_REPORTED
                    && isUnfounded(states, candidate)) {
                unfounded.add(candidate.entry());
            }
        }
        return hits;
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

    private boolean addIfThere(List<RowState> states, Candidate candidate, Result result, List<Hit> hits) {
        for (RowState state : states) {
            if (state.timestamp() == candidate.entry().timestamp()
                    && index.entries(candidate.row(), state).contains(candidate.entry())) {
                hits.add(new Hit(candidate.entry(), candidate.row(), state, fetched(result)));
                return true;
            }
        }
        return false;
    }

    private List<Cell> fetched(Result result) {
        if (lookup.fetch().wholeRow()) {
            return Arrays.asList(result.rawCells());
        }
        var cells = new ArrayList<Cell>();
        for (ColumnName column : lookup.fetch().columns()) {
            cells.addAll(result.getColumnCells(column.family(), column.qualifier()));
        }
        return cells;
    }

    private Get get(byte[] row) throws IOException {
        Get get = new Get(row).readVersions(lookup.versions());
        if (!lookup.fetch().wholeRow()) {
            index.select(get);
            lookup.fetch().columns().forEach(column -> get.addColumn(column.family(), column.qualifier()));
        }
        get.setPriority(priority);
        return lookup.isOfNow() ? get : get.setTimeRange(0, lookup.asOf() + 1);
    }
}
