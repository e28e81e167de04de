package io.leeway.hindex;

import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.hindex")
                .algorithmsIn("encode", "collect", "clock")
                .allowingInApi("org.apache.hadoop..", "com.google.protobuf..")
                .allowingConsoleIn("io.leeway.hindex.internal.cli..")
                .check();
    }
}
