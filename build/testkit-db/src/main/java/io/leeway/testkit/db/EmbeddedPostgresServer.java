package io.leeway.testkit.db;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** PostgreSQL as a child process; runs as root too, through a user name space. */
final class EmbeddedPostgresServer {

    /** How many transactions may wait for the second phase of their commit. */
    static final String PREPARED_TRANSACTIONS = "20";

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private EmbeddedPostgresServer() {}

    static RunningServer start(String provider) throws IOException {
        Path data = ServerFiles.newDirectory("postgres-");
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setPGStartupWait(PATIENCE)
                .setRegisterShutdownHook(false)
                // The same order of strings on every machine.
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setServerConfig("timezone", "UTC")
                .setServerConfig("max_connections", "200")
                // For branches of distributed transactions; a server comes with none.
                .setServerConfig("max_prepared_transactions", PREPARED_TRANSACTIONS)
                // Test data may be lost with the machine; waiting for the disk is what makes suites slow.
                .setServerConfig("fsync", "off")
                .setServerConfig("synchronous_commit", "off")
                .setServerConfig("full_page_writes", "off")
                .start();
        var watchdog = Watchdog.guard(processId(data), "INT", data);
        return RunningServer.of(
                ServerKind.POSTGRESQL, provider, address("127.0.0.1", server.getPort(), "postgres"), () -> {
                    server.close();
                    watchdog.close();
                    ServerFiles.delete(data);
                });
    }

    static RunningServer.Address address(String host, int port, String password) {
        return new RunningServer.Address(
                "jdbc:postgresql://" + host + ":" + port + "/", "", "postgres", "postgres", password);
    }

    /** The library starts the server through a control program; the server itself writes its number down. */
    private static long processId(Path data) throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).trim());
    }
}
