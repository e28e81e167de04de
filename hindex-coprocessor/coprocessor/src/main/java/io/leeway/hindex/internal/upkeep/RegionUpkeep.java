package io.leeway.hindex.internal.upkeep;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.repair.Removals;
import io.leeway.hindex.internal.scan.LimitedScan;
import io.leeway.hindex.internal.write.NewEntry;
import io.leeway.hindex.internal.write.SharedSender;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/*
 * Model: a write holds the lock of its row from before its entry until after its base cell. Under that lock nothing is on
 * its way, so what the row says and what the index says can be compared, and an entry can be written or removed, as if
 * nobody else wrote. A build writes the entries of what readers see then; whatever supersedes it later is written after
 * it, so that a compaction which finds the version obsolete also finds its entry there. What hides a version may be lost, if it
 * was written without waiting for the log; then a build writes the entries of all versions.
 *
 * Cost: several rows are locked together, in the order of their keys, so that their entries go in one call. Writers wait
 * for no more than that call. Those who lock several rows wait for the first only, so there is no ring. A build looks for rows for
 * a limited time, also where there are none: else it would hold a handler until the end of the region, and the caller, who
 * gave up before, would send the next one after it.
 */
/**
 * Builds and checks entries of the rows of one region. Called by the region's endpoint in handlers, and by
 * {@link FailedEntries} in a thread of the table. Thread-safe.
 */
public final class RegionUpkeep {

    /** Together, while one call to the index is made. */
    private static final int ROWS_LOCKED = 50;

    /** Each call has the whole time limit. */
    private static final int MOST_ENTRIES = 2_000;

    /**
     * For which a call of a build writes entries; what is left goes with the next. Less than clients of HBase wait for
     * a call.
     */
    private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Region region;
    private final TablePlan plan;
    private final RowEntries rows;
    private final SharedSender sender;
    private final Removals removals;
    private final Owed owed;
    private final BooleanSupplier hasUnsynced;
    private final long searchNanos;
    private final Metrics metrics;

    /**
     * For a region whose indexes are kept by these.
     *
     * @param hasUnsynced whether the region has in memory what may be lost though it was acknowledged
     * @param search for how long a call of a build looks for rows
     */
    public RegionUpkeep(
            Region region,
            TablePlan plan,
            RowEntries rows,
            SharedSender sender,
            Removals removals,
            Owed owed,
            BooleanSupplier hasUnsynced,
            Duration search,
            Metrics metrics) {
        this.region = region;
        this.plan = plan;
        this.rows = rows;
        this.sender = sender;
        this.removals = removals;
        this.owed = owed;
        this.hasUnsynced = hasUnsynced;
        this.searchNanos = search.toNanos();
        this.metrics = metrics;
    }

    /** Entries that follow after their writes. */
    @FunctionalInterface
    public interface Owed {
        /** Waits for all that are owed now. */
        void await() throws IOException;
    }

    /** "No such index" is an answer and no failure: the region may just be about to be opened with it. */
    UpkeepProtocol.Response answer(UpkeepProtocol.Request request) throws IOException {
        if (request instanceof UpkeepProtocol.Describe) {
            return new UpkeepProtocol.Described(TableDescriptorBuilder.toByteArray(region.getTableDescriptor()));
        }
        Optional<IndexPlan> index = plan.indexes().stream()
                .filter(kept -> kept.name().equals(request.index()))
                .findAny();
        if (index.isEmpty()) {
            return new UpkeepProtocol.NoIndex();
        }
        if (request instanceof UpkeepProtocol.Build build) {
            return build(index.get(), build);
        }
        return request instanceof UpkeepProtocol.Check check ? check(index.get(), check) : new UpkeepProtocol.Kept();
    }

    /**
     * Looks for rows first and writes their entries then. If something that may be lost has come into memory in
     * between, rows that it hides are looked for as well: they may come back, and nobody else would write their
     * entries.
     */
    private UpkeepProtocol.Built build(IndexPlan index, UpkeepProtocol.Build build) throws IOException {
        byte[] stop = earlier(build.stop(), region.getRegionInfo().getEndKey());
        boolean hadUnsynced = hasUnsynced();
        Found found = find(index, build.start(), stop, build.rows(), hadUnsynced);
        if (!hadUnsynced && hasUnsynced()) {
            found = find(index, build.start(), stop, build.rows(), true);
        }
        List<byte[]> keys = found.keys;
        long end = System.nanoTime() + CALL_NANOS;
        int entries = 0;
        // At least one lot of rows is written, however long it took to find them: each call gets further.
        int done = 0;
        while (done < keys.size() && System.nanoTime() < end) {
            Sent sent = write(index, keys.subList(done, Math.min(done + ROWS_LOCKED, keys.size())));
            entries += sent.entries;
            done += sent.rows;
        }
        byte[] passed = done == keys.size() ? found.passed : keys.get(done - 1);
        metrics.add(Metrics.Count.BUILT, done);
        return new UpkeepProtocol.Built(
                passed == null ? stop : after(passed),
                passed == null && Bytes.equals(stop, build.stop()),
                done,
                entries);
    }

    /** The earlier of two ends. The empty key is the end of the table. */
    private static byte[] earlier(byte[] one, byte[] other) {
        if (one.length == 0 || other.length == 0) {
            return one.length == 0 ? other : one;
        }
        return Bytes.compareTo(one, other) < 0 ? one : other;
    }

    /** The least key behind it. */
    private static byte[] after(byte[] key) {
        return Bytes.add(key, new byte[1]);
    }

    /**
     * Rows that a build has to look at.
     *
     * @param passed up to which row there are no others; null if there are none at all
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    private record Found(List<byte[]> keys, byte @Nullable [] passed) {}

    /** Of rows that readers see, or also of those that are deleted. */
    private Found find(IndexPlan index, byte[] start, byte[] stop, int most, boolean ofAll) throws IOException {
        Scan scan = new Scan().withStartRow(start).withStopRow(stop).setFilter(new FirstKeyOnlyFilter());
        if (ofAll) {
            scan.addFamily(index.family()).setRaw(true);
        } else {
            index.select(scan);
        }
        var keys = new ArrayList<byte[]>();
        try (LimitedScan rowsFound = LimitedScan.of(region, scan, System.nanoTime() + searchNanos)) {
            var cells = new ArrayList<Cell>();
            while (keys.size() < most && rowsFound.next(cells)) {
                keys.add(CellUtil.cloneRow(cells.get(0)));
            }
            return new Found(keys, rowsFound.isAtEnd() ? null : rowsFound.passed());
        }
    }

    private record Sent(int rows, int entries) {}

    /** The first of these rows, at least one: as many as their entries go in one call, for which writers wait. */
    private Sent write(IndexPlan index, List<byte[]> keys) throws IOException {
        return underLock(keys, () -> {
            var entries = new ArrayList<NewEntry>();
            int rows = 0;
            for (; rows < keys.size() && entries.size() < MOST_ENTRIES; rows++) {
                entries.addAll(ofRow(index, keys.get(rows)));
            }
            for (int from = 0; from < entries.size(); from += MOST_ENTRIES) {
                sender.put(entries.subList(from, Math.min(from + MOST_ENTRIES, entries.size())));
            }
            return new Sent(rows, entries.size());
        });
    }

    /**
     * What readers see; where memory may be lost also what they would see then. A strict index is not built over what
     * it refuses.
     */
    private List<NewEntry> ofRow(IndexPlan index, byte[] key) throws IOException {
        if (index.definition().isStrict() && rows.isMalformed(key, index)) {
            throw new DoNotRetryIOException("row " + Bytes.toStringBinary(key) + " has a value that is not what index "
                    + index.name() + " wants, or too long, and the index is strict: correct the row, then go on with"
                    + " hindex build; or define the index without strict=true, which leaves such values out");
        }
        var entries = new LinkedHashSet<NewEntry>(rows.fresh(key, index));
        if (hasUnsynced()) {
            entries.addAll(rows.afterALoss(key, index));
        }
        return List.copyOf(entries);
    }

    /** One entry after the other, each under the lock of its row and as a conclusion that no load comes between. */
    private UpkeepProtocol.Checked check(IndexPlan index, UpkeepProtocol.Check check) throws IOException {
        // The writes of these entries are done: who asks has seen their rows.
        owed.await();
        var verdicts = new ArrayList<Verdict>();
        for (UpkeepProtocol.Item item : check.items()) {
            byte[] row = index.row(item.key());
            if (region.getRegionInfo().containsRow(row)) {
                var entry = new Entry(index, item.key(), item.qualifier(), item.timestamp());
                verdicts.add(underLock(
                        List.of(row), () -> removals.concluding(() -> check(row, entry, check.repairs()))));
            } else {
                verdicts.add(Verdict.ELSEWHERE);
            }
        }
        metrics.add(Metrics.Count.CHECKS, verdicts.size());
        return new UpkeepProtocol.Checked(verdicts);
    }

    /**
     * Compares row and index about one entry. The index is asked before the row and after it: entries and cells that
     * expire meanwhile are no faults.
     */
    private Verdict check(byte[] row, Entry entry, boolean repairs) throws IOException {
        long knowledge = removals.knowledge();
        boolean there = isThere(entry);
        Optional<NewEntry> fresh = rows.fresh(row, entry.index()).stream()
                .filter(one -> one.entry().equals(entry))
                .findAny();
        if (fresh.isPresent()) {
            if (!there && repairs) {
                sender.put(List.of(fresh.get()));
            }
            return there ? Verdict.RIGHT : Verdict.MISSING;
        }
        if (!there || removals.isHeld(entry) || !isThere(entry)) {
            return Verdict.RIGHT;
        }
        Verdict verdict = verdict(rows.stored(row, entry));
        if (repairs && goes(verdict)) {
            removals.remove(List.of(entry), knowledge);
        }
        return verdict;
    }

    /**
     * What became of an entry.
     *
     * @param verdict what it was worth; right also if it was not there
     * @param knowledge of revivals, as {@link Removals} has it, when that was found out
     */
    record Settled(Verdict verdict, boolean isRemoved, long knowledge) {}

    /**
     * Removes an entry if its row does not show what it says; but not one that is left to compactions, as in repairs.
     *
     * <p>Under the row's lock, after a look without it: most entries of failed writes never came to the index.
     *
     * @param removes whether to remove at all
     * @param before if there was a flush since it was looked at last: what was found then
     */
    Settled settle(Entry entry, boolean removes, @Nullable Settled before) throws IOException {
        byte[] row = entry.index().row(entry.key());
        if (!region.getRegionInfo().containsRow(row)) {
            return new Settled(Verdict.ELSEWHERE, false, 0);
        }
        // Without the lock: where the index does not answer, nobody shall wait for the row.
        if (!isThere(entry)) {
            return new Settled(Verdict.RIGHT, false, 0);
        }
        return underLock(List.of(row), () -> {
            Settled settled = removals.concluding(() -> settle(row, entry, removes, before));
            if (settled.verdict == Verdict.DANGLING && entry.index().isOfOneColumn()) {
                restore(row, entry);
            }
            return settled;
        });
    }

    /**
     * A flush may have dropped a version that lasts since one that expires had its place: what it had superseded is
     * read again when that has expired, and its entry may have been removed.
     *
     * <p>Those that are not there are written again, as a revival, so that no removal that is on its way takes them.
     */
    private void restore(byte[] row, Entry dropped) throws IOException {
        var missing = new ArrayList<NewEntry>();
        for (NewEntry each : rows.comingBack(row, dropped.index())) {
            if (each.entry().timestamp() < dropped.timestamp() && !isThere(each.entry())) {
                missing.add(each);
            }
        }
        if (!missing.isEmpty()) {
            removals.revive(missing.stream().map(NewEntry::entry).toList());
            sender.put(missing);
        }
    }

    private Settled settle(byte[] row, Entry entry, boolean removes, @Nullable Settled before) throws IOException {
        long knowledge = removals.knowledge();
        if (rows.fresh(row, entry.index()).stream().anyMatch(one -> one.entry().equals(entry))) {
            return new Settled(Verdict.RIGHT, false, knowledge);
        }
        Verdict verdict = verdict(rows.stored(row, entry));
        long known = knowledge;
        boolean goes = goes(verdict);
        if (verdict == Verdict.SUPERSEDED && before != null) {
            // What superseded it then is in a file now, and still does unless the entry was revived meanwhile.
            known = before.knowledge;
            goes = true;
        }
        boolean isRemoved =
                removes && goes && removals.remove(List.of(entry), known).isEmpty();
        return new Settled(verdict, isRemoved, knowledge);
    }

    /**
     * Removes an entry unless a cell is stored that it speaks of.
     *
     * @param name the entry's index
     * @return whether it is gone; not if its row is of another region, or something needs it that is not stored yet
     */
    public boolean removeUnlessStored(String name, byte[] key, byte[] qualifier, long timestamp) throws IOException {
        IndexPlan index = plan.named(name);
        byte[] row = index.row(key);
        if (!region.getRegionInfo().containsRow(row)) {
            return false;
        }
        var entry = new Entry(index, key, qualifier, timestamp);
        return underLock(List.of(row), () -> removals.concluding(() -> removeUnlessStored(row, entry)));
    }

    /** What a read has met: it sees less than compactions do, and so removes only what they could never find. */
    private boolean removeUnlessStored(byte[] row, Entry entry) throws IOException {
        long knowledge = removals.knowledge();
        // One that is stored but not fresh is left to compactions, which drop it together with what hides it.
        boolean stored = rows.stored(row, entry) != RowEntries.Stored.NOT;
        if (!stored) {
            removals.remove(List.of(entry), knowledge);
        }
        return !stored && !removals.isHeld(entry);
    }

    /** The name of the region. */
    String name() {
        return region.getRegionInfo().getRegionNameAsString();
    }

    /** Whether the region has in memory what may be lost though it was acknowledged. */
    boolean hasUnsynced() {
        return hasUnsynced.getAsBoolean();
    }

    /** Whether a compaction is at work. */
    boolean isCompacting() {
        return region.getCompactionState() != CompactionState.NONE;
    }

    /**
     * Whether the entry is to be removed now. The delete that hides a version may be purged before the version, and
     * what supersedes one may be lost with the memory; then it is seen again: those entries are left to compactions.
     *
     * <p>An entry of another region's row is that region's business.
     */
    private boolean goes(Verdict verdict) {
        return switch (verdict) {
            case DANGLING -> true;
            case SUPERSEDED -> !hasUnsynced();
            case RIGHT, MISSING, DELETED, ELSEWHERE -> false;
        };
    }

    /** Of an entry that is there and that readers do not see borne out now. */
    private static Verdict verdict(RowEntries.Stored stored) {
        return switch (stored) {
            case COMING_BACK -> Verdict.RIGHT;
            case VISIBLE -> Verdict.SUPERSEDED;
            case HIDDEN -> Verdict.DELETED;
            case NOT -> Verdict.DANGLING;
        };
    }

    /** The very cell: another timestamp of the value is another entry. */
    private boolean isThere(Entry entry) throws IOException {
        Get get = new Get(entry.key())
                .addColumn(IndexPlan.entryFamily(), entry.qualifier())
                .setTimestamp(entry.timestamp());
        // A handler waits for it, with the lock of a row.
        get.setPriority(HConstants.HIGH_QOS);
        return sender.ask(entry.index().table(), connection -> {
            try (Table entries = connection.getTable(entry.index().table())) {
                return entries.exists(get);
            }
        });
    }

    private <T> T underLock(List<byte[]> keys, LockedRows.Body<T> body) throws IOException {
        return LockedRows.with(region, keys, body);
    }
}
