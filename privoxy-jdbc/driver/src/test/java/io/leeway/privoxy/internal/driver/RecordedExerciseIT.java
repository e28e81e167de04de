package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedExerciseIT {

    private final Connections connections =
            new Connections(new Targets(new FakeGuard().recording(1, 2, 3, 4, 5, 6, 7, 8, 9)));

    @Test
    void aCheckedConnectionToPostgresBehavesAsThePlainOneCallByCall() throws SQLException {
        compare(TestDatabases.postgres(), ExerciseSql.POSTGRESQL);
    }

    @Test
    void aCheckedConnectionToMariaDbBehavesAsThePlainOneCallByCall() throws SQLException {
        compare(TestDatabases.mariadb(), ExerciseSql.MARIADB);
    }

    @Test
    void aPolicyThatAllowsAllChangesNothingOnPostgres(@TempDir Path directory) throws Exception {
        compareDecided(TestDatabases.postgres(), ExerciseSql.POSTGRESQL, directory);
    }

    @Test
    void aPolicyThatAllowsAllChangesNothingOnMariaDb(@TempDir Path directory) throws Exception {
        compareDecided(TestDatabases.mariadb(), ExerciseSql.MARIADB, directory);
    }

    private void compare(DatabaseServer server, ExerciseSql sql) throws SQLException {
        List<String> plain;
        try (TestDatabase database = server.freshDatabase("exercise")) {
            plain = unnamed(RecordedExercise.run(database.connect(), sql), database);
        }
        List<String> checked;
        try (TestDatabase database = server.freshDatabase("exercise");
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
            assertThat(request.isOpen()).isTrue();
            checked = unnamed(
                    RecordedExercise.run(connections.open(url(database), properties(database, "policy.sql")), sql),
                    database);
        }

        assertThat(Journal.differences(plain, checked)).isEmpty();
        assertThat(plain).hasSizeGreaterThan(1_000);
    }

    /** The same with the guard of the product, which decides on every statement. */
    private static void compareDecided(DatabaseServer server, ExerciseSql sql, Path directory) throws Exception {
        Path policy = Files.writeString(directory.resolve("policy.sql"), ExerciseSql.POLICY);
        List<String> plain;
        try (TestDatabase database = withProcedures(server, sql)) {
            plain = unnamed(RecordedExercise.run(database.connect(), sql, true), database);
        }
        List<String> checked;
        try (TestDatabase database = withProcedures(server, sql);
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
            assertThat(request.isOpen()).isTrue();
            Properties properties = properties(database, policy.toString());
            properties.setProperty("privoxyFunctions", "plus_one");
            Connection connection = DriverManager.getConnection(url(database), properties);
            checked = unnamed(RecordedExercise.run(connection, sql, true), database);
        }

        // What cannot be read is refused before the database could say what is wrong with it.
        assertThat(Journal.differences(plain, checked))
                .allMatch(difference -> difference.startsWith("plain:   wrong table -> ")
                        || difference.startsWith("plain:   escapes off -> "))
                .allMatch(difference -> difference.endsWith("UnsupportedQueryException[42P01, 1304]")
                        || difference.endsWith("UnsupportedQueryException[0A000, 1301]"));
    }

    private static TestDatabase withProcedures(DatabaseServer server, ExerciseSql sql) throws SQLException {
        return server.freshDatabase("exercise").execute(sql.procedures().toArray(String[]::new));
    }

    private static List<String> unnamed(List<String> journal, TestDatabase database) {
        return journal.stream()
                .map(line -> line.replace(database.name(), "exercise"))
                .toList();
    }

    private static String url(TestDatabase database) {
        return ConnectionUrl.PREFIX + database.jdbcUrl().substring("jdbc:".length());
    }

    private static Properties properties(TestDatabase database, String policy) {
        var properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("privoxyPolicy", policy);
        // Errors that may quote rows come as others otherwise, which has a test of its own.
        properties.setProperty("privoxyValues", "true");
        properties.setProperty("privoxyExplain", "counterexample");
        properties.setProperty("privoxyUnwrap", "java.sql.Blob, java.sql.Clob");
        return properties;
    }
}
