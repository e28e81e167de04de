package io.leeway.testkit.db;

import java.io.File;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.JdbcDatabaseContainer;
import org.testcontainers.mariadb.MariaDBContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** Servers in containers. Testcontainers' own reaper removes them, also when this JVM is killed. */
final class ContainerProvider implements ServerProvider {

    private static final String PASSWORD = "leeway";

    @Override
    public String name() {
        return "containers";
    }

    /** Whether a Docker engine answers; looks for its address first, since asking in vain is slow and loud. */
    static boolean dockerAnswers() {
        boolean addressKnown = System.getenv("DOCKER_HOST") != null
                || new File("/var/run/docker.sock").exists()
                || new File(System.getProperty("user.home"), ".testcontainers.properties").exists();
        return addressKnown && DockerClientFactory.instance().isDockerAvailable();
    }

    @Override
    public RunningServer start(ServerKind kind) {
        JdbcDatabaseContainer<?> container = container(kind);
        container.start();
        return RunningServer.of(kind, name(), address(kind, container), container::stop);
    }

    /** The container before its start: everything but the engine. */
    static JdbcDatabaseContainer<?> container(ServerKind kind) {
        return switch (kind) {
            case POSTGRESQL ->
                new PostgreSQLContainer(image(kind))
                        .withUsername("postgres")
                        .withPassword(PASSWORD)
                        .withCommand(
                                "postgres",
                                "-c",
                                "fsync=off",
                                "-c",
                                "max_prepared_transactions=" + EmbeddedPostgresServer.PREPARED_TRANSACTIONS);
            case MARIADB ->
                new MariaDBContainer(image(kind)).withUsername("root").withPassword(PASSWORD);
        };
    }

    /** The lines that the embedded binaries have too. */
    static String image(ServerKind kind) {
        return kind == ServerKind.POSTGRESQL ? "postgres:18" : "mariadb:11.4";
    }

    private static RunningServer.Address address(ServerKind kind, JdbcDatabaseContainer<?> container) {
        String host = container.getHost();
        return switch (kind) {
            case POSTGRESQL ->
                EmbeddedPostgresServer.address(
                        host, container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT), PASSWORD);
            case MARIADB -> EmbeddedMariaDbServer.address(host, container.getMappedPort(3306), "root", PASSWORD);
        };
    }
}
