package io.leeway.lazytables.internal.report;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Makes one run of the parts that its processes recorded, each in a file of its own.
 *
 * <p>Parts belong together that say the same name of their run, which its workers have told each other. Every worker
 * says when it began, by its machine's clock, and counts nanoseconds from there; the first that began is the begin of
 * the run. So lanes of one machine lie beside each other as exactly as its clock tells, those of several as exactly as
 * their clocks agree.
 *
 * <p>Of what all processes know, such as the pace, the one with the least number is heard. A process that took another
 * one's place has recorded another part of the same number, whose times go on.
 */
final class JoinedRuns {

    private static final double MICROS = 1e3;

    private JoinedRuns() {}

    /**
     * The runs of these parts, in the order of their first parts.
     *
     * <p>Parts without a name are runs of their own: they were recorded before processes told each other one, or by a
     * program alone.
     */
    static List<RunRecords> of(List<RunRecords> parts) {
        var byId = new LinkedHashMap<String, List<RunRecords>>();
        int alone = 0;
        for (RunRecords part : parts) {
            String id = part.id.isEmpty() ? " " + alone++ : part.id;
            byId.computeIfAbsent(id, any -> new ArrayList<>()).add(part);
        }
        var groups = List.copyOf(byId.values());
        groups.forEach(JoinedRuns::check);
        checkApart(groups);
        return groups.stream().map(JoinedRuns::joined).toList();
    }

    /**
     * Refuses files that say they are one run and contradict each other, or were given twice: the page would show a run
     * that never was.
     */
    private static void check(List<RunRecords> parts) {
        RunRecords first = parts.get(0);
        for (int i = 1; i < parts.size(); i++) {
            RunRecords part = parts.get(i);
            if (!isSame(first, part)) {
                throw wrong(
                        part.file + " and " + first.file
                                + " say that they are of the same run, and differ in its application, workers, processes, slack or work");
            }
            for (RunRecords before : parts.subList(0, i)) {
                if (before.process == part.process && before.begins.equals(part.begins)) {
                    throw wrong(before.file + " and " + part.file + " hold the same records of process " + part.process
                            + ": give each once");
                }
            }
        }
    }

    private static boolean isSame(RunRecords one, RunRecords other) {
        return one.processes == other.processes
                && one.workers == other.workers
                && one.work == other.work
                && one.slack.equals(other.slack)
                && one.application.equals(other.application);
    }

    /**
     * Of two runs that each lack what the other has, files were taken for those of one.
     *
     * <p>Such runs have the same settings and no process in common: with files of several runs in one directory, that
     * is how a mistake looks.
     */
    private static void checkApart(List<List<RunRecords>> groups) {
        for (List<RunRecords> one : groups) {
            for (List<RunRecords> other : groups) {
                RunRecords a = one.get(0);
                RunRecords b = other.get(0);
                boolean looksLikeOne = !a.id.isEmpty()
                        && !b.id.isEmpty()
                        && isSame(a, b)
                        && other.stream().noneMatch(part -> present(one).contains(part.process));
                if (looksLikeOne) {
                    throw wrong(b.file + " (" + described(other) + ") is of another run than " + a.file + " ("
                            + described(one) + "): give all files of each run");
                }
            }
        }
    }

    private static String described(List<RunRecords> parts) {
        return "run " + parts.get(0).id + ", " + numbered(present(parts)) + " of " + parts.get(0).processes;
    }

    private static Set<Integer> present(List<RunRecords> parts) {
        return parts.stream().map(part -> part.process).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String numbered(Set<Integer> processes) {
        return (processes.size() == 1 ? "process " : "processes ")
                + processes.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** One run of parts that belong together, with times counted from the first worker that began. */
    private static RunRecords joined(List<RunRecords> parts) {
        var ordered = new ArrayList<>(parts);
        ordered.sort(Comparator.comparingInt((RunRecords part) -> part.process)
                .thenComparingDouble(part -> firstBegin(part, 0)));
        RunRecords lead = ordered.get(0);
        RunRecords run = lead.empty();
        double origin = ordered.stream()
                .mapToDouble(part -> firstBegin(part, Double.MAX_VALUE))
                .min()
                .orElse(0);
        for (RunRecords part : ordered) {
            add(part, run, origin, part.process == lead.process);
        }
        run.id = lead.id;
        run.measures.sort(Comparator.comparingDouble(RunRecords.Measured::nanos));
        dropRepeated(run.measures);
        run.outcome = outcome(ordered);
        run.missing = missing(ordered);
        run.aligned = aligned(ordered);
        return run;
    }

    /** When the first worker of the part began, in microseconds by its machine's clock. */
    private static double firstBegin(RunRecords part, double otherwise) {
        return part.begins.values().stream()
                .mapToDouble(Double::doubleValue)
                .min()
                .orElse(otherwise);
    }

    /**
     * Adds a part's records, with their times moved to the run's. What all processes know is taken from the one that
     * leads, else it would be there as often as there are processes.
     */
    private static void add(RunRecords part, RunRecords run, double origin, boolean leads) {
        // What is no worker's own is counted from the begin of the part's first worker, who told it.
        double since = part.begins.isEmpty() ? 0 : (part.begins.firstEntry().getValue() - origin) * MICROS;
        part.clocks.forEach(clock -> {
            Double begun = part.begins.get(clock.worker());
            run.clocks.add(clock.later(begun == null ? since : (begun - origin) * MICROS));
        });
        part.staleness.forEach((clocks, reads) -> run.staleness.merge(clocks, reads, Double::sum));
        part.measures.forEach(each -> run.measures.add(each.later(since)));
        run.measure = part.measures.isEmpty() ? run.measure : part.measure;
        run.warning = run.warning.isEmpty() ? part.warning : run.warning;
        if (leads) {
            part.paces.forEach(pace -> run.paces.add(pace.later(since)));
            run.endValue = part.endValue;
            run.endNanos = part.endNanos + since;
        }
    }

    /**
     * Who took a place has looked again at passes that were done before.
     *
     * <p>A curve that goes back in passes would be drawn as a loop.
     */
    private static void dropRepeated(List<RunRecords.Measured> measures) {
        double[] most = {Double.NEGATIVE_INFINITY};
        measures.removeIf(each -> {
            boolean again = each.passes() <= most[0];
            most[0] = Math.max(most[0], each.passes());
            return again;
        });
    }

    /**
     * What became of the last part of each process; the worst of it.
     *
     * <p>A part that was replaced has not ended, and that is no fault: another has gone on in its place.
     */
    private static String outcome(List<RunRecords> ordered) {
        var last = new TreeMap<Integer, String>();
        ordered.forEach(part -> last.put(part.process, part.outcome));
        for (String bad : List.of("diverged", "failed")) {
            if (last.containsValue(bad)) {
                return bad;
            }
        }
        String open = last.entrySet().stream()
                .filter(each -> each.getValue().equals(RunRecords.NOT_ENDED))
                .map(each -> each.getKey().toString())
                .collect(Collectors.joining(", "));
        if (open.isEmpty() || last.size() == 1) {
            return last.firstEntry().getValue();
        }
        return RunRecords.NOT_ENDED + ": process " + open;
    }

    /** Which processes' files are lacking. Without a name nobody knows that there are others. */
    private static String missing(List<RunRecords> parts) {
        int all = parts.get(0).processes;
        Set<Integer> present = present(parts);
        if (present.size() >= all || parts.get(0).id.isEmpty()) {
            return "";
        }
        var absent = IntStream.range(0, all)
                .filter(process -> !present.contains(process))
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
        return "the records of " + numbered(absent) + " of " + all + " are missing: give their files, too";
    }

    /**
     * How far apart the workers of several processes began, who all waited for each other before.
     *
     * <p>If that is much, it is their clocks that differ, and the lanes cannot be compared: so it is told.
     */
    private static String aligned(List<RunRecords> parts) {
        Map<Integer, Double> first = new TreeMap<>();
        parts.forEach(part -> part.begins.forEach((worker, begun) -> first.merge(worker, begun, Math::min)));
        int processes = present(parts).size();
        if (processes == 1) {
            return "";
        }
        double earliest =
                first.values().stream().mapToDouble(Double::doubleValue).min().orElse(0);
        double latest =
                first.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return String.format(
                Locale.ROOT,
                "; %d processes, whose workers began within %.1f ms by their machines' clocks",
                processes,
                (latest - earliest) / 1e3);
    }

    private static LazyTablesException wrong(String what) {
        return LazyTablesException.of(Code.BAD_ARGUMENT, what);
    }
}
