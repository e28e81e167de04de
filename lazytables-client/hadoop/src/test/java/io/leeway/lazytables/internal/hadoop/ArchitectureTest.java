package io.leeway.lazytables.internal.hadoop;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.lazytables")
                .algorithmsIn("wire", "row", "client", "server")
                .baseFeatures("config", "console", "wire")
                .allowingConsoleIn("io.leeway.lazytables.internal.cli..")
                .check();
    }
}
