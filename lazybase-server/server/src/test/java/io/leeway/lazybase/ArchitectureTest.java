package io.leeway.lazybase;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void keepsToTheHouseRules() {
        ArchitectureRules.of("io.leeway.lazybase")
                .algorithmsIn("model", "column", "merge", "query")
                .baseFeatures("model", "column")
                .allowingConsoleIn("io.leeway.lazybase.internal.cli..", "io.leeway.lazybase")
                .check();
    }
}
