package io.leeway.lazytables.internal.report;

import java.util.List;
import java.util.Locale;

/**
 * The shares of reads that were so many clocks behind, of several runs side by side. Shares and not numbers, since runs
 * read differently often.
 */
final class StalenessBars {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 220;
    private static final int LEFT = 48;
    private static final int TOP = 8;
    private static final int BOTTOM = 42;
    /** Reads that are further behind are counted together. */
    private static final int FURTHEST = 33;

    private final List<RunRecords> runs;

    StalenessBars(List<RunRecords> runs) {
        this.runs = runs;
    }

    boolean isEmpty() {
        return runs.stream().allMatch(run -> run.staleness.isEmpty());
    }

    String svg() {
        int groups = 1;
        double most = 0;
        for (RunRecords run : runs) {
            for (int clocks : run.staleness.keySet()) {
                groups = Math.max(groups, clocks + 1);
                most = Math.max(most, share(run, clocks));
            }
        }
        var svg = new Svg(WIDTH, HEIGHT, "shares of reads by how stale they were");
        Scale y = Scale.linear(0, most * 1.05, HEIGHT - BOTTOM, TOP);
        for (double tick : y.ticks()) {
            svg.line(LEFT, y.at(tick), WIDTH - 4.0, y.at(tick), "grid");
            svg.text(LEFT - 6.0, y.at(tick) + 4, "end", y.label(tick) + " %");
        }
        double width = (WIDTH - 4.0 - LEFT) / groups;
        double bar = 0.8 * width / runs.size();
        for (int clocks = 0; clocks < groups; clocks++) {
            double left = LEFT + clocks * width + 0.1 * width;
            for (int run = 0; run < runs.size(); run++) {
                double share = share(runs.get(run), clocks);
                svg.open(String.format(
                        Locale.ROOT, "%s: %.2f %% of reads %d clocks behind", runs.get(run).label, share, clocks));
                svg.bar(left + run * bar, y.at(share), bar, HEIGHT - BOTTOM - y.at(share), RunReport.colour(run));
                svg.close();
            }
            if (groups <= 20 || clocks % 5 == 0) {
                String name = clocks + (clocks == FURTHEST ? "+" : "");
                svg.text(LEFT + (clocks + 0.5) * width, HEIGHT - BOTTOM + 17.0, "mid", name);
            }
        }
        svg.line(LEFT, HEIGHT - BOTTOM, WIDTH - 4.0, HEIGHT - BOTTOM, "axis");
        svg.text((LEFT + WIDTH) / 2.0, HEIGHT - 6.0, "mid name", "clocks behind the reader");
        return svg.end();
    }

    /** In percent. */
    private static double share(RunRecords run, int clocks) {
        double all =
                run.staleness.values().stream().mapToDouble(Double::doubleValue).sum();
        return all == 0 ? 0 : 100 * run.staleness.getOrDefault(clocks, 0.0) / all;
    }
}
