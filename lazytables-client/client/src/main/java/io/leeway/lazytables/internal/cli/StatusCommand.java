package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.config.Surroundings;
import io.leeway.lazytables.internal.remote.RemoteServers;
import io.leeway.lazytables.internal.remote.StatusClient;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code lazytables status}: asks servers how they are, once or again and again.
 *
 * <p>The exit code says whether all of them answered, so that a script may watch servers with it.
 */
final class StatusCommand {

    static final String HELP = """
            lazytables status HOST:PORT[,HOST:PORT...] [--watch[=2s]] [--config=FILE] [--KEY=VALUE ...]
            lazytables status --registry=LOCATION [--watch[=2s]] [--config=FILE] [--KEY=VALUE ...]
              Tells what running servers know: clocks, processes, tables, what waits and what was sent.
              --watch tells it again and again.

            """;

    private static final String WATCH = "watch";
    /** For a connection, and for an answer, of each server. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** Moves to the upper left corner of a terminal and clears it. */
    private static final String CLEAR = "\033[H\033[2J";

    private final PrintStream out;
    private final List<Asked> servers = new ArrayList<>();

    private StatusCommand(PrintStream out) {
        this.out = out;
    }

    /** Runs to the end, which --watch does not have; the exit code. */
    static int run(List<String> arguments, PrintStream out) {
        Words words = Words.of(arguments, Set.of(WATCH));
        var command = new StatusCommand(out);
        try {
            command.open(words);
            return words.has(WATCH)
                    ? command.watch(words.time(WATCH, Duration.ofSeconds(2), Duration.ZERO))
                    : command.tell();
        } finally {
            command.servers.forEach(Asked::close);
        }
    }

    private void open(Words words) {
        Map<String, String> options = Surroundings.options();
        options.putAll(words.options());
        LazyTablesConfig config = LazyTablesConfig.of(options);
        addresses(words, config)
                .forEach(address -> servers.add(new Asked(address, config.withServers(List.of(address)))));
    }

    /** Those that are named, or those that the registry has if none is. */
    private static List<HostAndPort> addresses(Words words, LazyTablesConfig config) {
        if (words.names().isEmpty() && !config.get(LazyTablesOptions.REGISTRY).isEmpty()) {
            return RemoteServers.registered(config, PATIENCE);
        }
        if (words.names().size() != 1) {
            throw Words.usage("status needs the address of a server, such as 127.0.0.1:7171, or --registry");
        }
        List<HostAndPort> addresses;
        try {
            addresses = LazyTablesOptions.SERVERS.read(words.names().get(0));
        } catch (IllegalArgumentException e) {
            throw Words.usage(words.names().get(0) + " is no address; give HOST:PORT, several with commas between");
        }
        if (addresses.isEmpty()) {
            throw Words.usage("there is no address; give HOST:PORT");
        }
        return addresses;
    }

    private int tell() {
        boolean all = true;
        var text = new StringBuilder();
        for (Asked server : servers) {
            text.append(text.isEmpty() ? "" : "\n").append(server.tell());
            all &= server.told;
        }
        out.print(text);
        out.flush();
        return all ? 0 : 1;
    }

    /**
     * Until it is interrupted, or the process ended. A server that does not answer is told so, and asked again the next
     * time.
     */
    private int watch(Duration pause) {
        boolean terminal = Terminal.isThere();
        try {
            while (true) {
                if (terminal) {
                    out.print(CLEAR);
                }
                tell();
                if (!terminal) {
                    out.println();
                }
                Thread.sleep(pause.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /**
     * A server and the connection to it, if there is one.
     *
     * <p>The connection is kept over the times of --watch; it comes again by itself if it breaks.
     */
    private static final class Asked implements AutoCloseable {

        private final HostAndPort address;
        private final LazyTablesConfig config;
        private @Nullable StatusClient client;
        private boolean told;

        Asked(HostAndPort address, LazyTablesConfig config) {
            this.address = address;
            this.config = config;
        }

        String tell() {
            try {
                StatusClient connected = client;
                if (connected == null) {
                    connected = StatusClient.connect(config, PATIENCE);
                    client = connected;
                }
                String text = StatusText.of(address.toString(), connected.ask(PATIENCE));
                told = true;
                return text;
            } catch (LazyTablesException e) {
                told = false;
                return address + ": " + e.getMessage() + "\n";
            }
        }

        @Override
        public void close() {
            if (client != null) {
                client.close();
            }
        }
    }
}
