package io.leeway.benchmarks.lazytables;

import static io.leeway.benchmarks.lazytables.Measuring.MILLI;
import static io.leeway.benchmarks.lazytables.Measuring.PERCENT;

import io.leeway.benchmarks.results.Series;
import io.leeway.lazytables.apps.RowsAhead;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * What communication costs in CPU time at equal staleness (source: figure 4.13): a pass of all workers' processes and the server,
 * when compilers are done. Settings are run in turn; medians of rounds count. All measure the objective as often: every four
 * passes. Rows are asked for by the program, whatever may be newer, or sent by servers when they have changed. What compilers still
 * took is told apart, and settings are compared with it and without it: it goes away while a program runs, the rest does not.
 */
record CpuFigures(Measuring measuring) {

    private static final int WORKERS = 4;
    private static final int MEASURED = 160;
    /** Compilers go on for hundreds of passes: what is called once in a clock is compiled late. */
    private static final int WARM_UP = 7 * MEASURED;

    private static final int PASSES = WARM_UP + MEASURED;
    private static final int ROUNDS = 3;
    private static final double GOAL = 10;

    void run() throws IOException, InterruptedException {
        for (Workload workload : List.of(Workload.LDA, Workload.MF)) {
            MeasuredRun.Span alone = measuring
                    .inOneThread(workload, "reference", PASSES, MEASURED)
                    .between(WARM_UP, PASSES);
            measuring.lower(
                    workload.title() + ", one thread without tables: CPU time of a pass",
                    alone.cpuSeconds() * MILLI / alone.passes(),
                    "ms",
                    null,
                    "");
            for (RowsAhead ahead : List.of(RowsAhead.AGGRESSIVE, RowsAhead.PUSHED)) {
                compare(workload, ahead);
            }
        }
    }

    private void compare(Workload workload, RowsAhead ahead) throws IOException, InterruptedException {
        List<Setting> settings = measuring.few(List.of(
                setting("A-BSP (work 4, slack 0)", "4", "0", 1, ahead),
                setting("hybrid (work 2, slack 1)", "2", "1", 2, ahead),
                setting("SSP (work 1, slack 3)", "1", "3", 4, ahead)));
        List<Series> cpu = settings.stream().map(setting -> new Series()).toList();
        List<Series> compilers = settings.stream().map(setting -> new Series()).toList();
        List<Series> rest = settings.stream().map(setting -> new Series()).toList();
        for (int round = 0; round < measuring.rounds(ROUNDS); round++) {
            for (int i = 0; i < settings.size(); i++) {
                MeasuredRun.Span span = measuring.run(workload, settings.get(i)).between(WARM_UP, PASSES);
                double perPass = MILLI / span.passes();
                cpu.get(i).add(span.cpuSeconds() * perPass);
                compilers.get(i).add(span.compilerCpuSeconds() * perPass);
                rest.get(i).add((span.cpuSeconds() - span.compilerCpuSeconds()) * perPass);
            }
        }
        for (int i = 0; i < settings.size(); i++) {
            String figure = workload.title() + ", " + settings.get(i).name() + ", rows "
                    + ahead.text().toLowerCase(Locale.ROOT) + ": ";
            measuring.lower(figure + "CPU time of a pass", cpu.get(i).median(), "ms", null, "");
            measuring.lower(
                    figure + "CPU time of a pass that is compilers'",
                    compilers.get(i).median(),
                    "ms",
                    null,
                    "");
            if (i > 0) {
                Double goal = i == settings.size() - 1 ? GOAL : null;
                measuring.lower(
                        figure + "CPU time of a pass above A-BSP's at equal staleness",
                        above(cpu, i),
                        "%",
                        goal,
                        "source: 25 % of time where cores are scarce");
                measuring.lower(
                        figure + "CPU time of a pass above A-BSP's, both without compilers'",
                        above(rest, i),
                        "%",
                        goal,
                        "what stays while a program runs on");
            }
        }
    }

    /** By how many per cent a setting's median is above that of the first one. */
    private static double above(List<Series> figures, int setting) {
        return (figures.get(setting).median() / figures.get(0).median() - 1) * PERCENT;
    }

    /** One that measures the objective each so many clocks. */
    private static Setting setting(String name, String work, String slack, int measureEvery, RowsAhead ahead) {
        return Setting.of(name, WORKERS, work, slack, PASSES)
                .with("--measure-every=" + measureEvery)
                .asking(ahead);
    }
}
