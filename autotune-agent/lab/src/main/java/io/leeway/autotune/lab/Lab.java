package io.leeway.autotune.lab;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.lab.internal.detect.ServiceClassifier;
import io.leeway.autotune.lab.internal.run.LabRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Runs application files (Gagan Somashekhar, "Performance Management of Large-Scale Microservices Applications", 2023,
 * section 3.3.2).
 *
 * @since 0.1
 */
public final class Lab {

    /**
     * How a run ended.
     *
     * @param study all trials
     * @param output where report, trials and {@code best/} are
     * @param isBetter whether the best was better than no tuning when both were measured again
     */
    public record Result(Study study, Path output, boolean isBetter) {}

    private Lab() {}

    /** Reads the files and says what would be done; throws as {@link #run} does where they have faults. */
    public static String check(Path file) {
        return LabRun.check(file);
    }

    /**
     * Runs an application file, or goes on with a run that was killed.
     *
     * @param file the application file
     * @param isFresh whether an earlier run is forgotten
     * @param teller told of every step, a line each
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_FILE} and all faults of the files, or
     *     {@link AutoTuneError#NO_EXPERIMENT} if nothing could be measured
     */
    public static Result run(Path file, boolean isFresh, Consumer<String> teller) {
        try {
            LabRun.Result result = LabRun.run(file, isFresh, ServiceClassifier.trained(), teller);
            return new Result(result.study(), result.output(), result.isBetter());
        } catch (IOException e) {
            throw AutoTuneError.NO_EXPERIMENT.because(LabRun.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AutoTuneError.NO_EXPERIMENT.because("interrupted; the same command goes on", e);
        }
    }
}
