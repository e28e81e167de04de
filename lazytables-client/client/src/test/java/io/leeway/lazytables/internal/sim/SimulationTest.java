package io.leeway.lazytables.internal.sim;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Random programs over clients, servers and a network that delays and breaks: no read breaks a promise. */
class SimulationTest {

    private static final int RUNS = Depth.of(200, 20_000);

    @Test
    void everyReadKeepsEveryPromise() {
        long first = Seeds.seed("simulation");
        for (int i = 0; i < RUNS; i++) {
            Simulation.run(first + i);
        }
    }
}
