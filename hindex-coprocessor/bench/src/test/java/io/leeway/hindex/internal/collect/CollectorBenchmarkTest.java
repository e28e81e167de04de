package io.leeway.hindex.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

class CollectorBenchmarkTest {

    @Test
    void everyBenchmarkRuns() throws Exception {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(CollectorBenchmark.class.getName())
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(50))
                        .shouldFailOnError(true)
                        .build())
                .run();

        assertThat(results)
                .hasSize(6)
                .allSatisfy(result ->
                        assertThat(result.getPrimaryResult().getScore()).isPositive());
    }
}
