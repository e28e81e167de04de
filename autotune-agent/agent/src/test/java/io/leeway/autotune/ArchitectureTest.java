package io.leeway.autotune;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.autotune")
                .algorithmsIn("learn", "tune", "deploy", "sim")
                .baseFeatures("json")
                .allowingConsoleIn(
                        "io.leeway.autotune", "io.leeway.autotune.internal.agent..", "io.leeway.autotune.services..")
                .check();
    }
}
