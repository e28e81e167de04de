package io.leeway.it.privoxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyDataSource;
import io.leeway.privoxy.PrivoxyRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool of one connection, so that the next request gets the one that the last has given back. */
class HikariIT {

    private static final String ATTENDANCE = "SELECT * FROM attendances WHERE user_id = 2 AND event_id = 5";
    private static final String EVENT = "SELECT title FROM events WHERE id = 5";
    private static final String BOUNDARIES = "com.zaxxer.hikari.enableRequestBoundaries";

    @ParameterizedTest
    @EnumSource
    void whatARequestHasReadEndsWithItThoughTheConnectionStays(Servers servers) throws Exception {
        try (CheckedDatabase database = servers.calendar();
                HikariDataSource pool = pool(database, database.url())) {
            try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
                assertThat(request.isOpen()).isTrue();
                assertThat(one(pool, ATTENDANCE)).isEqualTo("2");
                assertThat(one(pool, EVENT))
                        .as("over another loan of the connection")
                        .isEqualTo("Planning");
            }
            try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
                assertThat(request.isOpen()).isTrue();
                assertThatThrownBy(() -> one(pool, EVENT)).isInstanceOf(PolicyViolationException.class);
            }
            assertThatThrownBy(() -> one(pool, ATTENDANCE)).hasMessageContaining("PRIVOXY-1202");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anIdentityGivenToTheConnectionDoesNotSurviveTheReturnWhereThePoolTellsOfIt(Servers servers) throws Exception {
        System.setProperty(BOUNDARIES, "true");
        try (CheckedDatabase database = servers.calendar();
                HikariDataSource pool = pool(database, database.url())) {
            try (Connection connection = pool.getConnection()) {
                connection.setClientInfo("privoxy.MyUId", "2");
                assertThat(one(connection, ATTENDANCE)).isEqualTo("2");
            }
            assertThatThrownBy(() -> one(pool, ATTENDANCE)).hasMessageContaining("PRIVOXY-1202");
        } finally {
            System.clearProperty(BOUNDARIES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anIdentityGivenToTheConnectionDoesNotSurviveTheReturnToAPoolBeneath(Servers servers) throws Exception {
        try (CheckedDatabase database = servers.calendar();
                HikariDataSource pool = pool(database, database.plain().jdbcUrl())) {
            String policy = database.url().replaceAll(".*privoxyPolicy=", "");
            DataSource checked = PrivoxyDataSource.wrap(pool, Map.of("privoxyPolicy", policy));
            try (Connection connection = checked.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET privoxy.MyUId = 2");
                assertThat(one(connection, ATTENDANCE)).isEqualTo("2");
            }
            assertThatThrownBy(() -> one(checked, ATTENDANCE)).hasMessageContaining("PRIVOXY-1202");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theNextIdentityDropsTheLastOne(Servers servers) throws Exception {
        try (CheckedDatabase database = servers.calendar();
                HikariDataSource pool = pool(database, database.url());
                Connection connection = pool.getConnection()) {
            connection.setClientInfo("privoxy.MyUId", "2");
            assertThat(one(connection, ATTENDANCE)).isEqualTo("2");
            assertThat(one(connection, EVENT)).isEqualTo("Planning");
            connection.setClientInfo("privoxy.MyUId", "1");
            assertThatThrownBy(() -> one(connection, EVENT)).isInstanceOf(PolicyViolationException.class);
            assertThatThrownBy(() -> one(connection, ATTENDANCE)).isInstanceOf(PolicyViolationException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionComesBackAsItWas(Servers servers) throws Exception {
        try (CheckedDatabase database = servers.calendar();
                HikariDataSource pool = pool(database, database.url())) {
            int isolation;
            try (Connection connection = pool.getConnection()) {
                isolation = connection.getTransactionIsolation();
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                connection.setReadOnly(true);
                connection.setAutoCommit(false);
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.isReadOnly()).isFalse();
                assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
                assertThat(one(connection, "SELECT name FROM users WHERE id = 1"))
                        .isEqualTo("Ada");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalDoesNotCostThePoolAConnection(Servers servers) throws Exception {
        try (CheckedDatabase database = servers.calendar();
                HikariDataSource pool = pool(database, database.url())) {
            Object first = identity(pool, servers);
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> one(pool, "SELECT * FROM events")).isInstanceOf(SQLException.class);
            }
            assertThat(identity(pool, servers)).isEqualTo(first);
        }
    }

    private static Object identity(DataSource pool, Servers servers) throws SQLException {
        return one(pool, servers == Servers.POSTGRESQL ? "SELECT pg_backend_pid()" : "SELECT connection_id()");
    }

    private static HikariDataSource pool(CheckedDatabase database, String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(database.plain().user());
        config.setPassword(database.plain().password());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private static String one(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return one(connection, sql);
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            String value = rows.getString(1);
            assertThat(rows.next()).isFalse();
            return value;
        }
    }
}
