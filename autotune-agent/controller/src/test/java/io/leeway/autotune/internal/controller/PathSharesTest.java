package io.leeway.autotune.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.autotune.lab.internal.trace.Span;
import io.leeway.autotune.lab.internal.trace.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathSharesTest {

    private static Span span(String id, String parent, String service, long fromMillis, long toMillis) {
        return new Span(
                "t", id, parent.isEmpty() ? null : parent, service, "get", fromMillis * 1_000, toMillis * 1_000, false);
    }

    private static Trace trace(Span... spans) {
        return Trace.of(List.of(spans)).orElseThrow();
    }

    @Test
    void candidatesAreOftenAndLongEnoughOnThePath() {
        List<PathShares.Part> parts = PathShares.of(List.of(
                trace(span("1", "", "front", 0, 100), span("2", "1", "back", 10, 90), span("3", "1", "rare", 91, 99)),
                trace(span("1", "", "front", 0, 100), span("2", "1", "back", 10, 90)),
                trace(span("1", "", "front", 0, 60), span("2", "1", "back", 10, 50))));

        assertThat(parts).extracting(PathShares.Part::service).containsExactly("back", "front", "rare");
        assertThat(parts)
                .filteredOn(PathShares.Part::candidate)
                .extracting(PathShares.Part::service)
                .containsExactlyInAnyOrder("back", "front");
        assertThat(parts.get(0).variation()).isPositive();
        assertThat(parts.stream().mapToDouble(PathShares.Part::share).sum()).isBetween(0.999, 1.001);
    }

    @Test
    void ofCallsAtTheSameTimeOnlyTheOneThatEndsLastCounts() {
        List<PathShares.Part> parts = PathShares.of(List.of(trace(
                span("1", "", "front", 0, 100), span("2", "1", "short", 10, 50), span("3", "1", "long", 10, 90))));

        assertThat(parts).extracting(PathShares.Part::service).containsExactly("long", "front");
        assertThat(parts).extracting(PathShares.Part::millis).containsExactly(80.0, 20.0);
    }
}
