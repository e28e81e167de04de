package io.leeway.lazytables.internal.report;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What each worker did when: a lane for each, process by process, its clocks one after the other. Within a clock the
 * parts are drawn in the order waiting, computing, the rest, whichever way they alternated; reads wait mostly at the
 * begin.
 *
 * <p>A bar is as long as its part took, so lanes may be read against each other. For one run.
 */
final class Lanes {

    private static final int WIDTH = 960;
    /** Left of the lanes, for workers' numbers; all lengths are in units of the picture, which scales. */
    private static final int NUMBERS = 34;

    private static final int PROCESSES = 80;
    private static final int LANE = 16;
    private static final int GAP = 3;
    private static final int BETWEEN = 8;
    private static final int BOTTOM = 24;
    /**
     * With more of them the page gets too large for a browser, and bars too narrow to be seen: the begin is shown then.
     */
    private static final int MOST_CLOCKS = 2_000;
    /** Lanes that fit on a page. */
    private static final int MOST_WORKERS = 32;

    private static final double NANOS = 1e9;

    private final List<RunRecords.Clock> clocks;
    /** The workers of each process, all in the order of their lanes. */
    private final TreeMap<Integer, TreeSet<Integer>> workers = new TreeMap<>();
    /** Where each worker's lane begins. */
    private final Map<Integer, Double> tops = new HashMap<>();

    private final int left;
    private final double until;
    private final boolean whole;

    /**
     * Of a run, or of as much of its begin as can be shown.
     *
     * <p>Cut by the ends of clocks, not by their number for each worker: so what is shown is the same time of all of
     * them.
     */
    Lanes(RunRecords run) {
        List<RunRecords.Clock> all = new ArrayList<>(run.clocks);
        all.removeIf(clock -> clock.worker() >= MOST_WORKERS);
        all.sort(Comparator.comparingDouble(RunRecords.Clock::end));
        clocks = all.subList(0, Math.min(all.size(), MOST_CLOCKS));
        clocks.forEach(clock -> workers.computeIfAbsent(clock.process(), process -> new TreeSet<>())
                .add(clock.worker()));
        left = NUMBERS + (workers.size() > 1 ? PROCESSES : 0);
        until = clocks.isEmpty() ? 1 : clocks.get(clocks.size() - 1).end();
        whole = clocks.size() == run.clocks.size();
    }

    boolean isEmpty() {
        return clocks.isEmpty();
    }

    /** What of the run is shown. */
    String caption() {
        return whole ? "" : String.format(Locale.ROOT, ", the first %.2f s", until / NANOS);
    }

    String svg() {
        double bottom = place();
        var svg = new Svg(WIDTH, (int) bottom + BOTTOM, "what each worker did when");
        Scale x = Scale.linear(0, until / NANOS, left, WIDTH - 4.0);
        workers.forEach((process, ofProcess) -> {
            if (workers.size() > 1) {
                svg.text(0, top(ofProcess.first()) + 12, "", "process " + process);
            }
            ofProcess.forEach(worker -> svg.text(left - 8.0, top(worker) + 12, "end", Integer.toString(worker)));
        });
        clocks.forEach(clock -> draw(clock, svg, x));
        for (double tick : x.ticks()) {
            svg.line(x.at(tick), bottom, x.at(tick), bottom + 4.0, "axis");
            svg.text(x.at(tick), bottom + 17.0, "mid", x.label(tick) + (tick == 0 ? " s" : ""));
        }
        return svg.end();
    }

    /** Gives each worker its place; returns where the last one ends. */
    private double place() {
        double top = 0;
        for (TreeSet<Integer> ofProcess : workers.values()) {
            top += top == 0 ? 0 : BETWEEN;
            for (int worker : ofProcess) {
                tops.put(worker, top);
                top += LANE + GAP;
            }
        }
        return top;
    }

    private double top(int worker) {
        return requireNonNull(tops.get(worker));
    }

    /** One clock: three bars and a cut where it begins, with its numbers for who points at it. */
    private void draw(RunRecords.Clock clock, Svg svg, Scale x) {
        double top = top(clock.worker());
        double begin = clock.start() / NANOS;
        double computing = begin + clock.waited() / NANOS;
        double resting = computing + clock.computed() / NANOS;
        svg.open(String.format(
                Locale.ROOT,
                "worker %d, clock %d: waited %.1f ms, computed %.1f ms, the rest %.1f ms",
                clock.worker(),
                clock.clock() + 1,
                clock.waited() / 1e6,
                clock.computed() / 1e6,
                clock.measured() / 1e6));
        part(svg, x, top, begin, computing, "wait");
        part(svg, x, top, computing, resting, "compute");
        part(svg, x, top, resting, Math.max(resting, clock.end() / NANOS), "rest");
        svg.line(x.at(begin), top, x.at(begin), top + LANE, "cut");
        svg.close();
    }

    private static void part(Svg svg, Scale x, double top, double from, double to, String style) {
        svg.bar(x.at(from), top, x.at(to) - x.at(from), LANE, style);
    }
}
