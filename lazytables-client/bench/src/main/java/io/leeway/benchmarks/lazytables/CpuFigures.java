package io.leeway.benchmarks.lazytables;

import static io.leeway.benchmarks.lazytables.Measuring.MILLI;
import static io.leeway.benchmarks.lazytables.Measuring.PERCENT;

import io.leeway.benchmarks.results.Series;
import io.leeway.lazytables.Pace;
import io.leeway.lazytables.apps.RowsAhead;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What communication costs in CPU time at equal staleness (source: figure 4.13): a pass of all workers' processes and the server,
 * when compilers have done the most.
 *
 * <p>All paces hold in turn in the same processes, each for a stretch of passes, again and again: two Java machines do not make the
 * same of the same program, and a shared machine is not as fast in one minute as in the next. Medians over stretches count, for
 * ratios those of a pace's stretch to that of A-BSP before it. The objective is measured as often at all paces: every four passes.
 *
 * <p>Each worker has a process of its own, or all have one together, as in the source. Rows are asked for by the program, whatever
 * may be newer or only those that would be too old, or sent by servers when they have changed. What compilers still took is told
 * apart, and paces are compared with it and without it: it goes away while a program runs, the rest does not.
 */
record CpuFigures(Measuring measuring, Workload workload) {

    private static final int WORKERS = 4;
    /**
     * Steps of the usual length do not settle within thousands of passes where reads are four passes behind; how long they are does
     * not change what a pass takes.
     */
    private static final double STEPS = 0.25;

    /** So many passes are the most that are in a clock. */
    private static final int MEASURE_EVERY = 4;

    private static final List<Pace> PACES = List.of(new Pace(0, MEASURE_EVERY), new Pace(1, 2), new Pace(3, 1));
    private static final int STRETCH = 24;
    /** The first of a stretch, which may have to do with the pace before. */
    private static final int SKIPPED = 4;

    private static final int CYCLES = 20;
    private static final int CYCLE = STRETCH * 3;
    private static final int MEASURED = CYCLES * CYCLE;
    /** Compilers go on for hundreds of passes: what is called once in a clock is compiled late. */
    private static final int WARM_UP = 16 * CYCLE;

    private static final int PASSES = WARM_UP + MEASURED;
    private static final int ROUNDS = 2;
    private static final double GOAL = 10;

    /** Of what a pass consists. */
    private enum Kind {
        ALL(""),
        WORKERS(" of workers' threads"),
        NETWORK(" of clients' network threads"),
        SERVER(" of the server's network thread"),
        COMPILERS(" that is compilers'");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        double millis(MeasuredRun.Span span) {
            return seconds(span) * MILLI / span.passes();
        }

        private double seconds(MeasuredRun.Span span) {
            return switch (this) {
                case ALL -> span.cpuSeconds();
                case WORKERS -> span.workerCpuSeconds();
                case NETWORK -> span.networkCpuSeconds();
                case SERVER -> span.serverThreadCpuSeconds();
                case COMPILERS -> span.compilerCpuSeconds();
            };
        }
    }

    /** What was measured at a pace. */
    private static final class Measured {

        private final Map<Kind, Series> kinds = new EnumMap<>(Kind.class);
        private final Series above = new Series();
        private final Series aboveWithout = new Series();

        Measured() {
            EnumSet.allOf(Kind.class).forEach(kind -> kinds.put(kind, new Series()));
        }

        void add(MeasuredRun.Span span, MeasuredRun.Span first) {
            kinds.forEach((kind, series) -> series.add(kind.millis(span)));
            above.add((Kind.ALL.millis(span) / Kind.ALL.millis(first) - 1) * PERCENT);
            aboveWithout.add((withoutCompilers(span) / withoutCompilers(first) - 1) * PERCENT);
        }

        private static double withoutCompilers(MeasuredRun.Span span) {
            return Kind.ALL.millis(span) - Kind.COMPILERS.millis(span);
        }
    }

    void run() throws IOException, InterruptedException {
        MeasuredRun.Span alone = measuring
                .inOneThread(workload, "reference", MEASURED, MEASURED / 2)
                .between(MEASURED / 2, MEASURED);
        measuring.lower(
                workload.title() + ", one thread without tables: CPU time of a pass",
                Kind.ALL.millis(alone),
                "ms",
                null,
                "");
        for (RowsAhead ahead : List.of(RowsAhead.CONSERVATIVE, RowsAhead.AGGRESSIVE, RowsAhead.PUSHED)) {
            compare(WORKERS, ahead);
        }
        compare(1, RowsAhead.CONSERVATIVE);
        compare(1, RowsAhead.PUSHED);
    }

    private void compare(int processes, RowsAhead ahead) throws IOException, InterruptedException {
        List<Measured> measured = PACES.stream().map(pace -> new Measured()).toList();
        Setting setting = Setting.of("paces in turn in " + in(processes), WORKERS, "1", "0", PASSES)
                .with(
                        "--measure-every=" + MEASURE_EVERY,
                        "--steps=" + STEPS,
                        "--stretch=" + STRETCH,
                        "--paces=" + typed(PACES))
                .asking(ahead)
                .in(processes);
        for (int round = 0; round < measuring.rounds(ROUNDS); round++) {
            MeasuredRun run = measuring.run(workload, setting);
            for (int begin = WARM_UP; begin < PASSES; begin += CYCLE) {
                MeasuredRun.Span first = stretch(run, begin, 0);
                for (int i = 0; i < PACES.size(); i++) {
                    measured.get(i).add(stretch(run, begin, i), first);
                }
            }
        }
        String rows = ", rows " + ahead.text().toLowerCase(Locale.ROOT);
        for (int i = 0; i < PACES.size(); i++) {
            Pace pace = PACES.get(i);
            String where = processes == WORKERS ? "" : ", in " + in(processes);
            record(workload.title() + ", " + name(pace) + rows + where + ": ", pace, measured.get(i));
        }
    }

    private static String in(int processes) {
        return processes == 1 ? "one process" : processes + " processes";
    }

    private static MeasuredRun.Span stretch(MeasuredRun run, int begin, int pace) {
        int from = begin + pace * STRETCH;
        return run.between(from + SKIPPED, from + STRETCH);
    }

    private static String typed(List<Pace> paces) {
        return paces.stream().map(pace -> pace.work() + "/" + pace.slack()).collect(Collectors.joining(","));
    }

    private void record(String figure, Pace pace, Measured measured) throws IOException {
        for (Map.Entry<Kind, Series> of : measured.kinds.entrySet()) {
            measuring.lower(
                    figure + "CPU time of a pass" + of.getKey().text,
                    of.getValue().median(),
                    "ms",
                    null,
                    "");
        }
        if (pace.slack() > 0) {
            Double goal = pace.work() == 1 ? GOAL : null;
            above(figure + "CPU time of a pass above A-BSP's at equal staleness", measured.above, goal);
            above(figure + "CPU time of a pass above A-BSP's, both without compilers'", measured.aboveWithout, goal);
        }
    }

    private void above(String figure, Series percents, @Nullable Double goal) throws IOException {
        String spread = String.format(
                Locale.ROOT,
                "source: 25 %% of time where cores are scarce; half of %d stretches: %.1f to %.1f %%",
                percents.count(),
                percents.quantile(0.25),
                percents.quantile(0.75));
        measuring.lower(figure, percents.median(), "%", goal, spread);
    }

    private static String name(Pace pace) {
        String kind = pace.slack() == 0 ? "A-BSP" : pace.work() == 1 ? "SSP" : "hybrid";
        return kind + " (work " + pace.work() + ", slack " + pace.slack() + ")";
    }
}
