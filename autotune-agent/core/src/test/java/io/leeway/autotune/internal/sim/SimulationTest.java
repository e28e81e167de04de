package io.leeway.autotune.internal.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.autotune.spi.Allocation;
import io.leeway.autotune.spi.Resource;
import io.leeway.testkit.Depth;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {

    /** One core that is never short of tokens is M/M/1. */
    private static Topology oneQueue(double percentile) {
        return new Topology(
                "one queue",
                Allocation.of(1, 1_000, 1, 1),
                List.of(List.of(new Topology.Part("only", 0.01, 0, 0, 100))),
                60,
                percentile,
                1,
                0,
                List.of());
    }

    @Test
    void agreesWithTheoryOnOneQueue() {
        // Sojourn times are exponential with the rate mu - lambda = 40 a second.
        var topology = oneQueue(0.95);
        var trial = new Simulation(topology, 0, 10, 1).truth(topology.first(), Depth.of(400_000, 4_000_000), 3);

        assertThat(trial.latency()).isCloseTo(-Math.log(0.05) / 40 * 1e3, within(0.04 * 75));
        assertThat(trial.throughput()).isCloseTo(60, within(1.0));
    }

    @Test
    void aQuotaIsFeltWhenItIsUsedUpAndNotBefore() {
        var topology = Topology.mean();
        var simulation = new Simulation(topology, 0, 10, 1);
        double before = simulation
                .truth(topology.first().with("node", Resource.CPU, 1), 50_000, 1)
                .latency();
        double half = simulation
                .truth(topology.first().with("node", Resource.CPU, 0.7), 50_000, 1)
                .latency();
        double scarce = simulation
                .truth(topology.first().with("node", Resource.CPU, 0.2), 50_000, 1)
                .latency();

        assertThat(half).isLessThan(1.1 * before);
        assertThat(scarce).isGreaterThan(3 * before);
    }

    @Test
    void whatIsStarvedFailsFast() {
        var topology = Topology.mean();
        var trial = new Simulation(topology, 0, 10, 1)
                .truth(topology.first().with("mongo", Resource.MEMORY, 400), 20_000, 1);

        assertThat(trial.errorRate()).isEqualTo(1);
    }

    @Test
    void whatIsOverloadedLosesThroughput() {
        var topology = Topology.mean();
        var trial =
                new Simulation(topology, 0, 10, 1).truth(topology.first().with("node", Resource.CPU, 0.1), 20_000, 1);

        assertThat(trial.throughput()).isLessThan(0.9 * topology.rate());
    }
}
