package io.leeway.benchmarks.lazytables;

import static io.leeway.benchmarks.lazytables.Measuring.PERCENT;

import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The adaptive pace against fixed ones, beside one thread: the time to an objective that all of them reach, and what it consists of, passes
 * and their CPU time. Settings are run in turn, some rounds of them; the best of a setting counts.
 */
record AdaptiveFigures(Measuring measuring) {

    private static final int WORKERS = 4;
    private static final int PASSES = 40;
    private static final int ROUNDS = 2;
    private static final String ONE_THREAD = "one thread without tables";
    private static final List<Setting> FIXED = List.of(
            Setting.of("BSP (work 1, slack 0)", WORKERS, "1", "0", PASSES),
            Setting.of("A-BSP (work 4, slack 0)", WORKERS, "4", "0", PASSES),
            Setting.of("SSP (work 1, slack 1)", WORKERS, "1", "1", PASSES),
            Setting.of("SSP (work 1, slack 3)", WORKERS, "1", "3", PASSES),
            Setting.of("hybrid (work 2, slack 1)", WORKERS, "2", "1", PASSES));
    /** Begins as BSP. */
    private static final Setting ADAPTIVE =
            Setting.of("adaptive", WORKERS, "1", "0", PASSES).with("--adaptive");

    /** What all rounds of a setting took to the objective. */
    private record Sums(Series seconds, Series cpu, Series passes) {

        Sums() {
            this(new Series(), new Series(), new Series());
        }
    }

    void run() throws IOException, InterruptedException {
        for (Workload workload : List.of(Workload.LDA, Workload.MF)) {
            run(workload);
        }
    }

    private void run(Workload workload) throws IOException, InterruptedException {
        var sums = new LinkedHashMap<String, Sums>();
        int rounds = measuring.rounds(ROUNDS);
        for (int round = 0; round < rounds; round++) {
            var runs = new LinkedHashMap<Setting, MeasuredRun>();
            for (Setting setting : measuring.few(FIXED)) {
                runs.put(setting, measuring.run(workload, setting));
            }
            MeasuredRun adaptive = measuring.run(workload, ADAPTIVE);
            adaptive.paces().forEach(pace -> measuring.progress().say("  " + pace));
            runs.put(ADAPTIVE, adaptive);
            double target = StalenessFigures.target(workload, runs);
            runs.forEach((setting, run) -> add(workload, setting.name(), run, target, sums));
            add(workload, ONE_THREAD, measuring.inOneThread(workload, "reference", PASSES, 1), target, sums);
        }
        // One that did not reach the objective in each round is not said to have reached it.
        sums.values().removeIf(all -> all.seconds().count() < rounds);
        record("adaptive pace, " + workload.title() + ", ", sums);
    }

    private static void add(Workload workload, String name, MeasuredRun run, double target, Map<String, Sums> sums) {
        OptionalDouble passes = run.isFailed() ? OptionalDouble.empty() : run.passesTo(target, workload.falls());
        if (passes.isPresent()) {
            Sums sum = sums.computeIfAbsent(name, none -> new Sums());
            sum.passes().add(passes.getAsDouble());
            sum.seconds().add(run.secondsAt(passes.getAsDouble()));
            sum.cpu().add(run.cpuSecondsAt(passes.getAsDouble()));
        }
    }

    private void record(String figure, Map<String, Sums> sums) throws IOException {
        String bestFixed = "";
        double best = Double.MAX_VALUE;
        for (Map.Entry<String, Sums> each : sums.entrySet()) {
            String name = figure + each.getKey();
            Sums sum = each.getValue();
            double least = sum.seconds().quantile(0);
            measuring.lower(name + ": time to the objective", least, "s", null, "");
            measuring.lower(name + ": passes to the objective", sum.passes().quantile(0), "", null, "");
            measuring.lower(name + ": CPU time to the objective", sum.cpu().quantile(0), "s", null, "");
            boolean isFixed = FIXED.stream().anyMatch(setting -> setting.name().equals(each.getKey()));
            if (isFixed && least < best) {
                best = least;
                bestFixed = each.getKey();
            }
        }
        Sums adaptive = sums.get(ADAPTIVE.name());
        if (adaptive == null || bestFixed.isEmpty()) {
            measuring.progress().say(figure + "the objective was not reached");
            return;
        }
        measuring.lower(
                figure + "adaptive: time to the objective above that of the best fixed setting",
                (adaptive.seconds().quantile(0) / best - 1) * PERCENT,
                "%",
                null,
                bestFixed);
    }
}
