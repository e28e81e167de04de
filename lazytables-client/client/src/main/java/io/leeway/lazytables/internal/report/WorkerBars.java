package io.leeway.lazytables.internal.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long each worker computed and waited in all, all runs on one scale, so that bars of several runs can be compared.
 */
final class WorkerBars {

    private static final int WIDTH = 960;
    private static final int LEFT = 190;
    private static final int BAR = 13;
    private static final int GAP = 3;
    private static final int BETWEEN = 14;
    private static final int BOTTOM = 24;
    /** Of a run; more do not fit on a page. */
    private static final int MOST_WORKERS = 32;

    private static final double NANOS = 1e9;

    private final List<RunRecords> runs;

    WorkerBars(List<RunRecords> runs) {
        this.runs = runs.stream().filter(run -> !run.clocks.isEmpty()).toList();
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    String svg() {
        int height = BOTTOM;
        double longest = 0;
        for (RunRecords run : runs) {
            Map<Integer, double[]> sums = sums(run);
            height += sums.size() * (BAR + GAP) + BETWEEN;
            for (double[] sum : sums.values()) {
                longest = Math.max(longest, sum[0] + sum[1] + sum[2]);
            }
        }
        var svg = new Svg(WIDTH, height, "computing and waiting of each worker");
        Scale x = Scale.linear(0, longest, LEFT, WIDTH - 4.0);
        double y = 0;
        for (RunRecords run : runs) {
            svg.text(0, y + 11, "", run.label);
            Map<Integer, double[]> sums = sums(run);
            for (Map.Entry<Integer, double[]> each : sums.entrySet()) {
                draw(svg, x, y, each.getKey(), each.getValue());
                y += BAR + GAP;
            }
            y += BETWEEN;
        }
        for (double tick : x.ticks()) {
            svg.line(x.at(tick), y, x.at(tick), y + 4, "axis");
            svg.text(x.at(tick), y + 17, "mid", x.label(tick) + (tick == 0 ? " s" : ""));
        }
        return svg.end();
    }

    private static void draw(Svg svg, Scale x, double y, int worker, double[] sum) {
        svg.text(LEFT - 8.0, y + 11, "end", Integer.toString(worker));
        svg.open(String.format(
                Locale.ROOT,
                "worker %d: computed %.2f s, waited %.2f s, the rest %.2f s",
                worker,
                sum[0],
                sum[1],
                sum[2]));
        double computed = x.at(sum[0]);
        double waited = x.at(sum[0] + sum[1]);
        svg.bar(LEFT, y, computed - LEFT, BAR, "compute");
        svg.bar(computed, y, waited - computed, BAR, "wait");
        svg.bar(waited, y, x.at(sum[0] + sum[1] + sum[2]) - waited, BAR, "rest");
        svg.close();
    }

    /** Seconds computed, waited and else, by worker. */
    private static Map<Integer, double[]> sums(RunRecords run) {
        var sums = new TreeMap<Integer, double[]>();
        for (RunRecords.Clock clock : run.clocks) {
            if (clock.worker() < MOST_WORKERS) {
                double[] sum = sums.computeIfAbsent(clock.worker(), worker -> new double[3]);
                sum[0] += clock.computed() / NANOS;
                sum[1] += clock.waited() / NANOS;
                sum[2] += clock.measured() / NANOS;
            }
        }
        return sums;
    }
}
