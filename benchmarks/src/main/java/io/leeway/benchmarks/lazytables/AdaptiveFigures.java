package io.leeway.benchmarks.lazytables;

import static io.leeway.benchmarks.lazytables.Measuring.PERCENT;

import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The adaptive pace against fixed ones: time to an objective that all fixed ones reach. Settings are run in turn, some rounds of them; the best of a setting counts. */
record AdaptiveFigures(Measuring measuring) {

    private static final int WORKERS = 4;
    private static final int PASSES = 80;
    private static final int ROUNDS = 2;
    private static final List<Setting> FIXED = List.of(
            Setting.of("BSP (work 1, slack 0)", WORKERS, "1", "0", PASSES),
            Setting.of("A-BSP (work 4, slack 0)", WORKERS, "4", "0", PASSES),
            Setting.of("SSP (work 1, slack 1)", WORKERS, "1", "1", PASSES),
            Setting.of("hybrid (work 2, slack 1)", WORKERS, "2", "1", PASSES));
    private static final Setting ADAPTIVE =
            Setting.of("adaptive", WORKERS, "1", "1", PASSES).with("--adaptive");

    void run() throws IOException, InterruptedException {
        for (Workload workload : List.of(Workload.LDA, Workload.MF)) {
            run(workload);
        }
    }

    private void run(Workload workload) throws IOException, InterruptedException {
        var seconds = new LinkedHashMap<Setting, Series>();
        for (int round = 0; round < ROUNDS; round++) {
            var runs = new LinkedHashMap<Setting, MeasuredRun>();
            for (Setting setting : FIXED) {
                runs.put(setting, measuring.run(workload, setting));
            }
            runs.put(ADAPTIVE, measuring.run(workload, ADAPTIVE));
            double target = StalenessFigures.target(workload, runs);
            for (Map.Entry<Setting, MeasuredRun> each : runs.entrySet()) {
                OptionalDouble passes = each.getValue().isFailed()
                        ? OptionalDouble.empty()
                        : each.getValue().passesTo(target, workload.falls());
                if (passes.isPresent()) {
                    seconds.computeIfAbsent(each.getKey(), none -> new Series())
                            .add(each.getValue().secondsAt(passes.getAsDouble()));
                }
            }
        }
        record("adaptive pace, " + workload.title() + ": ", seconds);
    }

    private void record(String figure, Map<Setting, Series> seconds) throws IOException {
        double best = Double.MAX_VALUE;
        String name = "";
        for (Setting setting : FIXED) {
            Series all = seconds.get(setting);
            if (all != null && all.quantile(0) < best) {
                best = all.quantile(0);
                name = setting.name();
            }
        }
        Series adaptive = seconds.get(ADAPTIVE);
        if (adaptive == null) {
            measuring.progress().say(figure + "the objective was not reached");
            return;
        }
        measuring.lower(figure + "time to the objective", adaptive.quantile(0), "s", null, "");
        measuring.lower(figure + "time to the objective, best fixed setting", best, "s", null, name);
        measuring.lower(
                figure + "time to the objective above the best fixed setting's",
                (adaptive.quantile(0) / best - 1) * PERCENT,
                "%",
                null,
                name);
    }
}
