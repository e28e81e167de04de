package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.INDEX;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are loaded into a replicated table: the sink gets them as files, and loads and indexes them itself. */
class ReplicatedLoadsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final HBaseCluster SOURCE = TestClusters.light(
            1, Map.of("hbase.replication.bulkload.enabled", "true", "hbase.replication.cluster.id", "source"));
    private static final HBaseCluster SINK = TestClusters.light(
            1,
            Map.of(
                    "hbase.replication.conf.dir",
                    clusters().toString(),
                    // A load of the sink is tried so often, and once more; then the source sends it anew.
                    "replication.sink.client.retries.number",
                    "1"));

    @TempDir
    Path directory;

    private final TableName name = SOURCE.freshName("loaded");
    private ReplicationPeer peer;

    /** Where a sink looks for what it needs to know of the cluster "source", in a directory of that name. */
    private static Path clusters() {
        URL clusters = Objects.requireNonNull(ReplicatedLoadsTest.class.getResource("clusters"));
        try {
            return Path.of(clusters.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void connectClusters() throws IOException {
        peer = ReplicationPeer.connect(SOURCE, SINK, List.of(name));
    }

    @AfterEach
    void disconnectClusters() throws IOException {
        peer.close();
    }

    private IndexedWords words(HBaseCluster cluster, String settings, UnaryOperator<TableDescriptorBuilder> table)
            throws IOException {
        return IndexedWords.create(
                cluster, name, settings, family -> ReplicationPeer.replicated(family.setMaxVersions(2)), table);
    }

    /** Another index, over two columns. */
    private static TableDescriptorBuilder withPairs(TableDescriptorBuilder table, String settings) {
        return table.setValue(
                IndexDefinition.ATTRIBUTE_PREFIX + "pairs",
                "columns=f:word:utf8, f:other:utf8; state=active; " + settings);
    }

    private static IndexPlan pairs(IndexedWords words) {
        return words.indexes().stream()
                .filter(index -> index.name().equals("pairs"))
                .findAny()
                .orElseThrow();
    }

    private static KeyValue cell(String row, byte[] column, String value, long timestamp) {
        return new KeyValue(bytes(row), FAMILY, column, timestamp, bytes(value));
    }

    /** Each list in a file of its own. */
    private void load(List<List<KeyValue>> files) throws IOException {
        LoadedCells.load(SOURCE, directory, name, files);
    }

    private static void split(HBaseCluster cluster, IndexedWords words, String row) throws Exception {
        try (Admin admin = cluster.connection().getAdmin()) {
            byte[] whole = words.regions().get(0).getRegionInfo().getRegionName();
            admin.splitRegionAsync(whole, bytes(row)).get(60, TimeUnit.SECONDS);
        }
        assertThat(words.regions()).hasSize(2);
    }

    private static void awaitSame(IndexedWords here, IndexedWords there) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(there.visible()).isEqualTo(here.visible());
            for (IndexPlan index : there.indexes()) {
                assertThat(there.fresh(index)).isEqualTo(here.fresh(index));
            }
        });
    }

    private static void assertExact(HBaseCluster cluster, IndexedWords words) throws Exception {
        words.awaitEntries();
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).as("%s", index).containsAll(words.fresh(index));
        }
        words.awaitFailed();
        words.flush();
        words.compactAll();
        // Of a region that was split, the first compaction reads half a file.
        words.compactAll();
        HindexAdmin admin = HindexAdmin.of(cluster.connection());
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).as("%s", index).isEqualTo(words.fresh(index));
            for (VerifyMethod method : VerifyMethod.values()) {
                assertThat(admin.verify(words.name(), index.name(), method, Long.MAX_VALUE)
                                .isSound())
                        .isTrue();
            }
        }
    }

    /** Regions of the sink begin elsewhere, so that it cuts files in two which have fit at the source, and the other way round. */
    @ParameterizedTest
    @ValueSource(strings = {"mode=deferred", "mode=sync"})
    void aLoadOverSeveralRegionsIsIndexedByTheSink(String mode) throws Exception {
        try (var here = words(SOURCE, mode, table -> withPairs(table, mode));
                var there = words(SINK, mode, table -> withPairs(table, mode))) {
            split(SOURCE, here, "p");
            split(SINK, there, "g");
            for (String row : List.of("b1", "b2", "h1", "h2", "s1")) {
                here.table()
                        .put(new Put(bytes(row))
                                .addColumn(FAMILY, WORD, 100, bytes("old"))
                                .addColumn(FAMILY, OTHER, 100, bytes("red")));
            }
            awaitSame(here, there);

            load(List.of(
                    List.of(
                            cell("b1", WORD, "new", 200),
                            new KeyValue(bytes("b2"), FAMILY, WORD, 200, KeyValue.Type.DeleteColumn),
                            cell("c1", WORD, "new", 200),
                            cell("h1", OTHER, "green", 200),
                            new KeyValue(bytes("h2"), FAMILY, null, 200, KeyValue.Type.DeleteFamily),
                            cell("h3", WORD, "new", 200),
                            cell("s1", WORD, "late", 50),
                            cell("t1", WORD, "new", 200),
                            cell("t1", WORD, "older", 150)),
                    List.of(cell("c1", OTHER, "blue", 200), cell("t1", OTHER, "blue", 200))));
            awaitSame(here, there);

            assertThat(there.rows("new")).containsExactlyInAnyOrder("b1", "c1", "h3", "t1");
            assertThat(there.rows("old")).containsExactlyInAnyOrder("h1", "s1");
            assertThat(there.rows("late")).isEmpty();
            assertThat(there.rows(pairs(there), "new")).containsExactlyInAnyOrder("b1", "c1", "h3", "t1");
            here.put("t1", "written");
            awaitSame(here, there);
            assertThat(there.rows("written")).containsExactly("t1");
            assertExact(SINK, there);
            assertExact(SOURCE, here);
        }
    }

    /** The files that were meant for the region are cut in two, and each region has the entries of its part. */
    @ParameterizedTest
    @ValueSource(strings = {"mode=deferred", "mode=sync"})
    void aRegionOfTheSinkIsSplitDuringALoad(String mode) throws Exception {
        WriteStop.arm().open();
        try (var here = words(SOURCE, mode, table -> withPairs(table, mode));
                var there = words(SINK, mode, table -> withPairs(WriteStop.behind(table), mode))) {
            here.put("b1", "old", 100);
            here.put("t1", "old", 100);
            awaitSame(here, there);
            WriteStop.Gate stop = WriteStop.armForLoads();
            try {
                load(List.of(List.of(
                        cell("b1", WORD, "new", 200),
                        cell("c1", OTHER, "blue", 200),
                        cell("s1", WORD, "new", 200),
                        cell("t1", WORD, "new", 200))));
                assertThat(stop.isReached()).isTrue();
                split(SINK, there, "m");
            } finally {
                stop.open();
            }
            awaitSame(here, there);

            assertThat(there.rows("new")).containsExactlyInAnyOrder("b1", "s1", "t1");
            assertThat(there.rows("old")).isEmpty();
            assertExact(SINK, there);
        }
    }

    /** After a few calls replication gives up, and the source sends the same files again; that must not go on for ever. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLoadOfMoreCallsThanReplicationTriesArrives(boolean hasPairs) throws Exception {
        // So that a call writes one batch: 1,000 entries, or those of 50 rows.
        UnaryOperator<TableDescriptorBuilder> slow =
                table -> table.setValue("hindex.load.time", "10ms").setValue("hindex.load.rate", "1000");
        int calls = 5;
        int rows = calls * (hasPairs ? 50 : 1_000);
        try (var here = words(SOURCE, "", table -> hasPairs ? withPairs(table, "") : table);
                var there = words(SINK, "", table -> slow.apply(hasPairs ? withPairs(table, "") : table))) {
            var cells = new ArrayList<KeyValue>();
            for (int i = 0; i < rows; i++) {
                cells.add(cell("r" + (10_000 + i), WORD, "new", 100));
            }

            load(List.of(cells));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(there.visible()).hasSize(rows));

            assertThat(there.rows("new")).hasSize(rows);
            assertExact(SINK, there);
        }
    }

    /** What the sink refuses is sent again and again, as any write that fails there. */
    @Test
    void aLoadThatTheSinkRefusesArrivesOnceItsIndexIsDisabled() throws Exception {
        WriteStop.arm().open();
        try (var here = words(SOURCE, "", table -> table);
                var there = words(
                        SINK,
                        "",
                        table -> IndexedWords.beforeTheIndex(
                                table.setValue("hindex.load", "refuse"), WriteStop.class))) {
            HindexAdmin admin = HindexAdmin.of(SINK.connection());
            WriteStop.Gate stop = WriteStop.armForLoads();
            load(List.of(List.of(cell("k1", WORD, "new", 100))));
            assertThat(stop.isReached()).isTrue();
            stop.open();
            assertThat(there.visible()).isEmpty();

            admin.disable(name, INDEX);
            awaitSame(here, there);
            admin.build(name, INDEX);

            assertThat(there.rows("new")).containsExactly("k1");
            assertExact(SINK, there);
        }
    }
}
