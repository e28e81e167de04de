package io.leeway.eppi;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.eppi")
                .algorithmsIn("policy", "share", "mpc", "construct", "publish", "index", "attack", "simulate")
                .check();
    }
}
