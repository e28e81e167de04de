package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.INDEX;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is wrong is found, all of it, and nothing else; and a repair puts it right. */
class VerificationTest {

    private static final long LONG_AGO = 1_000;
    private static final long PAUSE_NANOS = 500_000;

    private final HBaseCluster cluster = TestClusters.light(2);
    private final HindexAdmin indexes = HindexAdmin.of(cluster.connection());
    private IndexedWords words;

    @BeforeEach
    void createTable() throws IOException {
        words = IndexedWords.create(cluster, "mode=deferred");
    }

    @AfterEach
    void dropTable() {
        words.close();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrongIsCountedExactly(VerifyMethod method) throws IOException {
        damage();

        VerifyReport report = verify(method);

        assertThat(report.missing()).isEqualTo(3);
        assertThat(report.stale()).isEqualTo(4);
        assertThat(report.deleted()).isEqualTo(2);
        assertThat(report.dangling()).isEqualTo(5);
        assertThat(report.rows()).isEqualTo(18);
        assertThat(report.isSound()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void anIndexThatIsRightHasNoFindings(VerifyMethod method) throws IOException {
        for (int i = 0; i < 700; i++) {
            words.put("r" + i, "w" + i % 7);
        }

        VerifyReport report = verify(method);

        assertThat(report.isExact()).isTrue();
        assertThat(report.rows()).isEqualTo(700);
        assertThat(report.entries()).isEqualTo(700);
    }

    /** No query finds them, and nothing else tells. */
    @ParameterizedTest
    @EnumSource
    void valuesThatAreNotOfTheTypeAreCountedAndShown(VerifyMethod method) throws IOException {
        try (IndexedNumbers numbers =
                IndexedNumbers.create(cluster, Map.of("by_n", "columns=f:n:long; mode=deferred"))) {
            List<byte[]> values = List.of(new byte[8], bytes("abc"), new byte[5]);
            try (Table table = cluster.connection().getTable(numbers.name())) {
                for (byte[] value : values) {
                    table.put(new Put(bytes("r" + value.length))
                            .addColumn(IndexedNumbers.FAMILY, IndexedNumbers.NUMBER, value));
                }
            }

            VerifyReport report = indexes.verify(numbers.name(), "by_n", method, Long.MAX_VALUE);

            assertThat(report.rows()).isEqualTo(1);
            assertThat(report.entries()).isEqualTo(1);
            assertThat(report.malformed()).isEqualTo(2);
        }
    }

    /** Else scans that a strict index answers would miss the row. */
    @Test
    void aStrictIndexIsNotBuiltOverThem() throws IOException {
        words.table().put(new Put(bytes("r1")).addColumn(IndexedWords.FAMILY, IndexedWords.OTHER, bytes("abc")));
        IndexDefinition strict = IndexDefinition.parse("by_other", "columns=f:other:long; strict=true");

        assertThatThrownBy(() -> {
                    indexes.create(words.name(), strict);
                    indexes.build(words.name(), "by_other");
                })
                .hasMessageContaining("row r1 has a value that is not what index by_other wants");
        assertThat(indexes.get(words.name(), "by_other").definition().state()).isEqualTo(IndexState.BUILDING);

        words.put("r1", "apple");
        words.table().put(new Put(bytes("r1")).addColumn(IndexedWords.FAMILY, IndexedWords.OTHER, new byte[8]));
        assertThat(indexes.build(words.name(), "by_other")).isTrue();
    }

    @Test
    void aRepairPutsRightWhatCompactionsDoNot() throws IOException {
        damage();

        VerifyReport repaired = indexes.repair(words.name(), INDEX);
        assertThat(repaired.missing()).isEqualTo(3);
        assertThat(repaired.dangling()).isEqualTo(5);
        VerifyReport after = verify(VerifyMethod.MERGE);

        assertThat(after.missing()).isZero();
        assertThat(after.dangling()).isZero();
        assertThat(words.allFound()).containsExactlyInAnyOrderElementsOf(words.visible());
        words.flushAndCompact();
        assertThat(verify(VerifyMethod.HASH).isExact()).isTrue();
        assertThat(words.entriesWithTime()).containsExactlyInAnyOrderElementsOf(words.visible());
    }

    @ParameterizedTest
    @EnumSource
    void writesInBetweenAreNoFaults(VerifyMethod method) throws Exception {
        for (int i = 0; i < 500; i++) {
            words.put("r" + i, "w" + i % 7);
        }
        // Faults in rows that nobody writes, which are to be told from what the writes look like.
        words.put("s0", "w0", LONG_AGO);
        remove(entry("s0", "w0"));
        add(entry("s1", "never"));
        var ended = new AtomicBoolean();
        ExecutorService clients = Executors.newFixedThreadPool(2);
        try {
            var running = new ArrayList<Future<?>>();
            for (int client = 0; client < 2; client++) {
                int number = client;
                running.add(clients.submit(() -> {
                    for (int i = number; !ended.get(); i += 2) {
                        if (i % 5 == 0) {
                            words.delete("r" + i % 500);
                        } else {
                            words.put("r" + i % 500, "x" + i % 11);
                        }
                        // Without a pause rows get more versions than a verification can follow, which looks at each.
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                    return null;
                }));
            }
            for (int round = 0; round < 3; round++) {
                words.flush();
                VerifyReport now = verify(method);
                VerifyReport all = indexes.verify(words.name(), INDEX, method, Long.MAX_VALUE);
                words.compact(true);
                assertThat(List.of(now.missing(), all.missing())).containsExactly(1L, 1L);
                assertThat(List.of(now.dangling(), all.dangling())).containsExactly(1L, 1L);
            }
            ended.set(true);
            for (Future<?> client : running) {
                client.get(1, TimeUnit.MINUTES);
            }
        } finally {
            ended.set(true);
            clients.shutdown();
        }
        indexes.repair(words.name(), INDEX);
        words.flushAndCompact();
        assertThat(verify(method).isExact()).isTrue();
    }

    @Test
    void findingsAreToldByRegion() throws Exception {
        words.put("a", "apple");
        words.put("z", "pear");
        words.flush();
        try (Admin admin = cluster.connection().getAdmin()) {
            admin.splitRegionAsync(admin.getRegions(words.name()).get(0).getRegionName(), bytes("m"))
                    .get(1, TimeUnit.MINUTES);
        }
        remove(words.index()
                .entries(bytes("z"), bytes("pear"), timestamp("pear/z"))
                .get(0));

        VerifyReport report = verify(VerifyMethod.HASH);

        assertThat(report.regions()).extracting(VerifyReport.Region::start).containsExactly("", "m");
        assertThat(report.regions()).extracting(VerifyReport.Region::missing).containsExactly(0L, 1L);
        assertThat(report.regions()).extracting(VerifyReport.Region::entries).containsExactly(1L, 0L);
    }

    /** 3 missing, 2 superseded, 2 deleted, 5 dangling; 18 rows are left. */
    private void damage() throws IOException {
        for (int i = 0; i < 20; i++) {
            words.put("r" + i, "w" + i % 3, LONG_AGO);
        }
        for (int i = 0; i < 3; i++) {
            remove(entry("r" + i, "w" + i % 3));
        }
        words.put("r5", "new");
        words.put("r6", "new");
        words.delete("r7");
        words.delete("r8");
        for (int i = 10; i < 15; i++) {
            add(entry("r" + i, "never"));
        }
    }

    private VerifyReport verify(VerifyMethod method) throws IOException {
        return indexes.verify(words.name(), INDEX, method);
    }

    private long timestamp(String place) throws IOException {
        return words.entriesWithTime().stream()
                .filter(entry -> entry.startsWith(place + "@"))
                .mapToLong(entry -> Long.parseLong(entry.substring(entry.indexOf('@') + 1)))
                .findAny()
                .orElseThrow();
    }

    private Entry entry(String row, String word) {
        return words.index().entries(bytes(row), bytes(word), LONG_AGO).get(0);
    }

    private void remove(Entry entry) throws IOException {
        try (Table entries = cluster.connection().getTable(words.indexTable())) {
            entries.delete(new Delete(entry.key()).addColumn(entryFamily(), entry.qualifier(), entry.timestamp()));
        }
    }

    private void add(Entry entry) throws IOException {
        try (Table entries = cluster.connection().getTable(words.indexTable())) {
            entries.put(
                    new Put(entry.key()).addColumn(entryFamily(), entry.qualifier(), entry.timestamp(), new byte[0]));
        }
    }

    private static byte[] entryFamily() {
        return IndexPlan.entryFamily();
    }
}
