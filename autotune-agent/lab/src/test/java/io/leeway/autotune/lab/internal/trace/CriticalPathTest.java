package io.leeway.autotune.lab.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CriticalPathTest {

    private static Span span(String id, String parent, String service, long start, long end) {
        return new Span("t", id, parent, service, "op", start, end, false);
    }

    private static Span async(String id, String parent, String service, long start, long end) {
        return new Span("t", id, parent, service, "op", start, end, true);
    }

    private static Trace trace(Span... spans) {
        return Trace.of(List.of(spans)).orElseThrow();
    }

    private static Map<String, Long> path(Span... spans) {
        return CriticalPath.byService(trace(spans));
    }

    @Test
    void callsOneAfterTheOtherAreAllOnThePath() {
        assertThat(path(span("r", null, "front", 0, 100), span("a", "r", "a", 10, 40), span("b", "r", "b", 50, 90)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("front", 30L, "a", 30L, "b", 40L));
    }

    @Test
    void ofCallsAtTheSameTimeTheOneThatEndsLastCounts() {
        assertThat(path(span("r", null, "front", 0, 100), span("a", "r", "a", 10, 60), span("b", "r", "b", 10, 90)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("front", 20L, "b", 80L));
    }

    @Test
    void aShorterCallBeforeCountsForThePartBeforeTheLongerOne() {
        assertThat(path(span("r", null, "front", 0, 100), span("a", "r", "a", 10, 60), span("b", "r", "b", 40, 90)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("front", 20L, "a", 30L, "b", 50L));
    }

    @Test
    void nestedCallsTakeFromTheirCaller() {
        assertThat(path(span("r", null, "front", 0, 100), span("a", "r", "a", 10, 90), span("b", "a", "b", 30, 80)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("front", 20L, "a", 30L, "b", 50L));
    }

    @Test
    void whatIsAsynchronousAndOutlivesItsCallerIsNotWaitedFor() {
        assertThat(path(
                        span("r", null, "front", 0, 100),
                        async("m", "r", "mail", 50, 400),
                        span("a", "r", "a", 20, 60)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("front", 60L, "a", 40L));
    }

    @Test
    void aCallWithinTheSameServiceThatOutlivesItsCallerIsClipped() {
        assertThat(path(span("r", null, "front", 0, 100), span("a", "r", "front", 80, 130)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("front", 100L));
    }

    @Test
    void aClockThatRunsAheadIsMovedSoThatTheCallLiesWithinItsCaller() {
        Trace trace = trace(
                span("r", null, "front", 1_000, 1_100),
                span("a", "r", "a", 5_000, 5_060),
                span("b", "a", "b", 5_010, 5_040));

        assertThat(CriticalPath.byService(trace))
                .containsExactlyInAnyOrderEntriesOf(Map.of("front", 40L, "a", 30L, "b", 30L));
        assertThat(trace.mended()).anyMatch(text -> text.contains("clock of a"));
    }

    @Test
    void aMissingCallerIsReplacedByTheSmallestSpanAround() {
        Trace trace =
                trace(span("r", null, "front", 0, 100), span("a", "r", "a", 10, 90), span("c", "lost", "c", 30, 50));

        assertThat(trace.isTree()).isTrue();
        assertThat(CriticalPath.byService(trace))
                .containsExactlyInAnyOrderEntriesOf(Map.of("front", 20L, "a", 60L, "c", 20L));
    }

    @Test
    void aCycleIsCutAndTwoRootsBecomeOne() {
        Trace cyclic = trace(span("a", "b", "a", 0, 100), span("b", "a", "b", 10, 50));
        Trace two = trace(span("r", null, "front", 0, 100), span("s", null, "other", 10, 20));

        assertThat(cyclic.isTree()).isTrue();
        assertThat(cyclic.mended()).anyMatch(text -> text.contains("cycle"));
        assertThat(two.isTree()).isTrue();
        assertThat(Trace.of(List.of())).isEmpty();
    }

    @Test
    void thePathFillsAnyRequestWithoutGapAndOverlap() {
        var random = Seeds.random("paths");
        for (int k = 0; k < Depth.of(300, 100_000); k++) {
            var spans = new ArrayList<Span>();
            spans.add(span("0", null, "s0", 0, 1_000));
            for (int i = 1; i < 12; i++) {
                long start = random.nextInt(1_200) - 100L;
                // Any parent, also a later one, one that does not exist, and cycles.
                spans.add(new Span(
                        "t",
                        Integer.toString(i),
                        Integer.toString(random.nextInt(14)),
                        "s" + random.nextInt(5),
                        "op",
                        start,
                        start + random.nextInt(800),
                        random.nextInt(6) == 0));
            }
            Trace trace = Trace.of(spans).orElseThrow();
            List<CriticalPath.Segment> path = CriticalPath.of(trace);

            assertThat(trace.isTree()).isTrue();
            long at = 0;
            for (CriticalPath.Segment segment : path) {
                assertThat(segment.start()).isEqualTo(at);
                at = segment.end();
            }
            assertThat(at).isEqualTo(trace.micros());
        }
    }
}
