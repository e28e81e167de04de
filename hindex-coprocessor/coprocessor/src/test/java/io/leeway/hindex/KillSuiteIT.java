package io.leeway.hindex;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import io.leeway.testkit.hbase.ProcessCluster;
import io.leeway.testkit.hbase.ServerProcess;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers are killed while rows of tables in different modes are written and loaded, and regions moved, split, merged,
 * flushed and compacted, and indexes built; after a few kills each time the indexes say what the tables say, and the tables
 * what was acknowledged.
 *
 * <p>{@code -Dleeway.kills=200} for more of it; each killed process counts.
 */
@Tag(Depth.DEEP)
class KillSuiteIT {

    private static final int KILLS = Depth.of(3, 30);
    private static final int SERVERS = 2;
    private static final int ROUNDS_PER_CHECK = 3;
    private static final Path TRACES = Path.of("target", "kills");

    private static final Map<String, String> SITE = Map.of(
            "hbase.coprocessor.master.classes", HindexMasterObserver.class.getName(),
            // A build takes some seconds, so that kills come in between.
            "hindex.build.rate", "15",
            // Clients wait ever longer between attempts: a hundred times this at most.
            "hbase.client.pause", "20",
            // A server that reports a region while no master answers waits this long for each time that it has tried.
            "hbase.rpc.shortoperation.retry.pause.time", "100",
            // What a killed server has sent is there by then, and what it left is looked at.
            "hindex.failed.delay", "10s",
            // Regions that were split can be split again soon.
            "hbase.hfile.compaction.discharger.interval", "2000",
            "hbase.master.wait.on.regionservers.maxtostart", String.valueOf(SERVERS));

    @TempDir
    Path directory;

    private final RandomGenerator random = Seeds.random("kills");
    private final List<KilledTable> tables = new ArrayList<>();
    private final Map<String, Integer> killed = new TreeMap<>();
    private int kills;
    private int duringLoads;

    @Test
    void noKillSeparatesTheIndexFromTheTable() throws Exception {
        try (ProcessCluster cluster = TestClusters.processes(SERVERS, SITE)) {
            // Not closed: the tables go with the cluster.
            for (IndexMode mode : List.of(IndexMode.DEFERRED, IndexMode.SYNC, IndexMode.ASYNC)) {
                tables.add(KilledTable.create(cluster, directory, mode));
            }
            spread(cluster);
            try (KillClients clients = KillClients.start(tables, random.nextLong());
                    var disturbances = new Disturbances(cluster, tables, random)) {
                try {
                    killAndCheck(cluster, clients, disturbances);
                } catch (Exception | AssertionError e) {
                    // While the clients still wait for what they wait for.
                    keepTraces(cluster, e);
                    throw e;
                }
            }
        }
    }

    private void keepTraces(ProcessCluster cluster, Throwable failure) {
        tables.forEach(table -> System.out.println(table.progress() + "; failed last: " + table.lastFailure()));
        try {
            cluster.keepTraces(TRACES);
            System.out.println("the servers' logs and stacks are in " + TRACES.toAbsolutePath());
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void killAndCheck(ProcessCluster cluster, KillClients clients, Disturbances disturbances) throws Exception {
        long start = System.nanoTime();
        for (int round = 1; kills < KILLS; round++) {
            String what = round(round, cluster, clients, disturbances.begin());
            clients.awaitAcknowledged(20, table -> true);
            if (round % ROUNDS_PER_CHECK == 0) {
                clients.whilePaused(this::check);
            }
            System.out.println("kills: " + kills + " of " + KILLS + " after "
                    + Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s: " + what);
        }
        clients.awaitLoads();
        clients.whilePaused(() -> {
            check();
            disturbances.finish();
            for (KilledTable table : tables) {
                table.end();
            }
        });
        tables.forEach(table -> System.out.println(table.progress()));
        System.out.println("killed: " + killed + ", in " + duringLoads + " rounds during loads; meanwhile: "
                + disturbances.outcomes());
    }

    private void check() throws IOException {
        for (KilledTable table : tables) {
            table.check();
        }
    }

    /** Kills one server, or several; returns when all are back; says what was done. */
    private String round(int round, ProcessCluster cluster, KillClients clients, String disturbed) throws Exception {
        KilledTable busy = tables.get(random.nextInt(tables.size()));
        clients.awaitAcknowledged(1 + random.nextInt(60), table -> table == busy);
        List<ServerProcess> victims = victims(round, cluster);
        if (random.nextBoolean()) {
            clients.awaitLoading(busy);
            // At one moment or another of the load; it may even be over.
            clients.awaitAcknowledged(random.nextInt(12), table -> table == busy);
        }
        long loading = tables.stream().filter(KilledTable::isLoading).count();
        duringLoads += loading > 0 ? 1 : 0;
        String how;
        if (victims.size() == 1 && random.nextInt(8) == 0) {
            kill(cluster, victims.get(0));
            // The others have taken over by then.
            clients.awaitAcknowledged(20, table -> true);
            cluster.restart(victims.get(0));
            how = ", restarted late";
        } else if (random.nextBoolean()) {
            for (ServerProcess victim : victims) {
                kill(cluster, victim);
            }
            for (ServerProcess victim : victims) {
                cluster.restart(victim);
            }
            how = " at once";
        } else {
            for (ServerProcess victim : victims) {
                kill(cluster, victim);
                cluster.restart(victim);
            }
            how = " one after the other";
        }
        cluster.awaitReady();
        return victims + how + " during " + disturbed + (loading > 0 ? " and loads" : "");
    }

    private void kill(ProcessCluster cluster, ServerProcess victim) throws IOException {
        cluster.kill(victim);
        kills++;
        killed.merge(victim.name(), 1, Integer::sum);
    }

    /** Mostly servers that matter: one with a table, one with an index, the master, two of them, or all. */
    private List<ServerProcess> victims(int round, ProcessCluster cluster) throws IOException {
        KilledTable table = tables.get(random.nextInt(tables.size()));
        List<TableName> names = table.tables();
        ServerProcess ofTable = serverOf(cluster, table.name());
        ServerProcess ofIndex = serverOf(cluster, names.get(1 + random.nextInt(names.size() - 1)));
        // The first rounds, which are all in a short run, have one of each kind.
        return switch (round <= 3 ? round - 1 : random.nextInt(8)) {
            case 0 -> List.of(ofTable);
            case 1 -> List.of(ofIndex);
            case 2 -> List.of(cluster.master());
            case 3 -> List.of(ofTable, cluster.master());
            case 4 -> List.of(cluster.master(), ofIndex);
            case 5 -> ofTable == ofIndex ? List.of(ofTable) : List.of(ofTable, ofIndex);
            default -> cluster.servers();
        };
    }

    /** As HBase thought a moment ago. */
    private ServerProcess serverOf(ProcessCluster cluster, TableName table) throws IOException {
        try (RegionLocator locator = cluster.connection().getRegionLocator(table)) {
            List<byte[]> starts = List.of(locator.getStartKeys());
            return cluster.serverOf(table, starts.get(random.nextInt(starts.size())));
        }
    }

    /** Tables and their indexes on different servers, so that an entry goes over the network. */
    private void spread(ProcessCluster cluster) throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            List<ServerName> servers = List.copyOf(admin.getRegionServers());
            for (KilledTable table : tables) {
                for (TableName name : table.tables()) {
                    ServerName server = servers.get(name.equals(table.name()) ? 0 : 1);
                    for (RegionInfo region : admin.getRegions(name)) {
                        admin.move(region.getEncodedNameAsBytes(), server);
                    }
                }
            }
        }
    }
}
