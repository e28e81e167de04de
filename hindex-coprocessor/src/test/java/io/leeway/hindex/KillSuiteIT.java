package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import io.leeway.testkit.hbase.ProcessCluster;
import io.leeway.testkit.hbase.ServerProcess;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Test;

/**
 * Servers are killed while rows are written, flushed, compacted and moved; after each kill the index says what the table
 * says, and the table what was acknowledged.
 *
 * <p>{@code -Dleeway.kills=200} for more of it.
 */
class KillSuiteIT {

    private static final int KILLS = Integer.getInteger("leeway.kills", 3);
    private static final int SERVERS = 2;

    private final RandomGenerator random = Seeds.random("kills");

    @Test
    void noKillSeparatesTheIndexFromTheTable() throws Exception {
        try (ProcessCluster cluster = TestClusters.processes(
                SERVERS, Map.of("hbase.coprocessor.master.classes", HindexMasterObserver.class.getName()))) {
            // Not closed: the table goes with the cluster.
            IndexedWords words = IndexedWords.create(cluster, "mode=deferred");
            spread(cluster, words);
            try (KillWriters writers = KillWriters.start(words, random.nextLong())) {
                for (int kill = 1; kill <= KILLS; kill++) {
                    String what = kill(cluster, words, writers);
                    writers.awaitAcknowledged(20);
                    writers.whilePaused(() -> check(words, writers));
                    System.out.println("kill " + kill + " of " + KILLS + ": " + what + "; " + writers.progress());
                }
                writers.whilePaused(() -> repair(cluster, words));
            }
        }
    }

    /** What kills leave behind are entries without rows; a repair finds all of them, and then there is nothing to find. */
    private static void repair(ProcessCluster cluster, IndexedWords words) throws IOException {
        HindexAdmin indexes = HindexAdmin.of(cluster.connection());
        for (VerifyMethod method : VerifyMethod.values()) {
            VerifyReport report = indexes.verify(words.name(), IndexedWords.INDEX, method, Long.MAX_VALUE);
            assertThat(report.missing()).as("missing, " + method).isZero();
            System.out.println(report);
        }
        indexes.repair(words.name(), IndexedWords.INDEX, VerifyMethod.HASH, Long.MAX_VALUE);
        VerifyReport repaired = indexes.verify(words.name(), IndexedWords.INDEX, VerifyMethod.MERGE, Long.MAX_VALUE);
        assertThat(repaired.isSound()).as("sound after a repair").isTrue();
        assertThat(words.allFound()).containsExactlyInAnyOrderElementsOf(words.visible());
    }

    /** Until all servers are back; says what was done. */
    private String kill(ProcessCluster cluster, IndexedWords words, KillWriters writers) throws Exception {
        writers.awaitAcknowledged(20 + random.nextInt(200));
        String disturbed = disturb(cluster, words);
        List<ServerProcess> victims = victims(cluster, words);
        for (ServerProcess victim : victims) {
            cluster.kill(victim);
        }
        boolean late = victims.size() == 1 && random.nextInt(4) == 0;
        if (late) {
            // The others have taken over by then.
            writers.awaitAcknowledged(20);
        }
        for (ServerProcess victim : victims) {
            cluster.restart(victim);
        }
        cluster.awaitReady();
        return victims + " after " + disturbed + (late ? ", restarted late" : "");
    }

    /** A region on each server, so that an index entry goes over the network. */
    private static void spread(ProcessCluster cluster, IndexedWords words) throws IOException {
        List<ServerName> servers = live(cluster);
        move(cluster, words.name(), servers.get(0));
        move(cluster, words.indexTable(), servers.get(1));
    }

    private static List<ServerName> live(ProcessCluster cluster) throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            return List.copyOf(admin.getRegionServers());
        }
    }

    private static void move(ProcessCluster cluster, TableName table, ServerName to) throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            for (RegionInfo region : admin.getRegions(table)) {
                admin.move(region.getEncodedNameAsBytes(), to);
            }
        }
    }

    /** Something that a kill may interrupt. */
    private String disturb(ProcessCluster cluster, IndexedWords words) throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            TableName table = random.nextInt(4) == 0 ? words.indexTable() : words.name();
            switch (random.nextInt(4)) {
                case 0 -> {
                    List<ServerName> servers = live(cluster);
                    ServerName to = servers.get(random.nextInt(servers.size()));
                    move(cluster, table, to);
                    return "a move of " + table;
                }
                case 1 -> {
                    admin.flush(table);
                    return "a flush of " + table;
                }
                case 2 -> {
                    admin.flush(table);
                    // Returns at once; the kill comes while it runs.
                    admin.majorCompact(table);
                    return "the start of a compaction of " + table;
                }
                default -> {
                    return "nothing special";
                }
            }
        }
    }

    /** Mostly the servers that matter: one with the table, one with the index, the master, or all. */
    private List<ServerProcess> victims(ProcessCluster cluster, IndexedWords words) throws IOException {
        var victims = new ArrayList<ServerProcess>();
        switch (random.nextInt(6)) {
            case 0, 1 -> victims.add(cluster.serverOf(words.name(), new byte[0]));
            case 2, 3 -> victims.add(cluster.serverOf(words.indexTable(), new byte[0]));
            case 4 -> victims.add(cluster.master());
            default -> victims.addAll(cluster.servers());
        }
        return victims;
    }

    private static void check(IndexedWords words, KillWriters writers) throws IOException {
        writers.requireNoFailure();
        List<String> visible = words.visible();
        writers.requireAcknowledged(visible);
        assertThat(words.entriesWithTime()).as("entries").containsAll(visible);
        assertThat(words.allFound()).as("reads by the index").containsExactlyInAnyOrderElementsOf(visible);
    }
}
