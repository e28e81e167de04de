package io.leeway.pipelining.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.pipelining.PipeliningOptions;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PekkoPipelineTest {

    static ActorSystem system;

    @BeforeAll
    static void start() {
        system = ActorSystem.create("pipelining");
    }

    @AfterAll
    static void stop() throws Exception {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private volatile int rounds = 2_000;
    private final PekkoPipeline<Integer, Long> pipeline = PekkoPipeline.<Integer>of(
                    "numbers", PipeliningOptions.defaults())
            .via("widen", Flow.<Integer>create().map(number -> number * 31L))
            .via("thirds", Flow.<Long>create().filter(number -> number % 3 != 0))
            .via("heavy", Flow.<Long>create().map(number -> burn(number, rounds)))
            .via("mix", Flow.<Long>create().map(number -> number ^ 0x55));

    @Test
    void keepsOrderAndContentForEveryPlacement() throws Exception {
        long expected = digest();
        for (int set = 1; set < 16; set++) {
            var ports = new java.util.TreeSet<Integer>();
            for (int flow = 1; flow <= 4; flow++) {
                if ((set >> (flow - 1) & 1) == 1) {
                    ports.add(flow);
                }
            }
            pipeline.host().place(ports);

            assertThat(digest()).as("%s", ports).isEqualTo(expected);
        }
    }

    @Test
    void seesWhichFlowIsHeavy() throws Exception {
        rounds = 1_000_000; // seconds even of compiled code: many samples
        pipeline.host().startProfile(100);
        digest();
        var profile = pipeline.host().stopProfile();

        var island = profile.threads().get(0);
        double heavy = island.ports().get(3) - island.ports().get(4);
        assertThat(heavy).isGreaterThan(island.ports().get(1) / 2);
        assertThat(pipeline.host().ports()).isEqualTo(Set.of());
    }

    private long digest() throws Exception {
        return Source.range(0, 3_000)
                .via(pipeline.flow())
                .runWith(Sink.fold(7L, (before, number) -> before * 1_000_003 + number), system)
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    private static Long burn(Long number, int rounds) {
        long value = number;
        for (int i = 0; i < rounds; i++) {
            value = value * 6364136223846793005L + 1442695040888963407L;
        }
        return value;
    }
}
