package io.leeway.it.privoxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyDataSource;
import io.leeway.privoxy.PrivoxyRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Migrations through the checking driver, from an empty database, under a policy over tables that they make. */
class FlywayIT {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW user_names AS SELECT id, name FROM users;
            CREATE VIEW my_notes AS SELECT * FROM notes WHERE user_id = ?MyUId;
            """;

    @ParameterizedTest
    @EnumSource
    void migratesFromNothing(Servers servers) throws Exception {
        try (CheckedDatabase database = CheckedDatabase.on(servers.server(), "flyway", POLICY)) {
            // Flyway knows databases by the prefix of a URL, or by what a data source's connection says of itself.
            PrivoxyDataSource source =
                    PrivoxyDataSource.of(database.url() + "&privoxyTables=flyway_schema_history:off");
            source.setUser(database.plain().user());
            source.setPassword(database.plain().password());
            Flyway flyway = Flyway.configure().dataSource(source).load();

            assertThat(flyway.migrate().migrationsExecuted).isEqualTo(2);
            assertThat(flyway.migrate().migrationsExecuted)
                    .as("the second time")
                    .isZero();
            assertThat(flyway.validateWithResult().validationSuccessful).isTrue();

            try (Connection connection = database.connect();
                    PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
                assertThat(request.isOpen()).isTrue();
                assertThat(one(connection, "SELECT text FROM notes WHERE user_id = 2"))
                        .isEqualTo("of Ben");
                assertThatThrownBy(() -> one(connection, "SELECT text FROM notes WHERE user_id = 1"))
                        .isInstanceOf(PolicyViolationException.class);
            }
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
