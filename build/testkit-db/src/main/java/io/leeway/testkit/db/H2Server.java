package io.leeway.testkit.db;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** H2 needs no server: each database lives in this JVM's memory until it is closed. */
record H2Server(String mode) implements DatabaseServer {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    @Override
    public String description() {
        return "H2 " + org.h2.engine.Constants.VERSION + " (in memory, mode " + mode + ")";
    }

    @Override
    public TestDatabase freshDatabase(String name) {
        String database = DatabaseNames.numbered(name, COUNTER);
        String url = "jdbc:h2:mem:" + database + ";MODE=" + mode + ";DB_CLOSE_DELAY=-1" + casing();
        return new TestDatabase(database, url, "sa", "", () -> shutDown(url));
    }

    /** What H2's own documentation recommends beside the compatibility modes. */
    private String casing() {
        return switch (mode) {
            case "PostgreSQL" -> ";DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH";
            case "MySQL", "MariaDB" -> ";DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE";
            default -> "";
        };
    }

    private static void shutDown(String url) throws SQLException {
        try (var connection = DriverManager.getConnection(url, "sa", "");
                var statement = connection.createStatement()) {
            statement.execute("SHUTDOWN IMMEDIATELY");
        }
    }
}
