package io.leeway.autotune;

import com.google.gson.JsonObject;
import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.leeway.autotune.internal.joint.JointPlan;
import io.leeway.autotune.internal.joint.JointService;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.internal.tune.Outcome;
import io.leeway.autotune.internal.tune.Plan;
import io.leeway.autotune.internal.tune.Tuner;
import io.leeway.autotune.lab.BottlenecksCommand;
import io.leeway.autotune.lab.LabCommand;
import io.leeway.autotune.lab.TrainCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bin/autotune}: services whose agents are on this machine.
 *
 * @since 0.1
 */
@Command(
        name = "autotune",
        mixinStandardHelpOptions = true,
        subcommands = {
            ServersCommand.class,
            SpansCommand.class,
            LabCommand.class,
            BottlenecksCommand.class,
            TrainCommand.class
        },
        description = "Tunes services while they run, and applications before they do.")
public final class AutoTuneCommand {

    private static final String HOLDER = "command line";

    @Option(
            names = "--agents",
            description = "Where agents write their addresses.",
            scope = CommandLine.ScopeType.INHERIT)
    private @Nullable Path agents;

    private AutoTuneCommand() {}

    /** Runs a command: 0 if it went well, 1 if it was refused, 2 for a wrong argument. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        return new CommandLine(new AutoTuneCommand())
                .setExecutionExceptionHandler((e, line, result) -> {
                    line.getErr().println(e.getMessage());
                    return 1;
                })
                .execute(arguments);
    }

    Path directory() {
        Path given = agents;
        return given == null ? AgentAddress.standardDirectory() : given;
    }

    private RemoteService service(String name) {
        return new RemoteService(AgentAddress.find(directory(), name), HOLDER);
    }

    @Command(description = "Lists services with an agent.")
    void services() {
        List<AgentAddress> found = AgentAddress.all(directory());
        if (found.isEmpty()) {
            System.out.println("no agents in " + directory()
                    + "; a service of another user, in a container, or with directory= has its own: see --agents");
        }
        found.forEach(agent -> System.out.printf("%-8d %s%n", agent.pid(), agent.name()));
    }

    @Command(description = "Loads the agent into a JVM that runs.")
    void attach(
            @Parameters(paramLabel = "PID") String pid,
            @Option(names = "--jar", required = true, description = "autotune-agent.jar") Path jar,
            @Option(names = "--options", defaultValue = "", description = "as in -javaagent:jar=OPTIONS")
                    String options) {
        if (!Files.isReadable(jar)) {
            throw AutoTuneError.BAD_REQUEST.because(jar + " is no file that can be read");
        }
        if (AgentAddress.all(directory()).stream()
                .anyMatch(agent -> Long.toString(agent.pid()).equals(pid))) {
            System.out.println(pid + " has an agent already; its options stay as they are");
            return;
        }
        try {
            VirtualMachine machine = VirtualMachine.attach(pid);
            try {
                // The last of two values of an option holds, so a directory that is given does.
                machine.loadAgent(
                        jar.toAbsolutePath().toString(),
                        "directory=" + directory().toAbsolutePath() + (options.isEmpty() ? "" : "," + options));
                System.out.println("attached to " + pid);
            } finally {
                machine.detach();
            }
        } catch (IOException | AttachNotSupportedException e) {
            throw AutoTuneError.NO_ANSWER.because(
                    "process " + pid + " is gone, no HotSpot JVM, or another user's: " + e.getMessage(), e);
        } catch (AgentLoadException | AgentInitializationException e) {
            throw AutoTuneError.REFUSED.because(
                    "JVM " + pid + " does not load " + jar + "; JDK 25 needs -XX:+EnableDynamicAgentLoading: "
                            + e.getMessage(),
                    e);
        }
    }

    @Command(description = "Shows what can be changed.")
    void knobs(@Parameters(paramLabel = "SERVICE") String name) {
        RemoteService service = service(name);
        Setting values = service.read();
        service.knobs()
                .forEach(knob -> System.out.printf(
                        "%-40s %10s  %-14s %s%n",
                        knob.name(), values.values().get(knob.name()), knob.bounds(), knob.rule()));
    }

    @Command(description = "Changes knobs and keeps them.")
    void set(
            @Parameters(paramLabel = "SERVICE") String name,
            @Parameters(paramLabel = "KNOB=VALUE", arity = "1..*") List<String> changes) {
        RemoteService service = service(name);
        List<KnobSpec> knobs = service.knobs();
        var values = new TreeMap<String, KnobValue>();
        for (String change : changes) {
            int at = change.lastIndexOf('=');
            if (at < 1) {
                throw AutoTuneError.BAD_REQUEST.because("not knob=value: " + change);
            }
            String wanted = change.substring(0, at);
            KnobSpec knob = knobs.stream()
                    .filter(known -> known.name().equals(wanted))
                    .findFirst()
                    .orElseThrow(() -> AutoTuneError.UNKNOWN_NAME.because("no knob " + wanted + " in "
                            + knobs.stream().map(KnobSpec::name).toList()));
            values.put(knob.name(), knob.parse(change.substring(at + 1)));
        }
        Setting before = service.read();
        service.apply(new Setting(values));
        service.keep();
        service.release();
        System.out.println(service.read().changesFrom(before));
    }

    @Command(description = "Lets a service's agent tune it.")
    void tune(
            @Parameters(paramLabel = "SERVICE") String name,
            @Option(names = "-o", description = "an option, such as window=10s") @Nullable
                    Map<String, String> options) {
        var given = new JsonObject();
        if (options != null) {
            options.forEach(given::addProperty);
        }
        print(service(name).tune(given.toString()));
    }

    @Command(description = "Tunes several services and what is around them as one, from here.")
    void joint(
            @Parameters(paramLabel = "FILE", description = "which services and knobs; see operations.md") Path file,
            @Option(names = "-o", description = "an option, such as window=10s") @Nullable
                    Map<String, String> options) {
        AutoTuneOptions chosen = AutoTuneOptions.defaults();
        for (Map.Entry<String, String> given : (options == null ? Map.<String, String>of() : options).entrySet()) {
            chosen = chosen.with(option(given.getKey()), given.getValue());
        }
        JointService service = JointPlan.read(file, directory(), System.out::println);
        // Who breaks it off gets the values that were kept.
        try (var unused = BreakOff.ofThisThread()) {
            long begun = System.nanoTime();
            Outcome outcome = new Tuner(
                            service,
                            Plan.of(chosen),
                            round -> System.out.println(round.line()),
                            () -> false,
                            () -> (System.nanoTime() - begun) / 1e9,
                            1)
                    .run();
            System.out.println(
                    outcome.accepted()
                            ? "stays: " + outcome.last().changesFrom(outcome.first())
                            : "nothing better found: what there was before is in place");
        } catch (CancellationException e) {
            System.out.println("broken off: what was last kept is in place");
        } finally {
            service.release();
        }
    }

    private static AutoTuneOption<?> option(String key) {
        return AutoTuneOptions.all().stream()
                .filter(known -> known.key().equals(AutoTuneOptions.PREFIX + key))
                .findFirst()
                .orElseThrow(() -> AutoTuneError.BAD_OPTION.because("unknown: " + key));
    }

    @Command(description = "Asks a run to end after its round.")
    void pause(@Parameters(paramLabel = "SERVICE") String name) {
        service(name).stop();
    }

    @Command(description = "Shows settings and what was done.")
    void status(@Parameters(paramLabel = "SERVICE") String name) {
        print(service(name).status());
    }

    private static void print(String status) {
        JsonObject json = Json.object(status);
        System.out.println(Json.text(json, "name") + ": " + Json.text(json, "state"));
        if (json.has("recent")) {
            Window recent = Json.read(json.get("recent"), Window.class);
            System.out.println(
                    recent.requests() == 0
                            ? "no requests in the last ten seconds"
                            : String.format(
                                    Locale.ROOT,
                                    "last ten seconds: %.1f requests/s, p50 %.1f ms, p95 %.1f ms, %.1f %% failed",
                                    recent.throughput(),
                                    recent.p50(),
                                    recent.p95(),
                                    100 * recent.errorRate()));
        }
        Json.setting(Json.object(json, "setting"))
                .values()
                .forEach((knob, value) -> System.out.println("  " + knob + " " + value));
        JsonObject signals = Json.object(json, "signals");
        signals.keySet()
                .forEach(name -> System.out.printf(
                        Locale.ROOT, "  %-26s %,.2f%n", name, signals.get(name).getAsDouble()));
        Json.array(json, "rounds").forEach(round -> System.out.println(Json.text(round.getAsJsonObject(), "line")));
    }

    @Command(description = "Takes back what was not kept; or all, and breaks a run off.")
    void rollback(
            @Parameters(paramLabel = "SERVICE") String name,
            @Option(names = "--first", description = "to the values from before anything was changed") boolean first) {
        RemoteService service = service(name);
        Setting before = service.read();
        if (first) {
            service.reset();
        } else {
            service.restore();
        }
        service.release();
        String changes = service.read().changesFrom(before);
        System.out.println(changes.isEmpty() ? "nothing to take back" : changes);
    }

    @Command(description = "Starts the controller: REST API and page.")
    void controller(
            @Option(names = "--port", defaultValue = "7979") int port,
            @Option(names = "--directory", defaultValue = "autotune-controller") Path directory)
            throws IOException, InterruptedException {
        try (AutoTuneController controller = AutoTuneController.start(port, directory, directory())) {
            System.out.println(
                    "http://127.0.0.1:" + controller.port() + "/, token in " + directory.resolve("controller.token"));
            new CountDownLatch(1).await();
        }
    }
}
