package io.leeway.pipelining.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.flink.ChainJob.Setting;
import io.leeway.pipelining.flink.ChainJob.Shape;
import io.leeway.pipelining.flink.internal.agent.Cuts;
import io.leeway.testkit.Depth;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chains cut over a savepoint, of a job that has named none of its operators' identities. */
class CutTest {

    private static final Setting SETTING =
            new Setting(Shape.SOURCE_CHAIN, false, false, false, Depth.of(6_000, 60_000), 20);

    @TempDir
    static Path directory;

    static FlinkCluster flink;

    @BeforeAll
    static void start() throws Exception {
        FlinkCluster.install();
        flink = FlinkCluster.start();
    }

    @AfterAll
    static void stop() throws Exception {
        flink.close();
    }

    @AfterEach
    void cutNothing() {
        cut("no operator of this name");
    }

    @Test
    void restoresFromTheSavepointOfTheUncutJob() throws Exception {
        ChainJob.RESULTS.clear();
        ChainJob.FAILURES_LEFT.set(0);
        flink.cluster.executeJobBlocking(job());
        Map<String, Long> expected = new TreeMap<>(ChainJob.RESULTS);
        JobGraph whole = job();
        ChainJob.SEEN.set(0);
        flink.cluster.submitJob(whole).get();
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (ChainJob.SEEN.get() < SETTING.records() / 2 && System.nanoTime() < limit) {
            LockSupport.parkNanos(1_000_000);
        }
        String savepoint = flink.cluster
                .stopWithSavepoint(whole.getJobID(), directory.toUri().toString(), false, SavepointFormatType.CANONICAL)
                .get();

        cut("sums; digest");
        JobGraph inParts = job();
        inParts.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint, false));
        flink.cluster.executeJobBlocking(inParts);

        assertThat(inParts.getNumberOfVertices()).isEqualTo(whole.getNumberOfVertices() + 2);
        assertThat(new TreeMap<>(ChainJob.RESULTS)).isEqualTo(expected);
    }

    private static void cut(String names) {
        Cuts.configure(PipeliningOptions.of(Map.of("pipelining.flink.cut", names)));
    }

    private static JobGraph job() throws ReflectiveOperationException {
        var env = StreamExecutionEnvironment.getExecutionEnvironment(ChainJob.configuration(SETTING, directory));
        ChainJob.build(env, SETTING);
        var graph = env.getStreamGraph();
        // The names that the job gives, taken back: what is left are the identities that Flink computes.
        Field uid = StreamNode.class.getDeclaredField("transformationUID");
        uid.setAccessible(true);
        for (StreamNode node : graph.getStreamNodes()) {
            uid.set(node, null);
        }
        return graph.getJobGraph();
    }
}
