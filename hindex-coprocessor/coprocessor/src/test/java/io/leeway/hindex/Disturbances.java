package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.hbase.RunningHBase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What else is done to tables whose servers are killed: regions are moved, split, merged, flushed and compacted, and an index
 * is created, built by the master, verified and dropped. One thing at a time, in the background, so that kills interrupt it.
 */
final class Disturbances implements AutoCloseable {

    static final String EXTRA = "extra";

    private static final int MANY_REGIONS = 3;
    private static final long PATIENCE_SECONDS = 60;

    private final RunningHBase cluster;
    private final List<KilledTable> tables;
    private final RandomGenerator random;
    private final ExecutorService background = Executors.newSingleThreadExecutor(task -> {
        var thread = new Thread(task, "disturbances");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private final AtomicReference<@Nullable AssertionError> failure = new AtomicReference<>();
    private @Nullable Future<?> running;
    private String last = "nothing";

    Disturbances(RunningHBase cluster, List<KilledTable> tables, RandomGenerator random) {
        this.cluster = cluster;
        this.tables = List.copyOf(tables);
        this.random = random;
    }

    private enum Kind {
        MOVE,
        FLUSH,
        COMPACTION,
        MAJOR_COMPACTION,
        SPLIT,
        MERGE,
        INDEX
    }

    /** Begins the next, unless the one before still runs; says which it is. */
    String begin() {
        AssertionError failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        if (running != null && !running.isDone()) {
            return "still " + last;
        }
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        KilledTable table = tables.get(random.nextInt(tables.size()));
        List<TableName> names = table.tables();
        TableName name = names.get(random.nextInt(names.size()));
        long choice = random.nextLong(Long.MAX_VALUE);
        last = kind + " of " + (kind == Kind.INDEX ? table.name() : name);
        running = background.submit(() -> run(kind, table, name, choice));
        return last;
    }

    private void run(Kind kind, KilledTable table, TableName name, long choice) {
        String outcome;
        try (Admin admin = cluster.connection().getAdmin()) {
            outcome = kind == Kind.INDEX ? index(table) : kind + disturb(admin, kind, name, choice);
        } catch (AssertionError e) {
            failure.compareAndSet(null, e);
            outcome = kind + " found a fault";
        } catch (Exception e) {
            // Whoever is interrupted by a kill may fail.
            outcome = kind + " failed";
        }
        synchronized (outcomes) {
            outcomes.merge(outcome, 1, Integer::sum);
        }
    }

    private String disturb(Admin admin, Kind kind, TableName name, long choice) throws Exception {
        List<RegionInfo> regions = admin.getRegions(name);
        switch (kind) {
            case MOVE -> {
                List<ServerName> servers = List.copyOf(admin.getRegionServers());
                RegionInfo region = regions.get((int) (choice % regions.size()));
                admin.move(region.getEncodedNameAsBytes(), servers.get((int) (choice / 7 % servers.size())));
            }
            case FLUSH -> admin.flush(name);
            case COMPACTION -> {
                admin.flush(name);
                admin.compact(name);
            }
            case MAJOR_COMPACTION -> {
                admin.flush(name);
                admin.majorCompact(name);
            }
            case SPLIT -> {
                return regions.size() < MANY_REGIONS && split(admin, regions, name, choice) ? "" : " not possible";
            }
            case MERGE -> {
                if (regions.size() < 2) {
                    return " not possible";
                }
                int first = (int) (choice % (regions.size() - 1));
                admin.mergeRegionsAsync(
                                new byte[][] {
                                    regions.get(first).getEncodedNameAsBytes(),
                                    regions.get(first + 1).getEncodedNameAsBytes()
                                },
                                false)
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            case INDEX -> throw new IllegalArgumentException("not of one table");
        }
        return "";
    }

    /** At a row that there is, so that both halves have some. */
    private boolean split(Admin admin, List<RegionInfo> regions, TableName name, long choice) throws Exception {
        var rows = new ArrayList<byte[]>();
        try (Table table = cluster.connection().getTable(name);
                ResultScanner scanner = table.getScanner(new Scan().setFilter(new FirstKeyOnlyFilter()))) {
            for (Result result : scanner) {
                rows.add(result.getRow());
            }
        }
        if (rows.isEmpty()) {
            return false;
        }
        byte[] row = rows.get((int) (choice % rows.size()));
        for (RegionInfo region : regions) {
            if (region.containsRow(row) && !Bytes.equals(region.getStartKey(), row)) {
                admin.splitRegionAsync(region.getRegionName(), row).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                return true;
            }
        }
        return false;
    }

    /** An index that comes and goes; the master builds it, slowly enough to be interrupted. */
    private String index(KilledTable table) throws IOException {
        HindexAdmin indexes = HindexAdmin.of(cluster.connection());
        Optional<IndexInfo> extra = extra(indexes, table);
        if (extra.isEmpty()) {
            indexes.create(
                    table.name(),
                    IndexDefinition.builder(EXTRA)
                            .column("f", "other", Encoding.UTF8)
                            .build());
            return "INDEX created";
        }
        if (extra.get().definition().state() == IndexState.BUILDING) {
            return "INDEX found building";
        }
        if (extra.get().definition().state() == IndexState.ACTIVE) {
            requireComplete(indexes, table);
        }
        indexes.drop(table.name(), EXTRA);
        return "INDEX dropped";
    }

    private static Optional<IndexInfo> extra(HindexAdmin indexes, KilledTable table) throws IOException {
        return indexes.list(table.name()).stream()
                .filter(index -> index.definition().name().equals(EXTRA))
                .findAny();
    }

    private static void requireComplete(HindexAdmin indexes, KilledTable table) throws IOException {
        VerifyReport report = indexes.verify(table.name(), EXTRA);
        assertThat(report.missing())
                .as("missing in an index of " + table.name() + " that was built: " + report)
                .isZero();
    }

    /** Waits for the last one, and for indexes that are being built, which are as complete as the others then. */
    void finish() throws Exception {
        if (running != null) {
            running.get(3 * PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        AssertionError failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        HindexAdmin indexes = HindexAdmin.of(cluster.connection());
        for (KilledTable table : tables) {
            Optional<IndexInfo> extra = extra(indexes, table);
            if (extra.isPresent() && extra.get().definition().state() == IndexState.BUILDING) {
                indexes.build(table.name(), EXTRA);
            }
            if (extra.isPresent() && extra.get().definition().state().isReadable()) {
                requireComplete(indexes, table);
            }
        }
    }

    /** How often what came to what. */
    String outcomes() {
        synchronized (outcomes) {
            return outcomes.toString();
        }
    }

    @Override
    public void close() {
        background.shutdownNow();
    }
}
