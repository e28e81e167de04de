package io.leeway.autotune.lab;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.autotune.lab")
                .algorithmsIn("search", "forest", "trace", "detect", "report")
                .allowingInApi("picocli..", "io.leeway.autotune")
                .allowingConsoleIn("io.leeway.autotune.lab")
                .check();
    }
}
