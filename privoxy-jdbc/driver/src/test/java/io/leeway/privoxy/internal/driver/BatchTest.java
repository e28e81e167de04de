package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BatchTest {

    private CheckedH2 database;
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        database = new CheckedH2();
        connection = database.connect();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void eachRowIsDecidedOnWithItsOwnParameters() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO people (id) VALUES (?)")) {
            for (int id = 20; id < 23; id++) {
                insert.setInt(1, id);
                insert.addBatch();
            }
            insert.setInt(1, 99);

            assertThat(insert.executeBatch()).containsExactly(1, 1, 1);
        }

        assertThat(database.guard.checked).hasSize(3);
        assertThat(database.guard.executed).hasSize(3);
        assertThat(database.guard.parameters.get(0)).isEqualTo(22);
        assertThat(count()).isEqualTo(6);
    }

    @Test
    void oneRefusedStatementKeepsTheWholeBatchBack() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO people (id) VALUES (20)");
            statement.addBatch("INSERT INTO people SELECT id AS forbidden, 'x', NULL, NULL FROM posts");

            assertThatThrownBy(statement::executeBatch).isInstanceOf(PolicyViolationException.class);
            assertThat(count()).isEqualTo(3);
            assertThat(statement.executeBatch()).as("the refused batch is gone").isEmpty();

            statement.addBatch("INSERT INTO people (id) VALUES (20)");
            assertThat(statement.executeLargeBatch()).containsExactly(1L);
        }
    }

    @Test
    void aClearedBatchIsNotChecked() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("DELETE FROM posts WHERE 'forbidden' = text");
            statement.clearBatch();

            assertThat(statement.executeBatch()).isEmpty();
        }
        assertThat(database.guard.checked).isEmpty();
    }

    @Test
    void whatTheRealDriverDidNotTakeIsNotInTheBatch() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO people (id) VALUES (?)")) {
            assertThatThrownBy(insert::addBatch).isInstanceOf(SQLException.class);
            insert.setInt(1, 20);
            insert.addBatch();

            assertThat(insert.executeBatch()).containsExactly(1);
        }
        assertThat(database.guard.checked).hasSize(1);
    }

    private int count() throws SQLException {
        try (Connection plain = database.plain();
                Statement statement = plain.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM people")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
