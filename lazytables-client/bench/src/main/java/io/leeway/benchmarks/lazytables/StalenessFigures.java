package io.leeway.benchmarks.lazytables;

import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Work per clock and slack: clocks a second, what clocks bring, and both together, the time to an objective (source: figures 4.1
 * and 4.7). The settings of a workload are run in turn, some rounds of them; the best of a setting counts, since what else goes on
 * on the machine only makes runs slower.
 */
record StalenessFigures(Measuring measuring) {

    private static final int WORKERS = 4;
    private static final int LDA_PASSES = 40;
    private static final int MF_PASSES = 40;
    private static final int ROUNDS = 2;
    /** Of what BSP gains from its first pass to its last; where that is not reached, of what every setting reaches. */
    private static final double GAIN = 0.95;

    private static List<Setting> settings(int passes) {
        return List.of(
                Setting.of("BSP (work 1, slack 0)", WORKERS, "1", "0", passes),
                Setting.of("A-BSP (work 2, slack 0)", WORKERS, "2", "0", passes),
                Setting.of("A-BSP (work 4, slack 0)", WORKERS, "4", "0", passes),
                Setting.of("mini-batches (work 0.5, slack 0)", WORKERS, "0.5", "0", passes),
                Setting.of("SSP (work 1, slack 1)", WORKERS, "1", "1", passes),
                Setting.of("SSP (work 1, slack 3)", WORKERS, "1", "3", passes),
                Setting.of("hybrid (work 2, slack 1)", WORKERS, "2", "1", passes),
                Setting.of("asynchronous (work 1)", WORKERS, "1", "async", passes));
    }

    /** What all rounds of a setting showed. */
    private record Sums(Series seconds, Series cpu, Series passes, Series clocksPerSecond) {

        Sums() {
            this(new Series(), new Series(), new Series(), new Series());
        }
    }

    void run() throws IOException, InterruptedException {
        run(Workload.LDA, LDA_PASSES);
        run(Workload.MF, MF_PASSES);
    }

    private void run(Workload workload, int passes) throws IOException, InterruptedException {
        var sums = new LinkedHashMap<String, Sums>();
        var targets = new Series();
        String title = workload.title();
        for (int round = 0; round < measuring.rounds(ROUNDS); round++) {
            var runs = new LinkedHashMap<Setting, MeasuredRun>();
            for (Setting setting : measuring.few(settings(passes))) {
                runs.put(setting, measuring.run(workload, setting));
            }
            double target = target(workload, runs);
            for (Map.Entry<Setting, MeasuredRun> each : runs.entrySet()) {
                add(workload, each.getKey(), each.getValue(), target, sums);
            }
            targets.add(target);
            oneThread(workload, "reference", passes, 1, target, sums);
            if (workload == Workload.LDA) {
                oneThread(workload, "mallet", passes, 2, target, sums);
            }
        }
        measuring.lower(title + ", staleness: the objective to reach", targets.median(), measure(workload), null, "");
        record(title, sums);
    }

    private static String measure(Workload workload) {
        return workload == Workload.LDA ? "log likelihood per token" : "root mean square error";
    }

    /** Such that all but the asynchronous run reach it. */
    static double target(Workload workload, Map<Setting, MeasuredRun> runs) {
        boolean falls = workload.falls();
        MeasuredRun bsp = runs.values().iterator().next();
        double first = bsp.curve().get(0).value();
        double target = first + GAIN * (bsp.best(falls) - first);
        for (Map.Entry<Setting, MeasuredRun> each : runs.entrySet()) {
            if (!each.getValue().isFailed() && !each.getKey().slack().equals("async")) {
                double best = each.getValue().best(falls);
                target = falls ? Math.max(target, best) : Math.min(target, best);
            }
        }
        return target;
    }

    private static void add(
            Workload workload, Setting setting, MeasuredRun run, double target, Map<String, Sums> sums) {
        if (run.isFailed()) {
            return;
        }
        Sums sum = sums.computeIfAbsent(setting.name(), name -> new Sums());
        sum.clocksPerSecond()
                .add(setting.passes()
                        / Double.parseDouble(setting.work())
                        / run.whole().seconds());
        reached(workload, run, target, sum);
    }

    private static void reached(Workload workload, MeasuredRun run, double target, Sums sum) {
        OptionalDouble passes = run.passesTo(target, workload.falls());
        if (passes.isPresent()) {
            sum.passes().add(passes.getAsDouble());
            sum.seconds().add(run.secondsAt(passes.getAsDouble()));
            sum.cpu().add(run.cpuSecondsAt(passes.getAsDouble()));
        }
    }

    private void oneThread(Workload workload, String by, int passes, int step, double target, Map<String, Sums> sums)
            throws IOException, InterruptedException {
        MeasuredRun run = measuring.inOneThread(workload, by, passes, step);
        String name = "one thread, " + (by.equals("mallet") ? "MALLET 2.1.1" : "without tables");
        reached(workload, run, target, sums.computeIfAbsent(name, none -> new Sums()));
    }

    private void record(String title, Map<String, Sums> sums) throws IOException {
        for (Map.Entry<String, Sums> each : sums.entrySet()) {
            String figure = title + ", " + each.getKey() + ": ";
            Sums sum = each.getValue();
            if (sum.clocksPerSecond().count() > 0) {
                measuring.higher(
                        figure + "clocks a second", sum.clocksPerSecond().quantile(1), "/s", null, "");
            }
            // One that did not reach the objective in each round is not said to have reached it.
            if (sum.passes().count() == measuring.rounds(ROUNDS)) {
                measuring.lower(figure + "passes to the objective", sum.passes().quantile(0), "", null, "");
                measuring.lower(figure + "time to the objective", sum.seconds().quantile(0), "s", null, "");
                measuring.lower(figure + "CPU time to the objective", sum.cpu().quantile(0), "s", null, "");
            } else {
                measuring
                        .progress()
                        .say(figure + "the objective was reached in "
                                + sum.passes().count() + " of " + measuring.rounds(ROUNDS) + " rounds");
            }
        }
    }
}
