package io.leeway.autotune.lab;

import io.leeway.autotune.AutoTuneError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code autotune train}: a model for {@code bottlenecks}.
 *
 * @since 0.1
 */
@Command(
        name = "train",
        mixinStandardHelpOptions = true,
        description = "Trains a model of bottlenecks on simulated applications and on recordings of real ones.")
public final class TrainCommand implements Runnable {

    @Parameters(paramLabel = "MODEL", description = "The file that is written.")
    private Path model = Path.of("model.json.gz");

    @Option(names = "--applications", defaultValue = "16")
    private int applications;

    @Option(names = "--traces", defaultValue = "500", description = "Of each application.")
    private int traces;

    @Option(names = "--ratio", defaultValue = "0.3", description = "Anomalous traces to normal ones.")
    private double ratio;

    @Option(
            names = "--recordings",
            description = "Directories of recordings of real applications: traces with a labels.json, see lab.md.")
    private List<Path> recordings = new ArrayList<>();

    @Option(names = "--epochs", defaultValue = "8")
    private int epochs;

    @Option(names = "--seed", defaultValue = "1")
    private long seed;

    /** As the command line makes it. */
    public TrainCommand() {}

    @Override
    public void run() {
        if (applications < 1 || traces < 10 || !(ratio > 0) || epochs < 1) {
            throw AutoTuneError.BAD_VALUE.because("numbers of applications, traces, epochs and the ratio are above 0");
        }
        try {
            var simulated = new Bottlenecks.Simulated(applications, traces, ratio);
            Bottlenecks.train(model, simulated, recordings, epochs, seed, System.out::println);
            System.out.println("wrote " + model);
        } catch (IOException e) {
            throw AutoTuneError.BAD_MODEL.because(String.valueOf(e.getMessage()), e);
        }
    }
}
