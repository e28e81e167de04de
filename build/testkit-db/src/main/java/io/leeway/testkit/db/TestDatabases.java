package io.leeway.testkit.db;

import java.util.EnumMap;
import java.util.Map;

/**
 * The entry: real servers, started on first use.
 *
 * <pre>{@code
 * try (TestDatabase db = TestDatabases.postgres().freshDatabase("calendar")) {
 *     db.execute("CREATE TABLE users (id int PRIMARY KEY)");
 *     ...
 * }
 * }</pre>
 *
 * <p>PostgreSQL and MariaDB come from one of two providers: containers where a Docker engine answers, else embedded
 * binaries. The system property {@value ProviderChoice#PROPERTY} decides otherwise ({@code embedded} or
 * {@code containers}). Thread-safe.
 */
public final class TestDatabases {

    private static final Map<ServerKind, DatabaseServer> RUNNING = new EnumMap<>(ServerKind.class);

    private TestDatabases() {}

    /** The shared PostgreSQL server. */
    public static DatabaseServer postgres() {
        return shared(ServerKind.POSTGRESQL);
    }

    /** The shared MariaDB server. */
    public static DatabaseServer mariadb() {
        return shared(ServerKind.MARIADB);
    }

    /** H2 in memory, in its own mode. */
    public static DatabaseServer h2() {
        return new H2Server("REGULAR");
    }

    /** H2 in memory, in a compatibility mode such as {@code PostgreSQL} or {@code MySQL}. */
    public static DatabaseServer h2(String mode) {
        return new H2Server(mode);
    }

    private static DatabaseServer shared(ServerKind kind) {
        synchronized (RUNNING) {
            return RUNNING.computeIfAbsent(kind, TestDatabases::start);
        }
    }

    private static DatabaseServer start(ServerKind kind) {
        return ExitStopper.stopAtExit(ProviderChoice.fromEnvironment().start(kind));
    }
}
