package io.leeway.benchmarks.privoxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

class StatementBenchmarkTest {

    @Test
    void everyBenchmarkRuns() throws Exception {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(StatementBenchmark.class.getName())
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(50))
                        .shouldFailOnError(true)
                        .build())
                .run();

        List<String> names = results.stream()
                .map(result -> result.getParams().getBenchmark())
                .map(name -> name.substring(name.lastIndexOf('.') + 1))
                .sorted()
                .toList();
        assertThat(names)
                .containsExactly(
                        "rawByKey", "rawThousandRows", "wrappedByKey", "wrappedRefusal", "wrappedThousandRows");
        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result.getPrimaryResult().getScore()).isPositive());
    }
}
