package io.leeway.pipelining;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.pipelining")
                .algorithmsIn("optimise", "propagate", "control", "simulate")
                .baseFeatures("optimise", "propagate", "profile")
                .check();
    }
}
