package io.leeway.privoxy;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.privoxy")
                .algorithmsIn("model", "sql", "decide", "normalize", "cache")
                .baseFeatures("model")
                .allowingInApi("io.micrometer..", "jakarta.servlet..")
                .allowingConsoleIn("io.leeway.privoxy", "io.leeway.privoxy.internal.cli..")
                .check();
    }
}
