package io.leeway.lazytables.internal.report;

import io.leeway.lazytables.DivergenceWatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a run has recorded, or a process's part of it. Filled while its records are read. */
final class RunRecords {

    static final String NOT_ENDED = "not ended";

    /**
     * So many clocks are more than what slack and pauses make of a run.
     *
     * <p>The same bound as {@code lazytables status} has.
     */
    private static final int MUCH = 32;

    /** A worker's clock; times in nanoseconds since the workers began. */
    record Clock(
            int process,
            int worker,
            int clock,
            double start,
            double computed,
            double waited,
            double measured,
            double end) {

        /** The same, so much later. */
        Clock later(double nanos) {
            return new Clock(process, worker, clock, start + nanos, computed, waited, measured, end + nanos);
        }
    }

    /**
     * The objective, and how far the run was when it had it.
     *
     * @param passes over the data, by all workers together
     */
    record Measured(double passes, double nanos, double value) {

        /** The same, so much later. */
        Measured later(double more) {
            return new Measured(passes, nanos + more, value);
        }
    }

    /** What was chosen to hold from a clock on. */
    record Pace(int clock, double nanos, double slack, double work, String why) {

        /** The same, so much later. */
        Pace later(double more) {
            return new Pace(clock, nanos + more, slack, work, why);
        }
    }

    /** Where it is recorded. */
    final String file;
    /** The process that recorded it, and how many record the run, each its part. */
    final int process;

    final int processes;
    final String application;
    final int workers;
    final String slack;
    final double work;
    final List<Clock> clocks = new ArrayList<>();
    final List<Measured> measures = new ArrayList<>();
    final List<Pace> paces = new ArrayList<>();
    /** Reads by how many clocks the row was behind. */
    final TreeMap<Integer, Double> staleness = new TreeMap<>();
    /** When workers began, by their numbers, in microseconds since 1970. */
    final TreeMap<Integer, Double> begins = new TreeMap<>();

    /** What all parts of the run say, and no other run; "" if nothing is said. */
    String id = "";
    /** Which processes' records are not there, for people; "" if all are. */
    String missing = "";
    /** What the lanes' caption says of how parts were laid side by side. */
    String aligned = "";

    /** What the page calls the run; numbered where several would be called alike. */
    String label;

    String measure = "objective";
    String outcome = NOT_ENDED;
    /** What people should know of how it went; "" if there is nothing. */
    String warning = "";

    /** The objective that the record of the end has; not a number while there is none. */
    double endValue = Double.NaN;

    double endNanos = Double.NaN;

    /** The first record, from which {@link #empty} makes another of the same settings. */
    private final Map<String, Object> head;
    /** Made with the first value that it can judge. */
    private @Nullable DivergenceWatch watch;
    /** Whether the objective falls when things get better; null if the run has not said so. */
    private final @Nullable Boolean falls;

    /** From the record of the begin, in a file. */
    RunRecords(String file, Map<String, Object> run) {
        this.file = file;
        head = run;
        process = (int) number(run, "process", 0);
        processes = (int) number(run, "processes", 1);
        application = text(run, "application", "a program");
        workers = (int) number(run, "workers", 1);
        slack = text(run, "slack", "0");
        work = number(run, "workPerClock", 1);
        falls = run.get("falls") instanceof Boolean said ? said : null;
        label = model(text(run, "model", ""));
    }

    /** A run with the same settings, of which nothing is recorded yet. */
    RunRecords empty() {
        return new RunRecords(file, head);
    }

    /**
     * Takes a record; kinds that are not known are passed over.
     *
     * <p>Numbers that are missing count as nought, or as none: records of earlier versions have fewer.
     */
    void add(Map<String, Object> values) {
        switch (text(values, "kind", "")) {
            case "begin" -> {
                id = text(values, "run", id);
                begins.put((int) number(values, "worker", 0), number(values, "micros", 0));
            }
            case "clock" ->
                clocks.add(new Clock(
                        process,
                        (int) number(values, "worker", 0),
                        (int) number(values, "clock", 0),
                        number(values, "start", 0),
                        number(values, "compute", 0),
                        number(values, "wait", 0),
                        number(values, "measure", 0),
                        number(values, "end", 0)));
            case "measure" -> {
                measure = text(values, "name", measure);
                double value = number(values, "value", Double.NaN);
                watch(number(values, "passes", 0), value);
                // What is no number cannot be drawn; that there was one is told by the watch.
                if (Double.isFinite(value)) {
                    measures.add(new Measured(number(values, "passes", 0), number(values, "nanos", 0), value));
                }
            }
            case "staleness" ->
                staleness.merge((int) number(values, "clocks", 0), number(values, "reads", 0), Double::sum);
            case "pace" ->
                paces.add(new Pace(
                        (int) number(values, "clock", 0),
                        number(values, "nanos", 0),
                        number(values, "slack", 0),
                        number(values, "work", 1),
                        text(values, "why", "")));
            case "warning" -> warning = text(values, "why", warning);
            case "end" -> {
                outcome = text(values, "outcome", "ended");
                if (outcome.equals("diverged")) {
                    warning = text(values, "why", warning);
                }
                endValue = number(values, "value", Double.NaN);
                endNanos = number(values, "nanos", Double.NaN);
            }
            default -> {}
        }
    }

    /**
     * Programs that do not watch are watched here. Of an objective with a direction that is not known only numbers can
     * be told from what is none.
     */
    private void watch(double passes, double value) {
        if (falls == null && Double.isFinite(value)) {
            return;
        }
        DivergenceWatch present = watch;
        if (present == null) {
            present = new DivergenceWatch(measure, falls == null || falls);
            watch = present;
        }
        String seen = present.see(passes, value).orElse("");
        warning = warning.isEmpty() ? seen : warning;
    }

    /** What it is called by those who know the models. */
    private String model(String given) {
        String perClock = work == 1
                ? ""
                : ", work " + String.format(Locale.ROOT, "%.3g", work).replaceAll("\\.?0+$", "");
        if (!given.isEmpty()) {
            return given;
        }
        if (slack.equals("async")) {
            return "asynchronous" + perClock;
        }
        if (slack.equals("0")) {
            return work == 1 ? "BSP" : "A-BSP" + perClock;
        }
        return "SSP, slack " + slack + perClock;
    }

    /** From the begin to the end of the last clock or measure. */
    double nanos() {
        double last = Double.isFinite(endNanos) ? endNanos : 0;
        for (Clock clock : clocks) {
            last = Math.max(last, clock.end());
        }
        for (Measured each : measures) {
            last = Math.max(last, each.nanos());
        }
        return last;
    }

    /** The objective in the end, from exact reads if it came to that. */
    double value() {
        if (Double.isFinite(endValue) || measures.isEmpty()) {
            return endValue;
        }
        return measures.get(measures.size() - 1).value();
    }

    double passes() {
        return measures.isEmpty() ? 0 : measures.get(measures.size() - 1).passes();
    }

    /** The share of workers' time that they waited. */
    double waitShare() {
        double wait = 0;
        double all = 0;
        for (Clock clock : clocks) {
            wait += clock.waited();
            all += clock.computed() + clock.waited() + clock.measured();
        }
        return all == 0 ? 0 : wait / all;
    }

    /**
     * How many clocks workers that still had work were apart, at most.
     *
     * <p>All clocks in the order of their ends, with how many workers are at each: the spread is between the first and
     * the last of these. Workers that have done all of theirs are left out, since nobody waits for them.
     */
    int apart() {
        Map<Integer, Integer> last = new HashMap<>();
        clocks.forEach(each -> last.merge(each.worker(), each.clock(), Math::max));
        Map<Integer, Integer> at = new HashMap<>();
        var counts = new TreeMap<Integer, Integer>();
        last.keySet().forEach(worker -> {
            at.put(worker, 0);
            counts.merge(0, 1, Integer::sum);
        });
        int most = 0;
        for (Clock each :
                clocks.stream().sorted(Comparator.comparingDouble(Clock::end)).toList()) {
            Integer before = at.remove(each.worker());
            if (before == null) {
                continue;
            }
            counts.merge(before, -1, (count, less) -> count + less == 0 ? null : count + less);
            if (each.clock() < last.getOrDefault(each.worker(), 0)) {
                at.put(each.worker(), each.clock());
                counts.merge(each.clock(), 1, Integer::sum);
                most = Math.max(most, counts.lastKey() - counts.firstKey());
            }
        }
        return most;
    }

    /** What is to be told of how far workers were apart; "" if nothing is. */
    String drift() {
        int apart = apart();
        int clock = clocks.stream().mapToInt(Clock::clock).max().orElse(0);
        return apart >= MUCH && apart >= clock / 5
                ? "workers were up to " + apart
                        + " clocks apart, so what the fast ones read was as old: compare results, not passes, or bound it"
                        + " with a slack"
                : "";
    }

    /**
     * Whether the objective falls when things get better.
     *
     * <p>Where the run did not say, it is guessed from its first and last value: a run mostly gets better.
     */
    boolean falls() {
        if (falls != null) {
            return falls;
        }
        return measures.size() < 2
                || measures.get(measures.size() - 1).value() <= measures.get(0).value();
    }

    /** When the objective was as good as that for the first time; null if never. */
    @Nullable
    Measured reached(double value, boolean falling) {
        for (Measured each : measures) {
            if (falling ? each.value() <= value : each.value() >= value) {
                return each;
            }
        }
        return null;
    }

    /** Another type counts as not being there: a page with a gap is of more use than none. */
    private static double number(Map<String, Object> values, String name, double otherwise) {
        return values.get(name) instanceof Double number ? number : otherwise;
    }

    private static String text(Map<String, Object> values, String name, String otherwise) {
        return values.get(name) instanceof String text ? text : otherwise;
    }
}
