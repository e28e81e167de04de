package io.leeway.autotune.internal.servers;

import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.Window;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.outside.Command;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.spi.Orchestrator.Trial;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a trial says: a window at the entry points of the service that counts, after a moment in which the change
 * settles, or the line that the operator's command prints, which runs the load itself. For one thread.
 */
public final class Trials {

    private static final double STARVED_MILLIS = 1e6;

    /** The command has so much longer than a trial. */
    private static final long PATIENCE_SECONDS = 120;

    private final Application application;
    private final @Nullable RemoteService measured;
    private final Consumer<String> log;
    private boolean hasAnswered;
    private int number;

    /**
     * Trials of an application.
     *
     * @param measured the service whose latency counts; null where a command measures
     */
    public Trials(Application application, @Nullable RemoteService measured, Consumer<String> log) {
        this.application = application;
        this.measured = measured;
        this.log = log;
    }

    Trial run() {
        Trial trial = measured == null ? byCommand() : byAgent(measured);
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("broken off");
        }
        log.accept(String.format(
                Locale.ROOT, "  trial %d: %.1f requests/s, %.1f ms", ++number, trial.throughput(), trial.latency()));
        return trial;
    }

    private Trial byAgent(RemoteService service) {
        service.measure(application.settleSeconds(), window -> true);
        Window window = service.measure(application.trialSeconds(), seen -> true);
        if (window.requests() == 0) {
            if (!hasAnswered) {
                throw AutoTuneError.NO_ANSWER.because(service.name() + " answers no requests: is there load on it?");
            }
            // Starved: as bad as can be, and no reason to give up.
            return new Trial(STARVED_MILLIS, 0, 1);
        }
        hasAnswered = true;
        return new Trial(
                application.percentile() >= 0.99 ? window.p99() : window.p95(),
                window.throughput(),
                window.errorRate());
    }

    private Trial byCommand() {
        LockSupport.parkNanos((long) (application.settleSeconds() * TimeUnit.SECONDS.toNanos(1)));
        try {
            String printed = Command.run(application.measuring(), (long) application.trialSeconds() + PATIENCE_SECONDS);
            JsonObject json = Json.object(printed.substring(printed.lastIndexOf('\n') + 1));
            return new Trial(
                    Json.number(json, "latency"), Json.number(json, "throughput"), Json.number(json, "errorRate", 0));
        } catch (IOException e) {
            throw AutoTuneError.NO_ANSWER.because("the command that measures: " + e.getMessage(), e);
        }
    }
}
