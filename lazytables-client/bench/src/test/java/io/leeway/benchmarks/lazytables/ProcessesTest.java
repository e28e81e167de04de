package io.leeway.benchmarks.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.lazytables.apps.Point;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;

class ProcessesTest {

    private static final Processes SMALL = new Processes(7, 0.02);

    @Test
    void processesOverTablesTellWhatTheyUsed() throws Exception {
        MeasuredRun run = SMALL.overTables(Workload.LDA, Setting.of("hybrid", 2, "2", "1", 8));

        assertThat(run.failure()).isEmpty();
        assertThat(run.curve()).extracting("passes").containsExactly(2.0, 4.0, 6.0, 8.0);
        assertThat(run.marks()).hasSize(2).allSatisfy(marks -> assertThat(marks).hasSize(5));
        MeasuredRun.Span span = run.whole();
        assertThat(span.passes()).isEqualTo(8);
        assertThat(span.bytesOut()).isPositive();
        assertThat(span.bytesIn()).isPositive();
        assertThat(span.cpuSeconds()).isGreaterThan(span.serverCpuSeconds());
    }

    @Test
    void theObjectiveIsMeasuredAsOftenAsIsAskedFor() throws Exception {
        MeasuredRun run =
                SMALL.overTables(Workload.LDA, Setting.of("SSP", 2, "1", "1", 8).with("--measure-every=4"));

        List<Double> values = run.curve().stream().map(Point::value).toList();
        assertThat(values).hasSize(8);
        assertThat(values.subList(0, 4)).containsOnly(values.get(0));
        assertThat(values.subList(4, 8)).containsOnly(values.get(4)).doesNotContain(values.get(0));
    }

    /** At slack 0, four passes in a clock, and slack 3, one in each: the objective once in four passes, and what was used as often. */
    @Test
    void pacesHoldInTurnInTheSameProcesses() throws Exception {
        // So much work that all four passes show in CPU time, which is counted in steps of 10 ms.
        var processes = new Processes(7, 0.1);
        MeasuredRun run = processes.overTables(
                Workload.LDA,
                Setting.of("in turn", 2, "1", "0", 24).with("--paces=4/0,1/3", "--stretch=8", "--measure-every=4"));

        assertThat(run.failure()).isEmpty();
        assertThat(run.curve())
                .extracting("passes")
                .containsExactly(4.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 20.0, 24.0);
        List<Double> values = run.curve().stream().map(Point::value).toList();
        assertThat(values.subList(2, 6)).containsOnly(values.get(2));
        assertThat(values.subList(6, 10)).containsOnly(values.get(6));
        assertThat(new HashSet<>(values)).hasSize(6);
        for (int passes = 0; passes < 24; passes += 4) {
            MeasuredRun.Span span = run.between(passes, passes + 4);
            assertThat(span.passes()).isEqualTo(4);
            assertThat(span.cpuSeconds()).isPositive();
        }
        if (OS.LINUX.isCurrentOs()) {
            MeasuredRun.Span all = run.whole();
            assertThat(all.workerCpuSeconds()).isPositive();
            assertThat(all.networkCpuSeconds()).isPositive();
            assertThat(all.serverThreadCpuSeconds()).isPositive();
            assertThat(all.workerCpuSeconds() + all.networkCpuSeconds()).isLessThan(all.cpuSeconds());
        }
    }

    @Test
    void anAdaptiveRunTellsItsPaces() throws Exception {
        MeasuredRun run = SMALL.overTables(
                Workload.LDA, Setting.of("adaptive", 2, "1", "0", 4).with("--adaptive"));

        assertThat(run.paces()).first().asString().startsWith("from clock 0: slack 0, work per clock 1.0");
    }

    @Test
    void pacedIterationsTakeTheirTime() throws Exception {
        MeasuredRun run = SMALL.overTables(
                "paced", Setting.of("SSP", 2, "1", "1", 6).with("--iteration-millis=20", "--turn-millis=20"));

        // Each worker computes six times and is delayed three times; it cannot be faster.
        assertThat(run.whole().seconds()).isGreaterThan(0.179);
    }

    @Test
    void oneThreadReachesWhatMalletReaches() throws Exception {
        var processes = new Processes(7, 0.1);
        double ours = last(processes.inOneThread(Workload.LDA, "reference", 60, 10));
        double mallets = last(processes.inOneThread(Workload.LDA, "mallet", 60, 10));

        assertThat(ours).isCloseTo(mallets, within(0.1));
    }

    @Test
    void everyReferenceGetsOn() {
        for (Workload workload : Workload.values()) {
            Workload.SingleThread reference = workload.reference(7, SMALL.share());
            reference.run().run(1);
            double first = reference.value().getAsDouble();
            reference.run().run(3);
            double last = reference.value().getAsDouble();

            assertThat(workload.falls() ? first - last : last - first)
                    .as(workload.title())
                    .isPositive();
        }
    }

    private static double last(MeasuredRun run) {
        return run.curve().get(run.curve().size() - 1).value();
    }
}
