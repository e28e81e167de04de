package io.leeway.benchmarks.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class CompilersTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    void theCompilersOfThisProcessHaveTakenTime() {
        Compilers compilers = Compilers.of(ProcessHandle.current());

        assertThat(compilers.areSeen()).isTrue();
        assertThat(compilers.cpuNanos()).isPositive().isLessThan(CpuTime.own() + 1_000_000_000L);
    }
}
