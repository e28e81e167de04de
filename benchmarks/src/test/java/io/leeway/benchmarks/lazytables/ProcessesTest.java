package io.leeway.benchmarks.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.apps.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
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

    @Test
    void runsByTurnsTellWhatTheyUsed() throws Exception {
        List<MeasuredRun> runs = SMALL.inTurns(
                Workload.LDA,
                List.of(Setting.of("A-BSP", 2, "4", "0", 2_000), Setting.of("SSP", 2, "1", "3", 2_000)),
                Duration.ofMillis(100));

        assertThat(runs).extracting(run -> run.curve().size()).containsExactly(500, 2_000);
        assertThat(runs).allSatisfy(run -> assertThat(run.whole().cpuSeconds()).isPositive());
        // By turns: some of the one were between some of the other.
        assertThat(runs.get(0).marks().get(0).get(0).nanos())
                .isLessThan(runs.get(1).marks().get(0).get(2_000).nanos());
        assertThat(runs.get(1).marks().get(0).get(0).nanos())
                .isLessThan(runs.get(0).marks().get(0).get(500).nanos());
    }

    /** Whether a process is stopped is told by Linux, in /proc. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aRunThatIsPausedIsStoppedUntilItGoesOnOrIsClosed() throws Exception {
        Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
        List<ProcessHandle> its;
        try (var run = new StartedRun(null)) {
            for (int i = 0; i < 2; i++) {
                run.add(
                        SingleThreadWorker.class,
                        List.of(
                                "--workload=lda",
                                "--by=reference",
                                "--passes=1000000",
                                "--step=1000",
                                "--seed=7",
                                "--share=0.02"));
            }
            its = ProcessHandle.current()
                    .children()
                    .filter(process -> !before.contains(process))
                    .toList();
            assertThat(its).hasSize(2);

            run.pause();
            await().untilAsserted(() -> assertThat(its)
                    .allSatisfy(each -> assertThat(isStopped(each)).isTrue()));
            run.goOn();
            await().untilAsserted(() -> assertThat(its)
                    .allSatisfy(each -> assertThat(isStopped(each)).isFalse()));
            run.pause();
        }

        assertThat(its).noneMatch(ProcessHandle::isAlive);
    }

    private static boolean isStopped(ProcessHandle process) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
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
