package io.leeway.benchmarks.lazytables;

import static io.leeway.benchmarks.lazytables.Measuring.MILLI;
import static io.leeway.benchmarks.lazytables.Measuring.PERCENT;

import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What delays cost at equal staleness: SSP with slack 1 against A-BSP with two iterations in a clock. One worker after the other
 * loses some time (source: figure 4.9a), or machines do other work now and then (figure 4.9b). Iterations are paced, see
 * {@link PacedApplication}.
 */
record DelayFigures(Measuring measuring) {

    private static final int WORKERS = 4;
    private static final int ITERATION_MILLIS = 80;
    /** Until compilers have done most of what they do. */
    private static final int WARM_UP = 24;

    private static final int DELAYED = WARM_UP + 24;
    private static final int DISRUPTED = WARM_UP + 64;
    private static final int ROUNDS = 2;
    private static final List<Double> DELAYS = List.of(0.0, 0.5, 1.0, 1.5, 2.0, 3.0);
    private static final List<Double> SLOTS = List.of(0.5, 1.0, 2.0, 4.0);

    private static final Setting SSP = Setting.of("SSP (work 1, slack 1)", WORKERS, "1", "1", DELAYED);
    private static final Setting A_BSP = Setting.of("A-BSP (work 2, slack 0)", WORKERS, "2", "0", DELAYED);

    void run() throws IOException, InterruptedException {
        delays();
        disruptions();
    }

    private void delays() throws IOException, InterruptedException {
        double worst = 0;
        var ssp = new ArrayList<double[]>();
        var aBsp = new ArrayList<double[]>();
        for (double delay : measuring.few(DELAYS)) {
            String option = "--turn-millis=" + Math.round(delay * ITERATION_MILLIS);
            var withSlack = new Series();
            var without = new Series();
            for (int round = 0; round < measuring.rounds(ROUNDS); round++) {
                withSlack.add(millis(SSP.with(option, iteration()), DELAYED));
                without.add(millis(A_BSP.with(option, iteration()), DELAYED));
            }
            // Whatever else goes on only makes iterations longer.
            ssp.add(new double[] {delay * ITERATION_MILLIS, withSlack.quantile(0)});
            aBsp.add(new double[] {delay * ITERATION_MILLIS, without.quantile(0)});
            double ideal = ITERATION_MILLIS * (1 + delay / WORKERS);
            worst = delay > 1 ? worst : Math.max(worst, withSlack.quantile(0) / ideal - 1);
            String figure =
                    String.format(Locale.ROOT, "delays in turn, %.2f of an iteration: time per iteration, ", delay);
            measuring.lower(figure + SSP.name(), withSlack.quantile(0), "ms", null, "");
            measuring.lower(figure + A_BSP.name(), without.quantile(0), "ms", null, "");
            measuring.lower(figure + "ideal (reckoned)", ideal, "ms", null, "");
            measuring.lower(
                    figure + "one thread that has all workers' iterations to do (reckoned)",
                    WORKERS * ITERATION_MILLIS,
                    "ms",
                    null,
                    "");
        }
        measuring.lower(
                "delays in turn up to one iteration: SSP above the ideal line, at most",
                worst * PERCENT,
                "%",
                10.0,
                "80 ms and a fourth of the delay");
        List<double[]> few =
                ssp.stream().filter(point -> point[0] <= ITERATION_MILLIS).toList();
        measuring.lower(
                "delays in turn up to one iteration: growth of SSP's iteration with the delay",
                Line.through(few).slope(),
                "",
                null,
                "ideal: 0.25");
        measuring.lower(
                "delays in turn: growth of A-BSP's iteration with the delay",
                Line.through(aBsp).slope(),
                "",
                null,
                "source: 0.5");
    }

    private void disruptions() throws IOException, InterruptedException {
        for (double slot : measuring.few(SLOTS)) {
            String option = "--slot-millis=" + Math.round(slot * ITERATION_MILLIS);
            String figure = String.format(
                    Locale.ROOT,
                    "background work in slots of %.1f iterations: time against that of the work alone, ",
                    slot);
            String peer = String.format(Locale.ROOT, "ideal: %.3f", Disruption.IDEAL);
            measuring.lower(
                    figure + SSP.name(),
                    millis(longer(SSP).with(option, iteration()), DISRUPTED) / ITERATION_MILLIS,
                    "×",
                    null,
                    peer);
            measuring.lower(
                    figure + A_BSP.name(),
                    millis(longer(A_BSP).with(option, iteration()), DISRUPTED) / ITERATION_MILLIS,
                    "×",
                    null,
                    peer);
        }
    }

    private static String iteration() {
        return "--iteration-millis=" + ITERATION_MILLIS;
    }

    private static Setting longer(Setting setting) {
        return Setting.of(setting.name(), WORKERS, setting.work(), setting.slack(), DISRUPTED);
    }

    /** Of an iteration, when the first ones are over. */
    private double millis(Setting setting, int iterations) throws IOException, InterruptedException {
        MeasuredRun.Span span =
                measuring.processes().overTables("paced", setting).between(WARM_UP, iterations);
        double millis = span.seconds() * MILLI / span.passes();
        measuring
                .progress()
                .say(String.format(
                        Locale.ROOT,
                        "paced, %s, %s: %.1f ms an iteration, CPU %.2f s",
                        setting.name(),
                        setting.more(),
                        millis,
                        span.cpuSeconds()));
        return millis;
    }
}
