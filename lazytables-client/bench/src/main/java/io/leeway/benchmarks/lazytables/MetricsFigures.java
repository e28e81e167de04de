package io.leeway.benchmarks.lazytables;

import io.leeway.benchmarks.results.Series;
import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What Micrometer costs: CPU time of a cached read, of an increment and of a clock, with a registry that shows the metrics of an instance, and
 * with none. Each is measured in processes of its own, in turn, as compilers treat code by what it was used for.
 */
record MetricsFigures(Measuring measuring) {

    private static final int ROUNDS = 3;
    private static final int ROWS = 1_000;
    private static final int COLUMNS = 100;
    private static final Duration TIME = Duration.ofSeconds(2);
    private static final int BATCH = 1_000;
    private static final String NONE = "none";
    private static final String BOUND = "auto";
    private static final List<String> KINDS = List.of(BOUND, NONE);

    void run() throws IOException {
        var all = new LinkedHashMap<String, Series>();
        for (int round = 0; round < measuring.rounds(ROUNDS); round++) {
            for (String kind : KINDS) {
                inProcess(kind, all);
            }
        }
        for (Map.Entry<String, Series> each : all.entrySet()) {
            measuring.lower(each.getKey(), each.getValue().median(), "ns", null, "");
        }
    }

    private void inProcess(String kind, Map<String, Series> all) throws IOException {
        long millis = Math.max(1, measuring.time(TIME).toMillis());
        Process process = Processes.started(
                List.of(), MetricsFigures.class, ProcessBuilder.Redirect.PIPE, List.of(kind, Long.toString(millis)));
        try (BufferedReader reader = process.inputReader()) {
            String with = kind.equals(BOUND) ? "with Micrometer" : "without Micrometer";
            List<String> lines =
                    reader.lines().filter(line -> line.startsWith("CPU ")).toList();
            if (lines.isEmpty()) {
                throw new IOException("the process that measures " + with + " said nothing");
            }
            for (String line : lines) {
                int end = line.lastIndexOf(' ');
                all.computeIfAbsent(line.substring(0, end) + ", " + with, none -> new Series())
                        .add(Double.parseDouble(line.substring(end)));
            }
        } finally {
            Processes.end(process);
        }
    }

    /** Does something so many times. */
    private interface Work {

        void times(int times);
    }

    /** Measures one kind, the first argument, for so many milliseconds each, the second. */
    public static void main(String[] arguments) {
        Metrics.addRegistry(new SimpleMeterRegistry());
        long nanos = Duration.ofMillis(Long.parseLong(arguments[1])).toNanos();
        try (LazyTables tables =
                LazyTables.builder().option("lazytables.metrics", arguments[0]).connect()) {
            Worker worker = tables.worker(0);
            Table table = tables.table("cached", TableSpec.dense(CellType.DOUBLE, COLUMNS));
            for (int row = 0; row < ROWS; row++) {
                worker.increment(table, row, 0, 1);
            }
            worker.clock();
            for (int row = 0; row < ROWS; row++) {
                worker.read(table, row);
            }
            say("CPU time of a cached get", measured(nanos, times -> gets(worker, table, times)));
            say("CPU time of an increment of a cached row", measured(nanos, times -> increments(worker, table, times)));
            say(
                    "CPU time of a clock of one update that is waited for, with the server",
                    measured(nanos, times -> clocks(worker, table, times)));
        }
    }

    private static void say(String what, double nanos) {
        System.out.println(String.format(Locale.ROOT, "%s %.3f", what, nanos));
    }

    /** Nanoseconds of this process's CPU time for one, when compilers have had theirs. The system counts in steps of ten milliseconds. */
    private static double measured(long nanos, Work work) {
        timesWithin(nanos, work);
        long cpu = Marked.ownCpuNanos();
        long times = timesWithin(nanos, work);
        return (double) (Marked.ownCpuNanos() - cpu) / times;
    }

    private static long timesWithin(long nanos, Work work) {
        long end = System.nanoTime() + nanos;
        long times = 0;
        while (System.nanoTime() < end) {
            work.times(BATCH);
            times += BATCH;
        }
        return times;
    }

    private static void gets(Worker worker, Table table, int times) {
        double sum = 0;
        for (int i = 0; i < times; i++) {
            sum += worker.get(table, i % ROWS, i % COLUMNS);
        }
        if (sum < 0) {
            throw new IllegalStateException("counts below zero");
        }
    }

    private static void increments(Worker worker, Table table, int times) {
        for (int i = 0; i < times; i++) {
            worker.increment(table, i % ROWS, i % COLUMNS, 1.0);
        }
    }

    private static void clocks(Worker worker, Table table, int times) {
        for (int i = 0; i < times; i++) {
            worker.increment(table, i % ROWS, 0, 1.0);
            worker.clock();
            worker.read(table, i % ROWS, 0);
        }
    }
}
