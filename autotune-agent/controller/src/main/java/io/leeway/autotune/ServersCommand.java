package io.leeway.autotune;

import io.leeway.autotune.internal.deploy.AutoTune;
import io.leeway.autotune.internal.deploy.Step;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.outside.ControlGroup;
import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.internal.servers.Application;
import io.leeway.autotune.internal.servers.GroupServers;
import io.leeway.autotune.internal.servers.Journal;
import io.leeway.autotune.internal.servers.KubernetesServers;
import io.leeway.autotune.internal.servers.Servers;
import io.leeway.autotune.internal.servers.Trials;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code autotune servers}: AutoTune's search, on control groups of this machine or on Kubernetes. */
@Command(
        name = "servers",
        description = "Looks for a deployment on fewer servers that does as well, on processes in control groups or on "
                + "Kubernetes.")
final class ServersCommand implements Runnable {

    @ParentCommand
    private @Nullable AutoTuneCommand parent;

    @Parameters(paramLabel = "FILE", description = "the application; see operations.md")
    private Path file = Path.of("");

    @Option(names = "--dry-run", description = "only checks, and says what it would do")
    private boolean dryRun;

    @Option(names = "--restore", description = "only takes back what a run that was killed left")
    private boolean restore;

    @Option(names = "--keep", description = "leaves the result in place")
    private boolean keep;

    @Override
    public void run() {
        Application application = Application.read(file);
        RemoteService measured = restore || application.measured().isEmpty() ? null : measured(application);
        Servers servers = servers(application, new Trials(application, measured, System.out::println));
        try (var unused = BreakOff.ofThisThread()) {
            boolean stays = false;
            try {
                if (dryRun) {
                    servers.rehearse();
                } else if (!restore) {
                    search(servers, application);
                    stays = keep;
                }
            } finally {
                // Broken off, it is interrupted, and what takes things back must not be.
                boolean interrupted = Thread.interrupted();
                if (!stays) {
                    servers.close();
                }
                if (measured != null) {
                    measured.release();
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private RemoteService measured(Application application) {
        Path agents = parent == null ? AgentAddress.standardDirectory() : parent.directory();
        return new RemoteService(
                AgentAddress.find(agents, application.measured()),
                "servers " + ProcessHandle.current().pid());
    }

    private Servers servers(Application application, Trials trials) {
        Application.Cluster cluster = application.cluster();
        return cluster == null
                ? new GroupServers(application, ControlGroup.standardRoot(), trials, System.out::println)
                : new KubernetesServers(
                        application,
                        cluster,
                        trials,
                        Json.text(cluster.api(), "run", file.toAbsolutePath() + "@" + host()),
                        System.out::println);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private void search(Servers servers, Application application) {
        var journal = new Journal(file.resolveSibling(file.getFileName() + ".journal"));
        Optional<Step> from = journal.last();
        from.ifPresent(step -> System.out.println("goes on after: " + step.what()));
        var search = new AutoTune(
                servers,
                application.settings(),
                application.first(),
                step -> {
                    journal.add(step);
                    System.out.println(step.phase().name().toLowerCase(Locale.ROOT) + ": " + step.what());
                },
                () -> false);
        print(from.isPresent() ? search.resume(from.get()) : search.run());
    }

    private static void print(AutoTune.Result result) {
        System.out.printf(
                Locale.ROOT,
                "%d → %d servers, latency × %.2f on fresh trials, %d trials%n",
                result.first().servers(),
                result.last().servers(),
                result.ratio(),
                result.trials());
        result.last()
                .allocations()
                .forEach((name, allocation) -> System.out.println("  " + name + " on server "
                        + result.last().placement().get(name) + ": " + allocation.amounts()));
        result.impacts().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .ifPresent(most -> System.out.println("most impacted: " + most.getKey()));
    }
}
