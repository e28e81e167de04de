package io.leeway.benchmarks.lazytables;

import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import java.util.List;

/**
 * Measures LazyTables in processes on this machine, beside programs in one thread, and records every figure in
 * {@code benchmarks/results/lazytables.json}.
 *
 * <pre>{@code
 * benchmarks/run io.leeway.benchmarks.lazytables.LazyTablesFigures [part...]
 * }</pre>
 *
 * <p>Without names all parts are measured.
 */
public final class LazyTablesFigures {

    static final String COMMAND = "benchmarks/run io.leeway.benchmarks.lazytables.LazyTablesFigures";
    private static final long SEED = 20_261_122L;
    private static final List<String> PARTS =
            List.of("staleness", "delays", "bytes", "cpu", "prefetch", "cost", "transport");

    private LazyTablesFigures() {}

    /** Measures; the arguments name the parts, none means all. */
    public static void main(String[] arguments) throws Exception {
        List<String> parts = arguments.length == 0 ? PARTS : List.of(arguments);
        for (String part : parts) {
            if (!PARTS.contains(part)) {
                throw new IllegalArgumentException("there is no part " + part + "; there are " + PARTS);
            }
        }
        var progress = new Progress(System.out);
        progress.say("seed " + SEED);
        for (String part : parts) {
            var measuring =
                    new Measuring(new Processes(SEED, 1), Recorder.of("lazytables", COMMAND + " " + part), progress);
            switch (part) {
                case "staleness" -> new StalenessFigures(measuring).run();
                case "delays" -> new DelayFigures(measuring).run();
                case "bytes" -> new ByteFigures(measuring).run();
                case "cpu" -> new CpuFigures(measuring).run();
                case "prefetch" -> new PrefetchFigures(measuring).run();
                case "cost" -> new CostFigures(measuring).run();
                case "transport" -> TransportFigures.main(new String[0]);
                default -> throw new IllegalStateException(part);
            }
        }
        progress.say("done");
    }
}
