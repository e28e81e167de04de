package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class RecordedExerciseIT {

    private final Connections connections = new Connections(new Targets(new FakeGuard()));

    @Test
    void aCheckedConnectionToPostgresBehavesAsThePlainOneCallByCall() throws SQLException {
        compare(TestDatabases.postgres(), ExerciseSql.POSTGRESQL);
    }

    @Test
    void aCheckedConnectionToMariaDbBehavesAsThePlainOneCallByCall() throws SQLException {
        compare(TestDatabases.mariadb(), ExerciseSql.MARIADB);
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
            checked = unnamed(RecordedExercise.run(connect(database), sql), database);
        }

        assertThat(Journal.differences(plain, checked)).isEmpty();
        assertThat(plain).hasSizeGreaterThan(1_000);
    }

    private static List<String> unnamed(List<String> journal, TestDatabase database) {
        return journal.stream()
                .map(line -> line.replace(database.name(), "exercise"))
                .toList();
    }

    private Connection connect(TestDatabase database) throws SQLException {
        String url = ConnectionUrl.PREFIX + database.jdbcUrl().substring("jdbc:".length());
        var properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("privoxyPolicy", "policy.sql");
        // Errors that may quote rows come as others otherwise, which has a test of its own.
        properties.setProperty("privoxyValues", "true");
        properties.setProperty("privoxyExplain", "counterexample");
        properties.setProperty("privoxyUnwrap", "java.sql.Blob, java.sql.Clob");
        return connections.open(url, properties);
    }
}
