package io.leeway.benchmarks.eppi;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** All measurements, or those whose names are given: success, compute, scale, documents, network. */
public final class EppiBenchmark {

    private static final String COMMAND = "build/bench io.leeway.benchmarks.eppi.EppiBenchmark";

    private EppiBenchmark() {}

    /** Takes a figure as soon as it is there. */
    interface Figures {
        void record(String name, double value, String unit, @Nullable Double goal, Better better, String peer);

        default void record(String name, double value, String unit) {
            record(name, value, unit, null, Better.LOWER, "");
        }
    }

    /** Runs. */
    public static void main(String[] names) throws Exception {
        List<String> chosen =
                names.length == 0 ? List.of("success", "compute", "scale", "documents", "network") : List.of(names);
        Recorder recorder = Recorder.of("eppi", COMMAND);
        Figures figures = (name, value, unit, goal, better, peer) -> {
            System.out.printf(Locale.ROOT, "%s: %.6g %s %s%n", name, value, unit, peer);
            try {
                recorder.record(name, value, unit, goal, better, peer);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        };
        for (String name : chosen) {
            long begin = System.nanoTime();
            switch (name) {
                case "success" -> Success.run(figures);
                case "compute" -> Compute.run(figures);
                case "scale" -> Scale.run(figures);
                case "documents" -> Documents.run(figures);
                case "network" -> Network.run(figures);
                default -> throw new IllegalArgumentException("there is no measurement " + name);
            }
            System.out.printf(Locale.ROOT, "%s took %.1f s%n", name, (System.nanoTime() - begin) / 1e9);
        }
    }
}
