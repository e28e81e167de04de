package io.leeway.autotune;

import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.internal.trace.Span;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * {@code autotune spans}: what agents saw of requests that brought a trace's header with them, as a file that
 * {@code autotune bottlenecks} reads.
 */
@Command(
        name = "spans",
        mixinStandardHelpOptions = true,
        description = "Writes the requests that agents see, as a file of traces for `autotune bottlenecks`.")
final class SpansCommand implements Runnable {

    private static final long LOOK_MILLIS = 200;

    @ParentCommand
    private @Nullable AutoTuneCommand parent;

    @Parameters(paramLabel = "SERVICE", arity = "0..*", description = "Services; without, all on this machine.")
    private List<String> services = new ArrayList<>();

    @Option(names = "--to", required = true, description = "The file; replaced if it is there.")
    private Path file = Path.of("");

    @Option(names = "--requests", defaultValue = "200", description = "So many requests; ${DEFAULT-VALUE} by default.")
    private int requests;

    @Option(names = "--seconds", defaultValue = "60", description = "At most so long; ${DEFAULT-VALUE} by default.")
    private int seconds;

    @Override
    public void run() {
        if (requests < 1 || seconds < 1) {
            throw AutoTuneError.BAD_REQUEST.because("--requests and --seconds are at least 1");
        }
        int seen = write(agents(), file, requests, seconds);
        System.out.println(
                seen == 0
                        ? "no request brought a trace's header (traceparent or b3) with it"
                        : seen + " requests in " + file);
    }

    /** Writes them, and says how many requests there were. */
    static int write(List<RemoteService> agents, Path file, int requests, int seconds) {
        // What waited there may be of any time.
        agents.forEach(RemoteService::spans);
        Set<String> seen = new HashSet<>();
        long begun = System.nanoTime();
        try (var out = new PrintWriter(Files.newBufferedWriter(file))) {
            while (seen.size() < requests && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(seconds)) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                for (RemoteService agent : agents) {
                    for (Span span : agent.spans()) {
                        seen.add(span.trace());
                        out.println(Json.tree(span));
                    }
                }
            }
        } catch (IOException e) {
            throw AutoTuneError.BAD_REQUEST.because(file + " cannot be written: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return seen.size();
    }

    private List<RemoteService> agents() {
        AutoTuneCommand known = parent;
        Path directory = known == null ? AgentAddress.standardDirectory() : known.directory();
        List<AgentAddress> found = services.isEmpty()
                ? AgentAddress.all(directory)
                : services.stream()
                        .map(name -> AgentAddress.find(directory, name))
                        .toList();
        if (found.isEmpty()) {
            throw AutoTuneError.UNKNOWN_NAME.because("no agents in " + directory);
        }
        return found.stream()
                .map(address -> new RemoteService(address, "spans"))
                .toList();
    }
}
