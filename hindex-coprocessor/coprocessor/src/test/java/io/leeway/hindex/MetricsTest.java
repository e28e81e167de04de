package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;

/** What an index costs is counted, where HBase shows what it counts. */
class MetricsTest {

    @Test
    void aWriteInModeDeferredReadsNothing() throws IOException {
        try (var words = IndexedWords.create(TestClusters.light(), "mode=deferred")) {
            long reads = count(words, Metrics.Count.BASE_READS);
            long puts = count(words, Metrics.Count.PUTS);
            long removals = count(words, Metrics.Count.REMOVALS);

            words.put("r1", "apple");
            words.put("r1", "pear");
            words.put("r2", "pear");
            words.delete("r2");

            assertThat(count(words, Metrics.Count.BASE_READS) - reads).isZero();
            assertThat(count(words, Metrics.Count.PUTS) - puts).isEqualTo(3);
            assertThat(count(words, Metrics.Count.REMOVALS) - removals).isZero();
            words.flushAndCompact();
            assertThat(count(words, Metrics.Count.REMOVALS) - removals).isEqualTo(2);
            assertThat(count(words, Metrics.Count.REPAIR_QUEUE)).isZero();
        }
    }

    @Test
    void aWriteInModeSyncReadsAndRemoves() throws IOException {
        try (var words = IndexedWords.create(TestClusters.light(), "mode=sync")) {
            words.put("r1", "apple");
            long reads = count(words, Metrics.Count.BASE_READS);
            long removals = count(words, Metrics.Count.REMOVALS);

            words.put("r1", "pear");

            assertThat(count(words, Metrics.Count.BASE_READS) - reads).isEqualTo(1);
            assertThat(count(words, Metrics.Count.REMOVALS) - removals).isEqualTo(1);
        }
    }

    @Test
    void buildsAndChecksAreCounted() throws IOException {
        HindexAdmin indexes = HindexAdmin.of(TestClusters.light().connection());
        try (var words = IndexedWords.create(TestClusters.light(), "mode=deferred")) {
            words.put("r1", "apple");
            words.put("r1", "pear");
            long checks = count(words, Metrics.Count.CHECKS);

            assertThat(indexes.verify(words.name(), IndexedWords.INDEX).stale()).isEqualTo(1);

            assertThat(count(words, Metrics.Count.CHECKS) - checks).isEqualTo(1);
        }
    }

    @Test
    void aQueryCountsTheRowsItChecksAndWhatTheyBearOut() throws IOException {
        try (var words = IndexedWords.create(TestClusters.light(), "mode=deferred")) {
            words.put("r1", "apple");
            words.put("r1", "pear");
            words.put("r2", "pear");
            Map<Metrics.Count, Long> before = counts(words);

            assertThat(words.rows("pear")).containsExactly("r1", "r2");

            assertThat(since(before, words)).isEqualTo(read(1, 2, 2, 0));
            assertThat(words.rows("apple")).isEmpty();
            assertThat(since(before, words)).isEqualTo(read(2, 2, 3, 1));
            words.flushAndCompact();
            assertThat(words.rows("apple")).isEmpty();
            assertThat(since(before, words)).isEqualTo(read(3, 2, 3, 1));
        }
    }

    @Test
    void aCallThatFailsIsCounted() throws IOException {
        try (var words = IndexedWords.create(TestClusters.light(), "mode=deferred")) {
            words.put("r1", "pear");
            IndexedTable indexed =
                    IndexedTable.open(TestClusters.light().connection(), words.name(), IndexedWords.INDEX);
            Map<Metrics.Count, Long> before = counts(words);
            try (var admin = TestClusters.light().connection().getAdmin()) {
                // The definition is another than that which the client opened.
                admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words.name()))
                        .setValue(
                                IndexDefinition.ATTRIBUTE_PREFIX + IndexedWords.INDEX,
                                "columns=f:word:utf8; state=active; mode=sync")
                        .build());
            }

            indexed.readValue(IndexedWords.bytes("pear"));

            assertThat(since(before, words)).containsEntry(Metrics.Count.READ_FAILURES, 1L);
        }
    }

    @Test
    void scansThatTheIndexAnswersAreCountedAndThoseThatItCouldNot() throws IOException {
        try (var words = IndexedWords.create(
                TestClusters.light(),
                "mode=deferred",
                family -> family,
                // Else scans are not rewritten for a while where the machine is busy.
                table -> table.setValue("hindex.scan.max-entries", "2").setValue("hindex.read.timeout", "1m"))) {
            for (int i = 0; i < 3; i++) {
                words.put("r" + i, "pear");
            }
            words.put("r3", "apple");
            long rewritten = count(words, Metrics.Count.SCANS_REWRITTEN);
            long declined = count(words, Metrics.Count.SCANS_DECLINED);

            assertThat(words.scanned("apple")).containsExactly("r3");
            assertThat(words.newest("apple")).containsExactly("r3");

            assertThat(count(words, Metrics.Count.SCANS_REWRITTEN) - rewritten).isEqualTo(1);
            assertThat(count(words, Metrics.Count.SCANS_DECLINED) - declined).isZero();
            assertThat(words.scanned("pear")).hasSize(3);
            assertThat(count(words, Metrics.Count.SCANS_REWRITTEN) - rewritten).isEqualTo(1);
            assertThat(count(words, Metrics.Count.SCANS_DECLINED) - declined).isEqualTo(1);
        }
    }

    @Test
    void entriesThatWaitAreCountedUntilTheyAreWritten() throws Exception {
        try (var words = IndexedWords.create(TestClusters.light(), "mode=async")) {
            words.put("r1", "apple");
            words.awaitEntries();
            long waiting = count(words, Metrics.Count.ASYNC_QUEUE);
            try (var admin = TestClusters.light().connection().getAdmin()) {
                admin.disableTable(words.indexTable());
                words.put("r2", "pear");
                assertThat(count(words, Metrics.Count.ASYNC_QUEUE) - waiting).isEqualTo(1);
                admin.enableTable(words.indexTable());
            }
            words.awaitEntries();

            assertThat(count(words, Metrics.Count.ASYNC_QUEUE) - waiting).isZero();
            assertThat(words.rows("pear")).containsExactly("r2");
        }
    }

    @Test
    void jmxShowsTheCounters() throws IOException, JMException {
        try (var words = IndexedWords.create(TestClusters.light(), "mode=deferred")) {
            words.put("r1", "apple");

            await().atMost(Duration.ofMinutes(1))
                    // HBase takes its beans away from time to time, and makes them anew.
                    .ignoreException(InstanceNotFoundException.class)
                    .untilAsserted(() -> assertThat(attributes())
                            .contains(
                                    "Coprocessor.Region.CP_io.leeway.hindex.HindexObserver Hindex.puts",
                                    "Coprocessor.Region.CP_io.leeway.hindex.HindexEndpoint Hindex.reads.calls")
                            .doesNotContain(
                                    "Coprocessor.Region.CP_io.leeway.hindex.HindexObserver Hindex.reads.calls",
                                    "Coprocessor.Region.CP_io.leeway.hindex.HindexEndpoint Hindex.puts"));
        }
    }

    /** All that HBase shows about coprocessors; clusters in one JVM have numbers behind their names. */
    private static Set<String> attributes() throws JMException {
        var beans = ManagementFactory.getPlatformMBeanServer();
        var attributes = new TreeSet<String>();
        for (ObjectName name : beans.queryNames(new ObjectName("Hadoop:service=HBase,*"), null)) {
            String sub = String.valueOf(name.getKeyProperty("sub")).replaceAll("-[0-9]+$", "");
            for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
                if (sub.startsWith("Coprocessor")) {
                    attributes.add(sub + " " + attribute.getName());
                }
            }
            attributes.add(sub);
        }
        return attributes;
    }

    private static Map<Metrics.Count, Long> read(long calls, long hits, long rows, long stale) {
        return nonZero(Map.of(
                Metrics.Count.READ_CALLS, calls,
                Metrics.Count.READ_HITS, hits,
                Metrics.Count.READ_ROWS, rows,
                Metrics.Count.READ_STALE, stale));
    }

    private static Map<Metrics.Count, Long> nonZero(Map<Metrics.Count, Long> counts) {
        Map<Metrics.Count, Long> some = new EnumMap<>(counts);
        some.values().removeIf(number -> number == 0);
        return some;
    }

    /** What was counted in regions of indexes, but for what was not counted at all. */
    private static Map<Metrics.Count, Long> since(Map<Metrics.Count, Long> before, IndexedWords words) {
        Map<Metrics.Count, Long> more = counts(words);
        more.replaceAll((count, now) -> now - before.getOrDefault(count, 0L));
        return nonZero(more);
    }

    private static Map<Metrics.Count, Long> counts(IndexedWords words) {
        Map<Metrics.Count, Long> counts = new EnumMap<>(Metrics.Count.class);
        for (Metrics.Count count : Metrics.Count.values()) {
            if (count.side() == Metrics.Side.INDEX) {
                counts.put(count, count(words, count));
            }
        }
        return counts;
    }

    static long count(IndexedWords words, Metrics.Count count) {
        boolean ofTable = count.side() == Metrics.Side.TABLE;
        HRegion region = TestClusters.light()
                .regions(ofTable ? words.name() : words.indexTable())
                .get(0);
        var environment = region.getCoprocessorHost()
                .findCoprocessorEnvironment((ofTable ? HindexObserver.class : HindexEndpoint.class).getName());
        MetricRegistry registry = environment.getMetricRegistryForRegionServer();
        return registry.counter(count.key()).getCount();
    }
}
