package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.config.Surroundings;
import io.leeway.lazytables.internal.remote.RemoteServers;
import io.leeway.lazytables.internal.remote.StatusClient;
import io.leeway.lazytables.internal.upkeep.SnapshotPlaces;
import java.io.File;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code lazytables run}: starts servers and a program several times, as the client processes, on this machine, tells
 * each who it is, and ends all when one fails.
 *
 * <p>The program's {@code LazyTables.builder()} finds what it is told in its environment.
 */
final class RunCommand {

    static final String HELP = """
            lazytables run [--processes=2] [--servers=1] [--class-path=PATH --main=CLASS] [--jvm="-Xmx1g ..."]
                [--clocks=N] [--progress=bars|lines|none] [--config=FILE] [--KEY=VALUE ...] [-- ARGUMENT ...]
              Starts servers and that many processes of a program on this machine: the main class, or the command
              behind --. Each is told servers and its number by its environment, where LazyTables.builder() finds
              them. When one fails, all are ended, and its exit code is that of the run. --servers may also be
              addresses of servers that run already; with --registry=LOCATION they are those that are registered
              there. --clocks says how many the bars are to show as the whole.
              In --snapshot.directory=DIR each server has a directory of its own: DIR/server-0, DIR/server-1, ...

            """;

    private static final Set<String> OWN =
            Set.of("processes", "servers", "class-path", "main", "jvm", "clocks", "progress");
    /** What each process is told differently, and what surrounds this one is of no use for. */
    private static final Set<String> CHOSEN =
            Set.of(LazyTablesOptions.SERVERS.key(), LazyTablesOptions.PROCESS.key(), LazyTablesOptions.LISTEN.key());

    /** For servers to listen, or to be registered. */
    private static final Duration READY = Duration.ofSeconds(60);
    /** For a look at how far processes are; a server that is busy is asked again soon. */
    private static final Duration ANSWER = Duration.ofSeconds(2);
    /** The last time: no other comes behind it, and in a short run it is the first that this Java machine connects. */
    private static final Duration LAST_ANSWER = Duration.ofSeconds(20);

    /** Between two looks where somebody watches; where lines go to a file they are rarer. */
    private static final long BARS_MILLIS = 500;

    private static final long LINES_MILLIS = 10_000;
    /** Processes or servers on one machine; what is above is a slip of the keyboard. */
    private static final int MOST = 1_024;

    private static final int FAILED = 1;

    private final Words words;
    /** What stands behind --: the program's arguments, or the whole command. */
    private final List<String> behind;

    private final Screen screen;
    private final long pauseMillis;
    private final boolean bars;
    private final int processes;
    private final Children children = new Children();
    /** Children that ended, in that order; the first that failed decides. */
    private final LinkedBlockingQueue<Ended> ends = new LinkedBlockingQueue<>();
    /** Connected with the first look and used again; null until then. */
    private volatile @Nullable StatusClient status;

    private RunCommand(Words words, List<String> behind, PrintStream out) {
        this.words = words;
        this.behind = behind;
        this.processes = words.whole("processes", 2, 1, MOST);
        String progress = words.text("progress");
        String how = progress == null ? Terminal.isThere() ? "bars" : "lines" : progress;
        if (!Set.of("bars", "lines", "none").contains(how)) {
            throw Words.usage("--progress=" + how + " is not known; give bars, lines or none");
        }
        bars = how.equals("bars");
        pauseMillis = how.equals("none") ? Long.MAX_VALUE : bars ? BARS_MILLIS : LINES_MILLIS;
        screen = new Screen(out, bars);
    }

    /**
     * Runs to the end of the program; the exit code.
     *
     * <p>Children are ended in any case: also when this process is told to end, by a hook, as nobody else knows of
     * them.
     */
    static int run(List<String> arguments, PrintStream out) {
        int split = arguments.indexOf("--");
        Words words = Words.of(split < 0 ? arguments : arguments.subList(0, split), OWN);
        words.optionsAlone();
        var command =
                new RunCommand(words, split < 0 ? List.of() : arguments.subList(split + 1, arguments.size()), out);
        var hook = new Thread(command::endAll, "lazytables-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return command.run();
        } finally {
            command.endAll();
            removeHook(hook);
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook itself ends the processes.
        }
    }

    /**
     * Faults in options and program are told first, so that nothing is started in vain; then servers, whose addresses
     * the processes need.
     */
    private int run() {
        List<String> program = program();
        Map<String, String> options = options();
        HostAndPort first = servers(options);
        LazyTablesConfig config = LazyTablesConfig.of(options);
        for (int i = 0; i < processes; i++) {
            options.put(LazyTablesOptions.PROCESS.key(), Integer.toString(i));
            start(Integer.toString(i), program, options, true);
        }
        return await(config, first);
    }

    /**
     * What processes are told, but for servers and the own number; faults are told before anything starts.
     *
     * <p>All of them are checked here, though each process checks them again: a fault is told once and not by each.
     */
    private Map<String, String> options() {
        Map<String, String> options = Surroundings.options();
        options.keySet().removeAll(CHOSEN);
        // Processes inherit the environment of this one, which may name servers or a registry.
        options.put(LazyTablesOptions.SERVERS.key(), "");
        options.put(LazyTablesOptions.REGISTRY.key(), "");
        options.put(LazyTablesOptions.REGISTRY_AUTH.key(), "");
        for (String chosen : CHOSEN) {
            if (words.options().containsKey(chosen)) {
                throw Words.usage("--" + chosen + " is chosen by run for each process");
            }
        }
        options.putAll(words.options());
        options.put(LazyTablesOptions.PROCESSES.key(), Integer.toString(processes));
        LazyTablesConfig.of(options);
        return options;
    }

    /** With a main class, by the same Java as this one and behind the same class path, so that it finds the library. */
    private List<String> program() {
        String main = words.text("main");
        if (main == null) {
            if (behind.isEmpty()) {
                throw Words.usage("run needs a program: --main=CLASS, or a command behind --");
            }
            return behind;
        }
        var command = new ArrayList<String>();
        command.add(java());
        String jvm = words.text("jvm");
        if (jvm != null && !jvm.isBlank()) {
            command.addAll(List.of(jvm.strip().split("\\s+")));
        }
        command.addAll(List.of("-cp", classPath(), main));
        command.addAll(behind);
        return command;
    }

    /**
     * Has processes told where the servers are, which are started here unless they run already; the first one's
     * address.
     */
    private HostAndPort servers(Map<String, String> options) {
        String given = words.text("servers");
        if (words.options().containsKey(LazyTablesOptions.REGISTRY.key())) {
            if (given != null) {
                throw Words.usage(
                        "--servers=" + given + " and --registry contradict each other: servers that run already"
                                + " are found in the registry, and those that run starts need none; give one of them");
            }
            // One that nobody finds is told before anything starts, and once.
            return RemoteServers.registered(LazyTablesConfig.of(options), READY).get(0);
        }
        options.put(
                LazyTablesOptions.SERVERS.key(),
                given != null && given.indexOf(':') >= 0 ? given : startServers(options));
        return LazyTablesConfig.of(options).get(LazyTablesOptions.SERVERS).get(0);
    }

    /**
     * The addresses of servers that are started.
     *
     * <p>On ports that the system chooses, and on this machine only; all are started before the first is waited for.
     */
    private String startServers(Map<String, String> options) {
        int count = words.whole("servers", 1, 1, MOST);
        var started = new ArrayList<Child>();
        var command = List.of(
                java(),
                "-cp",
                classPath(),
                LazyTablesCommand.class.getName(),
                "server",
                "--" + LazyTablesOptions.LISTEN.key() + "=127.0.0.1:0");
        String snapshots = options.getOrDefault(LazyTablesOptions.SNAPSHOT_DIRECTORY.key(), "");
        for (int i = 0; i < count; i++) {
            var own = new HashMap<>(options);
            if (!snapshots.isEmpty()) {
                own.put(LazyTablesOptions.SNAPSHOT_DIRECTORY.key(), SnapshotPlaces.ofServer(snapshots, i));
            }
            started.add(start("server " + i, command, own, false));
        }
        var addresses = new ArrayList<String>();
        for (Child server : started) {
            addresses.add(server.awaitReady(READY));
        }
        return String.join(",", addresses);
    }

    /**
     * By the environment, not by arguments: those are the program's own, and a token among them would be in every list
     * of processes.
     */
    private Child start(String name, List<String> command, Map<String, String> options, boolean isWorker) {
        var environment = new HashMap<String, String>();
        options.forEach((key, value) -> environment.put(Surroundings.variable(key), value));
        Child child =
                children.start(() -> Child.start(name, command, environment, screen::line, CommandLine.LISTENING));
        child.onEnd(code -> ends.add(new Ended(child, code, isWorker)));
        return child;
    }

    /**
     * Until all processes have ended well, or the first child has not: then the others would wait for it, and all are
     * ended.
     */
    private int await(LazyTablesConfig config, HostAndPort first) {
        int left = processes;
        while (left > 0) {
            Ended ended = nextEnd();
            if (ended == null) {
                showProgress(config, first, ANSWER);
            } else if (!ended.isWorker()) {
                screen.line(ended.child().name() + " ended with exit code " + ended.code()
                        + " while the program ran; all are ended");
                return FAILED;
            } else if (ended.code() != 0) {
                screen.line("process " + ended.child().name() + " failed with exit code " + ended.code()
                        + "; the others are ended");
                return ended.code();
            } else {
                left--;
            }
        }
        if (pauseMillis < Long.MAX_VALUE) {
            showProgress(config, first, LAST_ANSWER);
        }
        return 0;
    }

    private @Nullable Ended nextEnd() {
        try {
            return ends.poll(pauseMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LazyTablesException.of(Code.FAILED, "Interrupted while the program ran", e);
        }
    }

    /**
     * Shows how far processes are, as the first server knows it: all servers hear the same clocks. A run goes on
     * without bars if it does not tell.
     */
    private void showProgress(LazyTablesConfig config, HostAndPort first, Duration limit) {
        try {
            StatusClient asked = status;
            if (asked == null) {
                asked = StatusClient.connect(config.withServers(List.of(first)), limit);
                status = asked;
            }
            var progress = new RunProgress(words.whole("clocks", 0, 0, Integer.MAX_VALUE));
            var now = asked.ask(limit);
            screen.bars(bars ? progress.bars(now) : List.of(progress.line(now)));
        } catch (LazyTablesException silent) {
            // The next time, perhaps.
        }
    }

    /** Ends what was started; once more does nothing. Called by the command and by the hook, in either order. */
    private void endAll() {
        children.end();
        StatusClient asked = status;
        if (asked != null) {
            asked.close();
        }
    }

    private String classPath() {
        String own = System.getProperty("java.class.path");
        String given = words.text("class-path");
        return given == null ? own : given + File.pathSeparator + own;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** A child that has ended; a server that ends before the program is a failure, whatever its exit code. */
    private record Ended(Child child, int code, boolean isWorker) {}
}
