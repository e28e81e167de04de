package io.leeway.benchmarks.lazytables;

import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures LazyTables on this machine, beside programs in one thread, and records every figure in {@code docs/benchmarks/results/lazytables.json}.
 *
 * <pre>{@code
 * build/bench io.leeway.benchmarks.lazytables.LazyTablesFigures [try] [part...]
 * }</pre>
 *
 * <p>Without names all parts are measured. Each is a process of its own, so that compilers know nothing of the parts before. With {@code try} data
 * are small, times short and rounds single, and figures are printed but not recorded: to see that all of it runs.
 */
public final class LazyTablesFigures {

    private static final String COMMAND = "build/bench io.leeway.benchmarks.lazytables.LazyTablesFigures";
    private static final String TRY = "try";
    private static final long SEED = 20_261_122L;
    private static final double TRIED_SHARE = 0.05;
    private static final long NANOS = 1_000_000_000L;
    private static final List<String> PARTS = List.of(
            "staleness",
            "adaptive",
            "delays",
            "bytes",
            "cpu-lda",
            "cpu-mf",
            "prefetch",
            "cost",
            "worker",
            "metrics",
            "lda",
            "push",
            "transport");

    private LazyTablesFigures() {}

    /** Measures; the arguments name the parts, none means all. */
    public static void main(String[] arguments) throws Exception {
        var parts = new ArrayList<>(List.of(arguments));
        boolean isTrial = parts.remove(TRY);
        for (String part : parts) {
            if (!PARTS.contains(part)) {
                throw new IllegalArgumentException("there is no part " + part + "; there are " + PARTS);
            }
        }
        if (parts.size() == 1) {
            measure(parts.get(0), isTrial);
        } else {
            each(parts.isEmpty() ? PARTS : parts, isTrial);
        }
    }

    private static void measure(String part, boolean isTrial) throws Exception {
        var progress = new Progress(System.out);
        progress.say(part + ", seed " + SEED);
        @Nullable Recorder recorder = isTrial ? null : Recorder.of("lazytables", COMMAND + " " + part);
        var measuring = new Measuring(new Processes(SEED, isTrial ? TRIED_SHARE : 1), recorder, progress);
        switch (part) {
            case "staleness" -> new StalenessFigures(measuring).run();
            case "adaptive" -> new AdaptiveFigures(measuring).run();
            case "delays" -> new DelayFigures(measuring).run();
            case "bytes" -> new ByteFigures(measuring).run();
            case "cpu-lda" -> new CpuFigures(measuring, Workload.LDA).run();
            case "cpu-mf" -> new CpuFigures(measuring, Workload.MF).run();
            case "prefetch" -> new PrefetchFigures(measuring).run();
            case "cost" -> new CostFigures(measuring).run();
            case "worker" -> new WorkerFigures(measuring).run();
            case "metrics" -> new MetricsFigures(measuring).run();
            case "lda" -> new LdaFigures(measuring).run();
            case "push" -> new PushFigures(measuring).run();
            case "transport" -> new TransportFigures(measuring).run();
            default -> throw new IllegalStateException(part);
        }
        progress.say(part + " done");
    }

    private static void each(List<String> parts, boolean isTrial) throws Exception {
        var seconds = new LinkedHashMap<String, Long>();
        var failed = new ArrayList<String>();
        for (String part : parts) {
            long start = System.nanoTime();
            if (!inProcess(isTrial ? List.of(TRY, part) : List.of(part))) {
                failed.add(part);
            }
            seconds.put(part, (System.nanoTime() - start) / NANOS);
        }
        for (Map.Entry<String, Long> part : seconds.entrySet()) {
            System.out.printf(
                    "%-10s %4d s%s%n",
                    part.getKey(), part.getValue(), failed.contains(part.getKey()) ? "  failed" : "");
        }
        if (!failed.isEmpty()) {
            throw new IllegalStateException("parts that failed: " + failed);
        }
    }

    /** Whether it did. */
    private static boolean inProcess(List<String> arguments) throws Exception {
        Process process =
                Processes.started(List.of(), LazyTablesFigures.class, ProcessBuilder.Redirect.INHERIT, arguments);
        try {
            return process.waitFor() == 0;
        } finally {
            Processes.end(process);
        }
    }
}
