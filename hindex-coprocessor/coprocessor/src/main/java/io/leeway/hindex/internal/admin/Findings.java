package io.leeway.hindex.internal.admin;

import io.leeway.hindex.VerifyReport;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.upkeep.UpkeepClient;
import io.leeway.hindex.internal.upkeep.UpkeepClient.Suspect;
import io.leeway.hindex.internal.upkeep.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Bytes;

/*
 * Who reads table and index one after the other sees differences that are none: of writes in between. So what looks wrong
 * is only a suspect; the base region decides, under the row's lock. Nothing that is right is ever reported, however much
 * is written meanwhile.
 */
/**
 * Collects what looks wrong, has it decided, and counts it by regions of the base table. {@link Verification} has one;
 * the regions decide, see {@link UpkeepClient#check}. For one thread.
 */
final class Findings {

    /** Suspects in one call for each region: each is looked at under its row's lock. */
    private static final int BATCH = 200;
    /**
     * For regions that move or are not opened with the index yet: those are asked again, nobody decides in their place.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final IndexPlan index;
    private final boolean repairs;
    private final UpkeepClient client;
    private final Keyspace regions;
    private final List<Counts> counts = new ArrayList<>();
    private final List<Suspect> suspects = new ArrayList<>();

    /** Of one region, as regions were when this began. */
    private static final class Counts {
        private long rows;
        private long entries;
        private long malformed;
        private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);

        long of(Verdict verdict) {
            return verdicts.getOrDefault(verdict, 0L);
        }
    }

    Findings(Connection connection, TableName base, IndexPlan index, boolean repairs) throws IOException {
        this.index = index;
        this.repairs = repairs;
        this.client = new UpkeepClient(connection, base);
        this.regions = Keyspace.of(connection, base);
        regions.starts().forEach(start -> counts.add(new Counts()));
    }

    /** The base table as it was shared when this began. */
    Keyspace regions() {
        return regions;
    }

    /** A row of the base table was read that the index must have entries of. */
    void row(byte[] row) {
        of(row).rows++;
    }

    /** A row has so many values that no entry can speak of. */
    void malformed(byte[] row, int values) {
        of(row).malformed += values;
    }

    /** An entry was read. */
    void entry(Entry entry) {
        of(index.row(entry.key())).entries++;
    }

    /**
     * Something is there on one side only.
     *
     * <p>On which side does not matter: the region looks at both anew.
     */
    void suspect(Entry entry) throws IOException {
        suspects.add(new Suspect(entry.key(), entry.qualifier(), entry.timestamp()));
        if (suspects.size() >= BATCH) {
            decide();
        }
    }

    private void decide() throws IOException {
        var left = new ArrayList<>(suspects);
        suspects.clear();
        boolean all = Waits.until(
                () -> {
                    List<Suspect> some = List.copyOf(left);
                    left.clear();
                    if (!some.isEmpty()) {
                        left.addAll(client.check(index, some, repairs, this::count));
                    }
                    return left.isEmpty();
                },
                PATIENCE);
        if (!all) {
            throw new IOException("regions of the base table do not keep the index " + index.name() + " after "
                    + PATIENCE + "; look for regions in transition, then verify again");
        }
    }

    private void count(Suspect suspect, Verdict verdict) {
        of(index.row(suspect.key())).verdicts.merge(verdict, 1L, Long::sum);
    }

    private Counts of(byte[] row) {
        return counts.get(regions.region(row));
    }

    /** What was found, when everything was read. */
    VerifyReport report(TableName base, long asOf) throws IOException {
        if (!suspects.isEmpty()) {
            decide();
        }
        var reports = new ArrayList<VerifyReport.Region>();
        for (int i = 0; i < counts.size(); i++) {
            Counts found = counts.get(i);
            reports.add(new VerifyReport.Region(
                    Bytes.toStringBinary(regions.starts().get(i)),
                    found.rows,
                    found.entries,
                    found.of(Verdict.MISSING),
                    found.of(Verdict.SUPERSEDED),
                    found.of(Verdict.DELETED),
                    found.of(Verdict.DANGLING),
                    found.malformed));
        }
        return new VerifyReport(base, index.name(), asOf, reports);
    }
}
