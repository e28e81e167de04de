package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import java.util.List;

/**
 * Measures hindex beside its peers, on real servers, and records every figure in {@code docs/benchmarks/results/hindex.json}.
 *
 * <pre>{@code
 * build/bench io.leeway.benchmarks.hindex.HindexFigures [part...]
 * }</pre>
 *
 * <p>Without names all parts are measured: {@code online}, {@code apart}, {@code stale}, {@code load}, {@code mix}, {@code plain}, {@code
 * files}, {@code compactions}, {@code package} and {@code profile}.
 */
public final class HindexFigures {

    private static final String COMMAND = "build/bench io.leeway.benchmarks.hindex.HindexFigures";
    private static final long SEED = 20_261_122L;
    private static final List<String> PARTS =
            List.of("online", "apart", "stale", "load", "mix", "plain", "files", "compactions", "package", "profile");

    private HindexFigures() {}

    /** Measures; the arguments name the parts, none means all. */
    public static void main(String[] arguments) throws Exception {
        List<String> parts = arguments.length == 0 ? PARTS : List.of(arguments);
        Recorder recorder = Recorder.of("hindex", COMMAND);
        var progress = new Progress(System.out);
        progress.say("seed " + SEED);
        try (var servers = new Servers()) {
            for (String part : parts) {
                switch (part) {
                    case "online" -> new OnlineFigures(servers, recorder, SEED, progress).run();
                    case "apart" -> new ApartFigures(recorder, SEED, progress).run();
                    case "stale" -> new StaleFigures(servers, recorder, SEED, progress).run();
                    case "load" -> new LoadFigures(servers, recorder, SEED, progress).run();
                    case "plain" -> new PlainFigures(recorder, SEED, progress).run();
                    case "mix" -> new MixFigures(servers, recorder, SEED, progress).run();
                    case "compactions" -> new CompactionFigures(servers, recorder, SEED, progress).run();
                    case "package" -> new PackageFigures(recorder, SEED, progress).run();
                    case "files" -> new FileFigures(servers, recorder, SEED, progress).run();
                    case "profile" -> new ProfileFigures(recorder, SEED, progress).run();
                    default -> throw new IllegalArgumentException("there is no part " + part + "; there are " + PARTS);
                }
            }
        }
        progress.say("done");
        // Phoenix's client keeps threads.
        System.exit(0);
    }
}
