package io.leeway.benchmarks.autotune;

import io.leeway.autotune.Guard;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import io.leeway.autotune.internal.learn.Bluefin;
import io.leeway.autotune.internal.learn.Careful;
import io.leeway.autotune.internal.learn.HybridBandits;
import io.leeway.autotune.internal.learn.Point;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.services.Load;
import io.leeway.autotune.services.TomcatService;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Bluefin and HybridBandits as the agent runs them, careful and under its guard, without the selection and verification
 * that the tuner puts around them, on a real service under an open loop: fifteen rounds from a setting that is short of
 * connections, then a grid over the same settings. The best round is measured once more beside the best of all that was
 * measured, in turn. What users saw is the p95 of all requests from the first round to the end of the last.
 */
final class LearnerFigures {

    private static final int ROUNDS = 15;
    private static final String CONNECTIONS = "hikari.size";
    private static final String THREADS = "tomcat.threads";

    /** Presets of the threads, as words: what an operator would choose from; the bound is eight times the first. */
    private static final int[] PRESETS = {12, 30, 96};

    private LearnerFigures() {}

    static void take(Recorder recorder) throws IOException, InterruptedException {
        take("Bluefin", false, recorder);
        take("HybridBandits", true, recorder);
    }

    private static void take(String learner, boolean words, Recorder recorder)
            throws IOException, InterruptedException {
        try (var process = ServiceProcess.start(
                        List.of(),
                        true,
                        TomcatService.class.getName(),
                        "threads=" + PRESETS[0],
                        "connections=3",
                        "held=20");
                var load = new Load(process.uri(), 90, 1)) {
            TimeUnit.SECONDS.sleep(20);
            RemoteService service = process.service();
            KnobSpec connections = knob(service, CONNECTIONS);
            KnobSpec threads = knob(service, THREADS);
            double first = p95(service, load, service.read(), 6);

            var seen = new TreeMap<Double, Setting>();
            var costs = new ArrayList<Double>();
            Point start = words
                    ? new Point(new double[] {connections.toUnit(KnobValue.of(3))}, new int[] {0})
                    : new Point(
                            new double[] {connections.toUnit(KnobValue.of(3)), threads.toUnit(KnobValue.of(PRESETS[0]))
                            },
                            new int[0]);
            Guard guard = Guard.defaults();
            var bandits = new Careful(
                    new HybridBandits(
                            Bluefin.Steps.gentle(), start, words ? new int[] {PRESETS.length} : new int[0], 7),
                    start,
                    first,
                    guard.latencyFactor());
            Window usual = service.measure(3, window -> true);
            double unused = load.p95OfAll();
            for (int i = 0; i < ROUNDS; i++) {
                Point point = bandits.propose();
                Setting tried = new Setting(Map.of(
                        CONNECTIONS,
                        connections.fromUnit(point.numbers()[0]),
                        THREADS,
                        words ? KnobValue.of(PRESETS[point.words()[0]]) : threads.fromUnit(point.numbers()[1])));
                service.apply(tried.changedFrom(service.read()));
                load.take();
                Window now = service.measure(
                        4, window -> guard.early().objection(usual, window).isEmpty());
                double cost = load.take().p95();
                if (guard.objection(usual, now).isPresent()) {
                    service.restore();
                } else if (costs.stream().allMatch(before -> cost < before)) {
                    service.keep();
                }
                bandits.paid(cost);
                costs.add(cost);
                seen.put(cost, tried);
                System.out.println(learner + " " + tried.values() + " " + cost);
            }
            double whileTuning = load.p95OfAll();
            Setting chosen = seen.firstEntry().getValue();

            for (int size : new int[] {4, 6, 8, 12, 20, 40}) {
                for (int preset : new int[] {PRESETS[0], PRESETS[1]}) {
                    var tried = new Setting(Map.of(CONNECTIONS, KnobValue.of(size), THREADS, KnobValue.of(preset)));
                    seen.put(p95(service, load, tried, 3), tried);
                }
            }
            Setting best = seen.firstEntry().getValue();

            var ofChosen = new ArrayList<Double>();
            var ofBest = new ArrayList<Double>();
            for (int i = 0; i < 4; i++) {
                ofBest.add(p95(service, load, best, 5));
                ofChosen.add(p95(service, load, chosen, 5));
            }
            service.keep();
            double end = AutoTuneFigures.median(ofChosen);
            System.out.println(learner + ": from " + first + " to " + ofChosen + " " + chosen.values() + ", best "
                    + ofBest + " " + best.values());
            costs.sort(Double::compare);
            String of = " of " + learner + " after " + ROUNDS + " rounds";
            recorder.record("p95 before " + learner, first, "ms", null, Better.LOWER, "")
                    .record("p95" + of, end, "ms", null, Better.LOWER, "")
                    .record(
                            "p95" + of + " by the best that was found",
                            end / AutoTuneFigures.median(ofBest),
                            "times",
                            1.05,
                            Better.LOWER,
                            "the best of a grid and of all rounds")
                    .record(
                            "p95 of all requests while " + learner + " tuned, by the final one",
                            whileTuning / end,
                            "times",
                            1.5,
                            Better.LOWER,
                            "")
                    .record(
                            "p95 of the rounds of " + learner + ", in the median, by the final one",
                            costs.get(ROUNDS / 2) / end,
                            "times",
                            null,
                            Better.LOWER,
                            "")
                    .record(
                            "p95 of the rounds of " + learner + ", 95th percentile, by the final one",
                            costs.get((int) Math.ceil(0.95 * ROUNDS) - 1) / end,
                            "times",
                            1.5,
                            Better.LOWER,
                            "");
        }
    }

    private static KnobSpec knob(RemoteService service, String name) throws IOException {
        return service.knobs().stream()
                .filter(knob -> knob.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IOException("no knob " + name));
    }

    /** Milliseconds, by the load generator. */
    private static double p95(RemoteService service, Load load, Setting setting, int seconds)
            throws InterruptedException {
        service.apply(setting.changedFrom(service.read()));
        service.measure(1, window -> true);
        load.take();
        service.measure(seconds, window -> true);
        return load.take().p95();
    }
}
