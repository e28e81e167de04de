package io.leeway.autotune.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CriticalPathTest {

    private static Span span(String id, String parent, String service, long fromMillis, long toMillis) {
        return new Span("t", id, parent, service, "get", fromMillis * 1_000, (toMillis - fromMillis) * 1_000, false);
    }

    @Test
    void callsOneAfterTheOtherAllCount() {
        assertThat(CriticalPath.of(List.of(
                        span("1", "", "front", 0, 100),
                        span("2", "1", "users", 10, 30),
                        span("3", "1", "orders", 40, 90))))
                .containsEntry("front", 30_000L)
                .containsEntry("users", 20_000L)
                .containsEntry("orders", 50_000L);
    }

    @Test
    void ofCallsAtTheSameTimeOnlyTheOneThatEndsLastCounts() {
        assertThat(CriticalPath.of(List.of(
                        span("1", "", "front", 0, 100),
                        span("2", "1", "short", 10, 50),
                        span("3", "1", "long", 10, 90))))
                .doesNotContainKey("short")
                .containsEntry("long", 80_000L)
                .containsEntry("front", 20_000L);
    }

    @Test
    void callThatGoesOnAfterItsCallerIsCutToIt() {
        assertThat(CriticalPath.of(List.of(span("1", "", "front", 0, 50), span("2", "1", "mail", 40, 500))))
                .containsEntry("front", 40_000L)
                .containsEntry("mail", 10_000L);
    }

    @Test
    void clocksThatDifferMakeNoTimeFromNothing() {
        assertThat(
                        CriticalPath.of(List.of(span("1", "", "front", 100, 150), span("2", "1", "early", 20, 120)))
                                .values()
                                .stream()
                                .mapToLong(Long::longValue)
                                .sum())
                .isEqualTo(50_000L);
    }

    @Test
    void spanWhoseParentIsMissingBelongsToTheShortestAroundIt() {
        assertThat(CriticalPath.of(List.of(
                        span("1", "", "front", 0, 100),
                        span("2", "lost", "middle", 10, 90),
                        span("3", "gone", "back", 20, 80))))
                .containsEntry("front", 20_000L)
                .containsEntry("middle", 20_000L)
                .containsEntry("back", 60_000L);
    }

    @Test
    void twoSidesOfACallWithOneIdAreNested() {
        assertThat(CriticalPath.of(List.of(span("1", "", "front", 0, 100), span("1", "", "back", 10, 90))))
                .containsEntry("front", 20_000L)
                .containsEntry("back", 80_000L);
    }

    @Test
    void candidatesAreOftenAndLongEnoughOnThePath() {
        List<CriticalPath.Part> parts = CriticalPath.over(List.of(
                List.of(span("1", "", "front", 0, 100), span("2", "1", "back", 10, 90), span("3", "1", "rare", 91, 99)),
                List.of(span("1", "", "front", 0, 100), span("2", "1", "back", 10, 90)),
                List.of(span("1", "", "front", 0, 60), span("2", "1", "back", 10, 50))));

        assertThat(parts).extracting(CriticalPath.Part::service).containsExactly("back", "front", "rare");
        assertThat(parts)
                .filteredOn(CriticalPath.Part::candidate)
                .extracting(CriticalPath.Part::service)
                .containsExactlyInAnyOrder("back", "front");
        assertThat(parts.get(0).variation()).isPositive();
        assertThat(parts.stream().mapToDouble(CriticalPath.Part::share).sum()).isBetween(0.999, 1.001);
    }
}
