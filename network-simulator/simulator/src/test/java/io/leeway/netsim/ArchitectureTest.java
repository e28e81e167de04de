package io.leeway.netsim;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.netsim")
                .algorithmsIn("sim", "net", "transport", "workload", "training")
                .baseFeatures("sim")
                .allowingConsoleIn("io.leeway.netsim")
                .check();
    }
}
