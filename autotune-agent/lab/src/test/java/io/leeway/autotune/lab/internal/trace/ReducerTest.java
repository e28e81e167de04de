package io.leeway.autotune.lab.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.autotune.lab.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReducerTest {

    /** The front waits for a steady and an unsteady service, and for a fast one beside them. */
    private static Map<String, ServiceStatistics> statistics() {
        var random = new SplittableRandom(1);
        var traces = new ArrayList<Trace>();
        for (int i = 0; i < 200; i++) {
            String id = Integer.toString(i);
            long steady = 10_000L + random.nextInt(500);
            long unsteady = (long) (4_000 * Math.exp(random.nextGaussian()));
            long middle = 2_000 + steady;
            long end = middle + unsteady + 2_000;
            traces.add(Trace.of(List.of(
                            new Span(id, "r", null, "front", "get", 0, end, false),
                            new Span(id, "a", "r", "steady", "get", 2_000, middle, false),
                            new Span(id, "b", "r", "unsteady", "get", middle, middle + unsteady, false),
                            new Span(id, "c", "r", "aside", "get", 2_100, 2_100 + random.nextInt(900), false)))
                    .orElseThrow());
        }
        return ServiceStatistics.of(traces);
    }

    @Test
    void keepsWhatEachReductionIsDefinedToKeep() {
        Map<String, ServiceStatistics> statistics = statistics();

        assertThat(Reducer.services(Reduction.CRITICAL_PATH, statistics, s -> false))
                .isEqualTo(Set.of("front", "steady", "unsteady"));
        assertThat(Reducer.services(Reduction.VARIANCE, statistics, s -> false)).isEqualTo(Set.of("unsteady", "aside"));
        assertThat(Reducer.services(Reduction.BOTTLENECK, statistics, s -> s.relevance() > 0.9))
                .isEqualTo(Set.of("unsteady"));
        assertThat(Reducer.services(Reduction.CRITICAL_PATH_VARIANCE, statistics, s -> false))
                .containsExactlyInAnyOrder("front", "steady", "unsteady");
    }

    @Test
    void neverKeepsNothing() {
        assertThat(Reducer.services(Reduction.BOTTLENECK, statistics(), s -> false))
                .hasSize(1);
    }
}
