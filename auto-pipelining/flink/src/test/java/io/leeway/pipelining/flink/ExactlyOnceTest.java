package io.leeway.pipelining.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.pipelining.flink.ChainJob.Setting;
import io.leeway.pipelining.flink.ChainJob.Shape;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports come and go at random while jobs run, fail and restore: every result is the one of a run without ports. */
class ExactlyOnceTest {

    @TempDir
    static Path checkpoints;

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

    @Test
    void keepsResultsOfAllShapesWithFailuresOnBothBackends() throws Exception {
        var random = Seeds.random("exactly once");
        for (int round = 0; round < Depth.of(1, 10); round++) {
            for (Setting setting : settings()) {
                Map<String, Long> expected = run(setting, 0);
                FlinkCluster.Chaos chaos = new FlinkCluster.Chaos(random.nextLong(), random.nextBoolean() ? 2 : 64);
                Map<String, Long> found;
                try (chaos) {
                    found = run(setting, 2);
                }

                assertThat(found).as("%s", setting).isEqualTo(expected);
                assertThat(ChainJob.VIOLATIONS)
                        .as("two threads in one operator, %s", setting)
                        .hasValue(0);
                assertThat(chaos.inserted)
                        .as("ports that were put in, %s", setting)
                        .hasPositiveValue();
            }
        }
    }

    private static List<Setting> settings() {
        var settings = new ArrayList<Setting>();
        boolean flip = false;
        for (Shape shape : Shape.values()) {
            int ways = Depth.of(1, 2);
            for (int way = 0; way < ways; way++) {
                flip = !flip;
                boolean isReusing = ways == 1 ? !flip : way == 1;
                settings.add(new Setting(shape, isReusing, flip, false, Depth.of(4_000, 60_000), 50));
            }
        }
        settings.add(new Setting(Shape.SOURCE_CHAIN, true, false, true, Depth.of(4_000, 60_000), 50));
        settings.add(new Setting(Shape.NETWORK_CHAIN, false, true, true, Depth.of(4_000, 60_000), 50));
        return settings;
    }

    static Map<String, Long> run(Setting setting, int failures) throws Exception {
        ChainJob.RESULTS.clear();
        ChainJob.SEEN.set(0);
        ChainJob.FAILURES_LEFT.set(failures);
        var env = StreamExecutionEnvironment.getExecutionEnvironment(ChainJob.configuration(setting, checkpoints));
        ChainJob.build(env, setting);
        flink.cluster.executeJobBlocking(env.getStreamGraph().getJobGraph());
        return new TreeMap<>(ChainJob.RESULTS);
    }
}
