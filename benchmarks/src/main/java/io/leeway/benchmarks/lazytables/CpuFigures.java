package io.leeway.benchmarks.lazytables;

import static io.leeway.benchmarks.lazytables.Measuring.MILLI;
import static io.leeway.benchmarks.lazytables.Measuring.PERCENT;

import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.util.List;

/**
 * What communication costs in CPU time at equal staleness (source: figure 4.13): a pass of all workers' processes and the server,
 * when compilers are done. Settings are run in turn; medians of rounds count.
 */
record CpuFigures(Measuring measuring) {

    private static final int WORKERS = 4;
    private static final int WARM_UP = 24;
    private static final int PASSES = 56;
    private static final int ROUNDS = 3;
    private static final double GOAL = 10;
    private static final List<Setting> SETTINGS = List.of(
            Setting.of("A-BSP (work 4, slack 0)", WORKERS, "4", "0", PASSES),
            Setting.of("hybrid (work 2, slack 1)", WORKERS, "2", "1", PASSES),
            Setting.of("SSP (work 1, slack 3)", WORKERS, "1", "3", PASSES));

    void run() throws IOException, InterruptedException {
        for (Workload workload : List.of(Workload.LDA, Workload.MF)) {
            List<Setting> settings = measuring.few(SETTINGS);
            List<Series> cpu = settings.stream().map(setting -> new Series()).toList();
            for (int round = 0; round < measuring.rounds(ROUNDS); round++) {
                for (int i = 0; i < settings.size(); i++) {
                    MeasuredRun.Span span =
                            measuring.run(workload, settings.get(i)).between(WARM_UP, PASSES);
                    cpu.get(i).add(span.cpuSeconds() * MILLI / span.passes());
                }
            }
            MeasuredRun.Span alone = measuring
                    .inOneThread(workload, "reference", PASSES, WARM_UP)
                    .between(WARM_UP, PASSES);
            measuring.lower(
                    workload.title() + ", one thread without tables: CPU time of a pass",
                    alone.cpuSeconds() * MILLI / alone.passes(),
                    "ms",
                    null,
                    "");
            double least = cpu.get(0).median();
            for (int i = 0; i < settings.size(); i++) {
                String figure = workload.title() + ", " + settings.get(i).name() + ": ";
                measuring.lower(figure + "CPU time of a pass", cpu.get(i).median(), "ms", null, "");
                if (i > 0) {
                    measuring.lower(
                            figure + "CPU time of a pass above A-BSP's at equal staleness",
                            (cpu.get(i).median() / least - 1) * PERCENT,
                            "%",
                            i == SETTINGS.size() - 1 ? GOAL : null,
                            "source: 25 % of time where cores are scarce");
                }
            }
        }
    }
}
