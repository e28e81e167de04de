package io.leeway.eppi.node;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.eppi")
                .algorithmsIn("policy", "share", "mpc", "construct", "publish", "index", "attack", "simulate", "report")
                .allowingConsoleIn("io.leeway.eppi.internal.cli..")
                .check();
    }
}
