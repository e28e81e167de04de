package io.leeway.autotune.lab;

import io.leeway.autotune.AutoTuneError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code autotune bottlenecks}: the instances that make requests slow, from files of traces.
 *
 * @since 0.1
 */
@Command(
        name = "bottlenecks",
        mixinStandardHelpOptions = true,
        description =
                "Names the instances that make requests slow, from traces (OTLP, Zipkin, Jaeger, `autotune spans`).")
public final class BottlenecksCommand implements Runnable {

    @Parameters(paramLabel = "TRACES", arity = "1..*", description = "Files or directories of traces.")
    private List<Path> traces = new ArrayList<>();

    @Option(names = "--usual", description = "Traces from when all was well; without, the traces themselves.")
    private List<Path> usual = new ArrayList<>();

    @Option(names = "--model", description = "A model of `autotune train`; without, the one that comes along.")
    private @Nullable Path model;

    @Option(names = "--page", description = "Where a page is written: suspects, timeline, critical path.")
    private @Nullable Path page;

    /** As the command line makes it. */
    public BottlenecksCommand() {}

    @Override
    public void run() {
        Path given = model;
        Bottlenecks bottlenecks = given == null ? Bottlenecks.standard() : Bottlenecks.of(given);
        try {
            List<Bottlenecks.Suspect> suspects = bottlenecks.find(usual, traces, page, System.out::println);
            suspects.forEach(suspect -> System.out.println(String.format(
                    Locale.ROOT, "%-30s %.2f  %s", suspect.instance(), suspect.score(), suspect.reason())));
            if (suspects.isEmpty()) {
                System.out.println("No instance stands out.");
            }
        } catch (IOException e) {
            throw AutoTuneError.BAD_TRACES.because(String.valueOf(e.getMessage()), e);
        }
    }
}
