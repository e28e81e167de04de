package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
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
    void jmxShowsTheCounters() throws IOException, JMException {
        try (var words = IndexedWords.create(TestClusters.light(), "mode=deferred")) {
            words.put("r1", "apple");

            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(attributes())
                            .contains("Coprocessor.Region.CP_io.leeway.hindex.HindexObserver Hindex.puts"));
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

    private static long count(IndexedWords words, Metrics.Count count) {
        var environment =
                words.regions().get(0).getCoprocessorHost().findCoprocessorEnvironment(HindexObserver.class.getName());
        MetricRegistry registry = environment.getMetricRegistryForRegionServer();
        return registry.counter(count.key()).getCount();
    }
}
