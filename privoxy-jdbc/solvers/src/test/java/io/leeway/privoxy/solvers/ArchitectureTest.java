package io.leeway.privoxy.solvers;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.privoxy.solvers")
                .allowingInApi("io.leeway.privoxy.spi..")
                .check();
    }
}
