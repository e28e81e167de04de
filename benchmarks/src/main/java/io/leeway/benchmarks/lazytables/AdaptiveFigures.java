package io.leeway.benchmarks.lazytables;

import static io.leeway.benchmarks.lazytables.Measuring.PERCENT;

import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The adaptive pace against fixed ones, beside one thread: the time to an objective that all of them reach. Settings are run in turn, some
 * rounds of them; the best of a setting counts.
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

    void run() throws IOException, InterruptedException {
        for (Workload workload : List.of(Workload.LDA, Workload.MF)) {
            run(workload);
        }
    }

    private void run(Workload workload) throws IOException, InterruptedException {
        var seconds = new LinkedHashMap<String, Series>();
        int rounds = measuring.rounds(ROUNDS);
        for (int round = 0; round < rounds; round++) {
            var runs = new LinkedHashMap<Setting, MeasuredRun>();
            for (Setting setting : measuring.few(FIXED)) {
                runs.put(setting, measuring.run(workload, setting));
            }
            runs.put(ADAPTIVE, measuring.run(workload, ADAPTIVE));
            double target = StalenessFigures.target(workload, runs);
            runs.forEach((setting, run) -> add(workload, setting.name(), run, target, seconds));
            add(workload, ONE_THREAD, measuring.inOneThread(workload, "reference", PASSES, 1), target, seconds);
        }
        // One that did not reach the objective in each round is not said to have reached it.
        seconds.values().removeIf(all -> all.count() < rounds);
        record("adaptive pace, " + workload.title() + ", ", seconds);
    }

    private static void add(
            Workload workload, String name, MeasuredRun run, double target, Map<String, Series> seconds) {
        OptionalDouble passes = run.isFailed() ? OptionalDouble.empty() : run.passesTo(target, workload.falls());
        if (passes.isPresent()) {
            seconds.computeIfAbsent(name, none -> new Series()).add(run.secondsAt(passes.getAsDouble()));
        }
    }

    private void record(String figure, Map<String, Series> seconds) throws IOException {
        String bestFixed = "";
        double best = Double.MAX_VALUE;
        for (Map.Entry<String, Series> each : seconds.entrySet()) {
            double least = each.getValue().quantile(0);
            measuring.lower(figure + each.getKey() + ": time to the objective", least, "s", null, "");
            boolean isFixed = FIXED.stream().anyMatch(setting -> setting.name().equals(each.getKey()));
            if (isFixed && least < best) {
                best = least;
                bestFixed = each.getKey();
            }
        }
        Series adaptive = seconds.get(ADAPTIVE.name());
        if (adaptive == null || bestFixed.isEmpty()) {
            measuring.progress().say(figure + "the objective was not reached");
            return;
        }
        measuring.lower(
                figure + "adaptive: time to the objective above that of the best fixed setting",
                (adaptive.quantile(0) / best - 1) * PERCENT,
                "%",
                null,
                bestFixed);
    }
}
