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
 * when compilers have done the most. Settings compute by turns of two seconds, since a shared machine is not as fast in one minute as
 * in the next; the median of rounds counts, for ratios that of the rounds' ratios. All measure the objective as often: every four passes. Rows are asked for by the program, whatever may be newer or only those that would be too old, or sent by servers when they have
 * changed. What compilers still took is told apart, and settings are compared with it and without it: it goes away while a program runs, the rest does not.
 */
record CpuFigures(Measuring measuring) {

    private static final int WORKERS = 4;
    private static final int MEASURED = 480;
    /** Compilers go on for hundreds of passes: what is called once in a clock is compiled late. */
    private static final int WARM_UP = 2 * MEASURED;

    /** So many passes are the most that are in a clock. */
    private static final int MEASURE_EVERY = 4;

    private static final int PASSES = WARM_UP + MEASURED;
    private static final int ROUNDS = 2;
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
            for (RowsAhead ahead : List.of(RowsAhead.CONSERVATIVE, RowsAhead.AGGRESSIVE, RowsAhead.PUSHED)) {
                compare(workload, ahead);
            }
        }
    }

    private void compare(Workload workload, RowsAhead ahead) throws IOException, InterruptedException {
        List<Setting> settings = measuring.few(List.of(
                setting("A-BSP (work 4, slack 0)", MEASURE_EVERY, 0, ahead),
                setting("hybrid (work 2, slack 1)", MEASURE_EVERY / 2, 1, ahead),
                setting("SSP (work 1, slack 3)", 1, 3, ahead)));
        List<Series> cpu = series(settings);
        List<Series> compilers = series(settings);
        List<Series> above = series(settings);
        List<Series> aboveWithout = series(settings);
        for (int round = 0; round < measuring.rounds(ROUNDS); round++) {
            double first = 0;
            double firstWithout = 0;
            List<MeasuredRun> runs = measuring.inTurns(workload, settings);
            for (int i = 0; i < settings.size(); i++) {
                MeasuredRun.Span span = runs.get(i).between(WARM_UP, PASSES);
                double perPass = MILLI / span.passes();
                double all = span.cpuSeconds() * perPass;
                double ofCompilers = span.compilerCpuSeconds() * perPass;
                first = i == 0 ? all : first;
                firstWithout = i == 0 ? all - ofCompilers : firstWithout;
                cpu.get(i).add(all);
                compilers.get(i).add(ofCompilers);
                above.get(i).add((all / first - 1) * PERCENT);
                aboveWithout.get(i).add(((all - ofCompilers) / firstWithout - 1) * PERCENT);
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
                        above.get(i).median(),
                        "%",
                        goal,
                        "source: 25 % of time where cores are scarce");
                measuring.lower(
                        figure + "CPU time of a pass above A-BSP's, both without compilers'",
                        aboveWithout.get(i).median(),
                        "%",
                        goal,
                        "what stays while a program runs on");
            }
        }
    }

    private static List<Series> series(List<Setting> settings) {
        return settings.stream().map(setting -> new Series()).toList();
    }

    private static Setting setting(String name, int work, int slack, RowsAhead ahead) {
        return Setting.of(name, WORKERS, Integer.toString(work), Integer.toString(slack), PASSES)
                .with("--measure-every=" + MEASURE_EVERY / work)
                .asking(ahead);
    }
}
