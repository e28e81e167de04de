package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.apps.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A run as its processes told it.
 *
 * @param curve the objective after passes; times since the workers began
 * @param marks of each worker, the first before it began, then one for each point of the curve
 * @param paces that an adaptive run went at, in words
 * @param failure why the run failed, or empty
 */
record MeasuredRun(List<Point> curve, List<List<Mark>> marks, List<String> paces, String failure) {

    static final double NANOS = 1e9;
    private static final String POINT = "point ";
    private static final String PACE = "from clock ";

    MeasuredRun {
        curve = List.copyOf(curve);
        marks = marks.stream().map(List::copyOf).toList();
        paces = List.copyOf(paces);
    }

    /**
     * What happened between two passes.
     *
     * @param passes between them
     * @param seconds of the clock on the wall, on average over processes
     * @param cpuSeconds of all workers' processes and all servers
     * @param serverCpuSeconds the servers' part
     * @param workerCpuSeconds the part of threads that run the application, where it is seen
     * @param networkCpuSeconds the part of workers' threads for the network, where it is seen
     * @param serverThreadCpuSeconds the part of servers' threads for the network, where it is seen
     * @param compilerCpuSeconds the compilers' part, of workers and servers, where it is seen
     * @param bytesOut sent, on average over processes
     * @param bytesIn received, on average over processes
     * @param waitSeconds in which reads waited, on average over processes
     */
    record Span(
            double passes,
            double seconds,
            double cpuSeconds,
            double serverCpuSeconds,
            double workerCpuSeconds,
            double networkCpuSeconds,
            double serverThreadCpuSeconds,
            double compilerCpuSeconds,
            double bytesOut,
            double bytesIn,
            double waitSeconds) {}

    /** A point of the objective as {@link #of} reads it. */
    static String text(Point point) {
        return POINT + point.passes() + " " + point.nanos() + " " + point.value();
    }

    /** From the lines that each worker's process wrote; the curve is the first one's. */
    static MeasuredRun of(List<List<String>> outputs) {
        var marks = new ArrayList<List<Mark>>();
        for (List<String> lines : outputs) {
            marks.add(lines.stream().filter(Mark::isOne).map(Mark::parse).toList());
        }
        List<Point> curve = outputs.get(0).stream()
                .filter(line -> line.startsWith(POINT))
                .map(MeasuredRun::point)
                .toList();
        for (List<Mark> each : marks) {
            if (curve.isEmpty() || each.size() != curve.size() + 1) {
                throw new IllegalArgumentException(
                        "a worker told of " + each.size() + " marks, the first one of " + curve.size() + " points");
            }
        }
        List<String> paces =
                outputs.get(0).stream().filter(line -> line.startsWith(PACE)).toList();
        return new MeasuredRun(curve, marks, paces, "");
    }

    static MeasuredRun failed(String why) {
        return new MeasuredRun(List.of(), List.of(), List.of(), why);
    }

    private static Point point(String line) {
        String[] of = line.substring(POINT.length()).split(" ");
        return new Point(Double.parseDouble(of[0]), Long.parseLong(of[1]), Double.parseDouble(of[2]));
    }

    boolean isFailed() {
        return !failure.isEmpty();
    }

    /** Between the first marks at or behind two numbers of passes. */
    Span between(double fromPasses, double toPasses) {
        if (isFailed()) {
            throw new IllegalStateException(failure);
        }
        int from = index(fromPasses);
        int to = index(toPasses);
        if (to <= from) {
            throw new IllegalArgumentException("nothing between passes " + fromPasses + " and " + toPasses);
        }
        checkMarked(from);
        checkMarked(to);
        double seconds = 0;
        double cpu = 0;
        double applications = 0;
        double network = 0;
        double serverThreads = 0;
        double compilers = 0;
        double out = 0;
        double in = 0;
        double wait = 0;
        for (List<Mark> worker : marks) {
            Mark begin = worker.get(from);
            Mark end = worker.get(to);
            seconds += (end.nanos() - begin.nanos()) / NANOS;
            cpu += (end.cpuNanos() - begin.cpuNanos()) / NANOS;
            applications += (end.workerNanos() - begin.workerNanos()) / NANOS;
            network += (end.networkNanos() - begin.networkNanos()) / NANOS;
            serverThreads += (end.serverNanos() - begin.serverNanos()) / NANOS;
            compilers += (end.compilerNanos() - begin.compilerNanos()) / NANOS;
            out += end.bytesOut() - begin.bytesOut();
            in += end.bytesIn() - begin.bytesIn();
            wait += (end.waitNanos() - begin.waitNanos()) / NANOS;
        }
        int workers = marks.size();
        double server = serverCpu(to) - serverCpu(from);
        return new Span(
                passes(to) - passes(from),
                seconds / workers,
                cpu + server,
                server,
                applications,
                network,
                serverThreads,
                compilers,
                out / workers,
                in / workers,
                wait / workers);
    }

    /** Refuses a point at which the workers did not look at what they had used, so that the mark before stands there. */
    private void checkMarked(int index) {
        for (List<Mark> worker : marks) {
            if (index > 0 && worker.get(index).equals(worker.get(index - 1))) {
                throw new IllegalArgumentException("nobody looked at what was used at pass " + passes(index));
            }
        }
    }

    /** From the begin to the end. */
    Span whole() {
        return between(0, curve.get(curve.size() - 1).passes());
    }

    /** The best value there was. */
    double best(boolean falls) {
        var values = curve.stream().mapToDouble(Point::value);
        return falls ? values.min().orElseThrow() : values.max().orElseThrow();
    }

    /** The passes after which a value was reached, between two points by a straight line; none if it never was. */
    OptionalDouble passesTo(double value, boolean falls) {
        for (int i = 0; i < curve.size(); i++) {
            double now = curve.get(i).value();
            if (falls ? now <= value : now >= value) {
                if (i == 0) {
                    return OptionalDouble.of(curve.get(0).passes());
                }
                double before = curve.get(i - 1).value();
                double share = now == before ? 1 : (value - before) / (now - before);
                return OptionalDouble.of(passes(i) + share * (passes(i + 1) - passes(i)));
            }
        }
        return OptionalDouble.empty();
    }

    /** The time of the first worker since it began. */
    double secondsAt(double passes) {
        return at(passes, i -> i == 0 ? 0 : curve.get(i - 1).nanos() / NANOS);
    }

    /** The CPU time of all processes since the workers began. */
    double cpuSecondsAt(double passes) {
        return at(passes, i -> i == 0 ? 0 : cpu(i) - cpu(0));
    }

    private interface AtIndex {
        double of(int index);
    }

    private double at(double passes, AtIndex value) {
        for (int i = 1; i <= curve.size(); i++) {
            if (passes(i) >= passes) {
                double share = (passes - passes(i - 1)) / (passes(i) - passes(i - 1));
                return value.of(i - 1) + share * (value.of(i) - value.of(i - 1));
            }
        }
        throw new IllegalArgumentException("the run had fewer than " + passes + " passes");
    }

    private double cpu(int index) {
        double sum = serverCpu(index);
        for (List<Mark> worker : marks) {
            sum += worker.get(index).cpuNanos() / NANOS;
        }
        return sum;
    }

    private double serverCpu(int index) {
        return marks.stream()
                        .mapToLong(worker -> worker.get(index).serverCpuNanos())
                        .sum()
                / NANOS;
    }

    private double passes(int index) {
        return index == 0 ? 0 : curve.get(index - 1).passes();
    }

    private int index(double passes) {
        int index = 0;
        while (index < curve.size() && passes(index) < passes) {
            index++;
        }
        return index;
    }
}
