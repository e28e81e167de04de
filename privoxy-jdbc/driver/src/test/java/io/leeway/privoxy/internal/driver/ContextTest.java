package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.request.Request;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The four ways to say who asks, and what happens when they meet. */
class ContextTest {

    private CheckedH2 database;
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void connect() throws SQLException {
        database = new CheckedH2();
        connection = database.connect();
        statement = connection.createStatement();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void aCommandGivesTheContextAndIsNotSent() throws SQLException {
        assertThat(statement.execute("SET privoxy.MyUId = 2")).isFalse();
        assertThat(statement.getUpdateCount()).isZero();
        assertThat(statement.getResultSet()).isNull();
        assertThat(statement.getMoreResults()).isFalse();
        assertThat(statement.getUpdateCount()).isEqualTo(-1);
        assertThat(statement.getLargeUpdateCount()).isEqualTo(-1);

        assertThat(asked().context("MyUId", ValueKind.NUMBER)).isEqualTo(Value.of(2));
        assertThat(database.guard.executed).containsExactly("SELECT id FROM people");
    }

    @Test
    void aCommandMayBeAnUpdateOrPreparedButNoQuery() throws SQLException {
        assertThat(statement.executeUpdate("SET privoxy.MyUId = 2")).isZero();
        assertThat(statement.executeLargeUpdate("SET privoxy.MyUId = 3")).isZero();
        assertThatThrownBy(() -> statement.executeQuery("SET privoxy.MyUId = 4"))
                .isInstanceOf(SQLException.class);
        assertThat(asked().context("MyUId", ValueKind.NUMBER)).isEqualTo(Value.of(3));

        try (PreparedStatement prepared = connection.prepareStatement("SET privoxy.MyUId = 5")) {
            assertThat(prepared.execute()).isFalse();
            assertThat(prepared.getUpdateCount()).isZero();
            assertThat(prepared.executeUpdate()).isZero();
        }
        assertThat(asked().context("MyUId", ValueKind.NUMBER)).isEqualTo(Value.of(5));
    }

    @Test
    void aCommandInABatchIsRefused() {
        assertThatThrownBy(() -> statement.addBatch("SET privoxy.MyUId = 2")).hasMessageContaining("PRIVOXY-1302");
    }

    @Test
    void resetEndsTheRequest() throws SQLException {
        statement.execute("SET privoxy.MyUId = 2");
        asked();
        statement.execute("RESET privoxy");

        assertThat(asked().hasContext()).isFalse();
        statement.execute("SET privoxy.MyUId = 2");
        statement.execute("RESET privoxy.MyUId");
        assertThat(asked().hasContext()).isFalse();
    }

    @Test
    void clientInfoGivesTheContextAndIsNotSeenByTheRealDriver() throws SQLException {
        connection.setClientInfo("privoxy.MyUId", "2");

        assertThat(asked().context("MyUId", ValueKind.NUMBER)).isEqualTo(Value.of(2));
        assertThat(connection.getClientInfo("privoxy.MyUId")).isEqualTo("2");
        assertThat(connection.getClientInfo()).containsEntry("privoxy.MyUId", "2");

        connection.setClientInfo("privoxy.MyUId", null);
        assertThat(asked().hasContext()).isFalse();
        assertThat(connection.getClientInfo("privoxy.MyUId")).isNull();
    }

    @Test
    void aCompleteClientInfoReplacesTheContext() throws SQLException {
        connection.setClientInfo("privoxy.MyUId", "2");
        var properties = new Properties();
        properties.setProperty("privoxy.MyOrg", "7");
        connection.setClientInfo(properties);
        assertThat(asked().context()).containsOnlyKeys("MyOrg");

        connection.setClientInfo(new Properties());
        assertThat(asked().hasContext()).isFalse();
    }

    @Test
    void clientInfoWithoutNameOrOnAClosedConnectionIsRefused() throws SQLException {
        assertThatThrownBy(() -> connection.setClientInfo("privoxy.", "2"))
                .isInstanceOf(SQLClientInfoException.class)
                .hasMessageContaining("PRIVOXY-1101");
        connection.close();
        assertThatThrownBy(() -> connection.setClientInfo("privoxy.MyUId", "2"))
                .isInstanceOf(SQLClientInfoException.class);
    }

    @Test
    void connectionPropertiesGiveAContextThatComesBackAfterEachRequest() throws SQLException {
        try (Connection batch = database.connect(";privoxy.MyUId=1");
                Statement query = batch.createStatement()) {
            query.executeQuery("SELECT id FROM people").close();
            Request first = database.guard.request();
            assertThat(first.context("MyUId", ValueKind.NUMBER)).isEqualTo(Value.of(1));

            batch.setClientInfo("privoxy.MyUId", "2");
            query.executeQuery("SELECT id FROM people").close();
            assertThat(database.guard.request().context("MyUId", ValueKind.NUMBER))
                    .isEqualTo(Value.of(2));

            batch.endRequest();
            query.executeQuery("SELECT id FROM people").close();
            assertThat(database.guard.request()).isNotSameAs(first);
            assertThat(database.guard.request().context("MyUId", ValueKind.NUMBER))
                    .isEqualTo(Value.of(1));
        }
    }

    @Test
    void aRequestOfTheThreadIsSharedByItsConnections() throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2));
                Connection other = database.connect();
                Statement query = other.createStatement()) {
            assertThat(request.parameters()).containsExactly("MyUId");
            Request first = asked();
            query.executeQuery("SELECT id FROM people").close();

            assertThat(database.guard.request()).isSameAs(first);
        }
        assertThat(asked().hasContext()).isFalse();
    }

    @Test
    void theThreadWinsOverTheConnection() throws SQLException {
        connection.setClientInfo("privoxy.MyOrg", "7");
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2))) {
            assertThat(request.isOpen()).isTrue();
            assertThat(asked().context()).containsOnlyKeys("MyUId");
        }
        assertThat(asked().context()).containsOnlyKeys("MyOrg");
    }

    @Test
    void aContradictionBetweenThreadAndConnectionIsAnError() throws SQLException {
        connection.setClientInfo("privoxy.MyUId", "3");
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2))) {
            assertThat(request.isOpen()).isTrue();
            assertThatThrownBy(this::asked).hasMessageContaining("PRIVOXY-1102").hasMessageNotContaining("3]");

            connection.setClientInfo("privoxy.MyUId", "2");
            assertThat(asked().context("MyUId", ValueKind.NUMBER)).isEqualTo(Value.of(2));
        }
    }

    @Test
    void aRequestThatAnotherThreadEndedIsAnErrorAndNotNobody() throws Exception {
        PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2));
        var thread = new Thread(request::close);
        thread.start();
        thread.join();

        assertThatThrownBy(this::asked).hasMessageContaining("PRIVOXY-1103");
        request.close();
        assertThat(asked().hasContext()).isFalse();
    }

    @Test
    void requestBoundariesOfThePoolEndTheRequest() throws SQLException {
        connection.setClientInfo("privoxy.MyUId", "2");
        asked();
        connection.endRequest();
        assertThat(asked().hasContext()).isFalse();

        connection.setClientInfo("privoxy.MyUId", "2");
        connection.beginRequest();
        assertThat(asked().hasContext()).isFalse();
    }

    @Test
    void aClosedConnectionForgetsItsContext() throws SQLException {
        connection.setClientInfo("privoxy.MyUId", "2");
        Request request = asked();
        connection.close();

        assertThat(request.trace()
                        .open(database.guard.part("people"), List.of())
                        .add(new Value[] {Value.of(1)}))
                .isFalse();
    }

    private Request asked() throws SQLException {
        statement.executeQuery("SELECT id FROM people").close();
        return database.guard.request();
    }
}
