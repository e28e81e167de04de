package io.leeway.benchmarks.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.leeway.lazytables.apps.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredRunTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void aMarkIsReadAsItIsWritten() {
        var mark = new Mark(1, -2, 3, 4, 5, 6, Long.MAX_VALUE, 7, 8, 9, 10);

        assertThat(Mark.isOne(mark.text())).isTrue();
        assertThat(Mark.parse(mark.text())).isEqualTo(mark);
        assertThat(Mark.isOne("passes 1.0: objective 2, 0.1 s")).isFalse();
    }

    @Test
    void aSpanAddsUpCpuAndAveragesWhatEachWorkerHas() {
        MeasuredRun.Span span = run().between(1, 3);

        assertThat(span.passes()).isEqualTo(2);
        assertThat(span.seconds()).isCloseTo(2.5, within(1e-9));
        // Workers 2 and 4 s, server 1 s.
        assertThat(span.cpuSeconds()).isCloseTo(7, within(1e-9));
        assertThat(span.serverCpuSeconds()).isCloseTo(1, within(1e-9));
        assertThat(span.workerCpuSeconds()).isCloseTo(3, within(1e-9));
        assertThat(span.networkCpuSeconds()).isCloseTo(1.5, within(1e-9));
        assertThat(span.serverThreadCpuSeconds()).isCloseTo(0.5, within(1e-9));
        assertThat(span.compilerCpuSeconds()).isCloseTo(0.75, within(1e-9));
        assertThat(span.bytesOut()).isCloseTo(300, within(1e-9));
        assertThat(span.bytesIn()).isCloseTo(30, within(1e-9));
        assertThat(span.waitSeconds()).isCloseTo(0.75, within(1e-9));
    }

    /** Of workers that look at what they used more seldom than they measure. */
    @Test
    void aSpanEndsWhereWorkersLookedAtWhatTheyUsed() {
        List<String> lines = lines(1, 0);
        // At the second pass it says again what it had used at the first.
        lines.set(3, lines.get(2));
        MeasuredRun run = MeasuredRun.of(List.of(lines));

        assertThat(run.between(0, 1).cpuSeconds()).isCloseTo(1, within(1e-9));
        assertThat(run.between(1, 3).cpuSeconds()).isCloseTo(2, within(1e-9));
        assertThatThrownBy(() -> run.between(0, 2)).hasMessageContaining("pass 2");
        assertThatThrownBy(() -> run.between(2, 3)).hasMessageContaining("pass 2");
    }

    @Test
    void anObjectiveIsReachedBetweenPoints() {
        assertThat(run().passesTo(7, true)).hasValueCloseTo(1.75, within(1e-9));
        assertThat(run().passesTo(20, true)).hasValue(1);
        assertThat(run().passesTo(1, true)).isEmpty();
        assertThat(run().best(true)).isEqualTo(3);
        assertThat(run().secondsAt(1.75)).isCloseTo(1.75 * 1.25, within(1e-9));
        assertThat(run().cpuSecondsAt(2)).isCloseTo(7, within(1e-9));
    }

    @Test
    void marksThatDoNotFitThePointsAreRefused() {
        List<String> lines = lines(1, 1);

        assertThatThrownBy(() -> MeasuredRun.of(List.of(lines, lines.subList(0, 4))))
                .hasMessageContaining("marks");
        assertThatThrownBy(() -> MeasuredRun.of(List.of(List.of("nothing")))).hasMessageContaining("marks");
    }

    @Test
    void theTargetIsWithinReachOfAllThatWait() {
        var runs = new LinkedHashMap<Setting, MeasuredRun>();
        runs.put(Setting.of("BSP", 1, "1", "0", 3), withValues(9, 5, 3));
        runs.put(Setting.of("SSP", 1, "1", "1", 3), withValues(9, 6, 4));
        runs.put(Setting.of("asynchronous", 1, "1", "async", 3), withValues(9, 9, 9));
        runs.put(Setting.of("far too stale", 1, "4", "9", 3), MeasuredRun.failed("mf diverged"));

        assertThat(StalenessFigures.target(Workload.MF, runs)).isEqualTo(4);
        runs.remove(Setting.of("SSP", 1, "1", "1", 3));
        assertThat(StalenessFigures.target(Workload.MF, runs)).isCloseTo(9 - 0.95 * 6, within(1e-9));
    }

    private static MeasuredRun withValues(double... values) {
        List<Point> curve = List.of(new Point(1, 1, values[0]), new Point(2, 2, values[1]), new Point(3, 3, values[2]));
        return new MeasuredRun(curve, List.of(), List.of(), "");
    }

    private static MeasuredRun run() {
        return MeasuredRun.of(List.of(lines(1, 0.5), lines(2, 0)));
    }

    /** A worker that uses so much CPU in a pass of 1.25 s; only a worker that uses little sees the server. */
    private static List<String> lines(long cpu, double server) {
        var lines = new ArrayList<String>();
        lines.add("seed 1");
        for (int i = 0; i <= 3; i++) {
            lines.add(new Mark(
                            1_250_000_000L * i,
                            cpu * SECOND * i,
                            Math.round(server * SECOND * i),
                            100 * cpu * i,
                            10 * cpu * i,
                            i,
                            cpu * SECOND / 4 * i,
                            cpu * SECOND / 2 * i,
                            cpu * SECOND / 4 * i,
                            Math.round(server * SECOND / 2 * i),
                            cpu * SECOND / 8 * i)
                    .text());
        }
        double[] values = {10, 6, 3};
        for (int i = 1; i <= 3; i++) {
            lines.add(MeasuredRun.text(new Point(i, 1_250_000_000L * i, values[i - 1])));
        }
        return lines;
    }
}
