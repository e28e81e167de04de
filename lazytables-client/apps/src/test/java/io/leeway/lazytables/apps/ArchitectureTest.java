package io.leeway.lazytables.apps;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.lazytables.apps")
                .allowingInApi("io.leeway.lazytables..")
                .allowingConsoleIn("io.leeway.lazytables.apps")
                .check();
    }
}
