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

/*
 * Every entry is only a hint: the index is written first, so an entry may be of a write that is not acknowledged yet or
 * never will be, and obsolete entries stay until a compaction. The base table, asked afterwards, decides: what it has among its
 * newest versions that belongs at the entry's key is a hit. The timestamp of the entry does not matter: a row that gets the
 * same value again while it is read has a new entry, which the read may have passed already; it had the value all the time.
 *
 * An entry that the base table does not bear out, and that no compaction will find since no version there has its
 * timestamp, is reported to the base region, which decides under the row's lock. Young ones are left alone: their writes may
 * be on their way, and the lock would make the read wait for them. Obsolete ones are left to compactions.
 */
/**
 * Checks entries of an index against the base table: what every query returns has passed here, on a server or at the
 * client. For one lookup and one thread at a time.
 */
final class CheckedRead {

    /** In one list, which is that of a page or of a call. */
    private static final int MOST_REPORTED = 100;
    /** Longer than a write usually takes. If one takes longer, the report only waits for its lock. */
    private static final long YOUNG_MILLIS = 60_000;

    private final IndexPlan index;
    private final Lookup lookup;

    /** Checks what a lookup meets. */
    CheckedRead(IndexPlan index, Lookup lookup) {
        this.index = index;
        this.lookup = lookup;
    }

    /**
     * Those that the base table bears out, in the order of the candidates; adds those that nothing will bear out.
     *
     * <p>Candidates of a row stand together if they have one key; a row may come again, under another key, and is read
     * again then.
     */
    List<Hit> check(RowReads rows, List<Candidate> candidates, List<Entry> unfounded) throws IOException {
        // Taken before the rows are read: a write that ends meanwhile counts as young.
        long young = System.currentTimeMillis() - YOUNG_MILLIS;
        var gets = new ArrayList<Get>();
        for (int i = 0; i < candidates.size(); i++) {
            // A row with several entries is read once, and so shows one state for all of them.
            if (startsRow(candidates, i)) {
                gets.add(get(candidates.get(i).row()));
            }
        }
        Result[] results = gets.isEmpty() ? new Result[0] : rows.read(gets);
        var hits = new ArrayList<Hit>();
        int at = -1;
        int fresh = 0;
        int stale = 0;
        List<Borne> borne = List.of();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            if (startsRow(candidates, i)) {
                at++;
                borne = borne(candidate.row(), results[at]);
            }
            // Once for a key: each of its entries would bring all versions that belong there.
            if (startsKey(candidates, i)) {
                addHits(borne, candidate, results[at], hits);
            }
            // In the past, what is not borne out may have been removed rightly since.
            if (lookup.isOfNow()) {
                boolean isBorneOut = isBorneOut(borne, candidate);
                fresh += isBorneOut ? 1 : 0;
                stale += isBorneOut ? 0 : 1;
                if (!isBorneOut
                        // Its write may hold the row's lock, and wait for this very index.
                        && candidate.entry().timestamp() < young
                        // Each costs a call and a lock; the next read reports more.
                        && unfounded.size() < MOST_REPORTED
                        && isUnfounded(borne, candidate)) {
                    unfounded.add(candidate.entry());
                }
            }
            if (i + 1 == candidates.size() || startsRow(candidates, i + 1)) {
                rows.met(candidate.row(), fresh, stale);
                fresh = 0;
                stale = 0;
            }
        }
        return hits;
    }

    /** A state of a row with the entries that it bears out: one for each of its values. */
    private record Borne(RowState state, List<Entry> entries) {}

    /** From the newest on, as many as the lookup has asked the row for. */
    private List<Borne> borne(byte[] row, Result result) {
        if (result.isEmpty()) {
            return List.of();
        }
        return index.states(result.rawCells()).stream()
                .map(state -> new Borne(state, index.entries(row, state)))
                .toList();
    }

    private static boolean startsRow(List<Candidate> candidates, int i) {
        return i == 0
                || !Arrays.equals(candidates.get(i - 1).row(), candidates.get(i).row());
    }

    private static boolean startsKey(List<Candidate> candidates, int i) {
        return i == 0
                || !Arrays.equals(
                        candidates.get(i - 1).entry().key(),
                        candidates.get(i).entry().key());
    }

    /**
     * Whether no compaction can find the entry. Older than all that is fresh is obsolete: a compaction has seen the
     * version or will.
     */
    private static boolean isUnfounded(List<Borne> borne, Candidate candidate) {
        // Nothing is fresh: perhaps no version is left that would lead a compaction to the entry.
        return borne.isEmpty()
                || candidate.entry().timestamp()
                        >= borne.get(borne.size() - 1).state().timestamp();
    }

    /** For the count of what entries are worth, not for the answer. */
    private static boolean isBorneOut(List<Borne> borne, Candidate candidate) {
        return borne.stream()
                // The timestamp too: an equal value of another time has an entry of its own.
                .anyMatch(each -> each.state().timestamp() == candidate.entry().timestamp()
                        && each.entries().contains(candidate.entry()));
    }

    /** All versions that belong at the candidate's key. */
    private void addHits(List<Borne> borne, Candidate candidate, Result result, List<Hit> hits) {
        // An entry only says where to look; what is returned is what the row says belongs there, so that a stale one of
        // the same key neither hides a version nor brings one twice.
        for (Borne each : borne) {
            for (Entry entry : each.entries()) {
                if (Arrays.equals(entry.key(), candidate.entry().key())) {
                    hits.add(new Hit(entry, candidate.row(), each.state(), fetched(result)));
                }
            }
        }
    }

    /** Only what was asked for: the indexed columns were read for the check, and the caller may not want them. */
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
        // The index's columns always: without them nothing can be borne out.
        if (!lookup.fetch().wholeRow()) {
            index.select(get);
            lookup.fetch().columns().forEach(column -> get.addColumn(column.family(), column.qualifier()));
        }
        // What came later must not hide what was fresh then.
        return lookup.isOfNow() ? get : get.setTimeRange(0, lookup.asOf() + 1);
    }
}
