package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.TraceEntry;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordingTest {

    private static final String PEOPLE = "SELECT id, name, born, photo FROM people ORDER BY id";

    private CheckedH2 database;
    private Connection connection;
    private Statement statement;
    private PrivoxyRequest request;

    @BeforeEach
    void begin() throws SQLException {
        database = new CheckedH2();
        connection = database.connect();
        statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
        request = Privoxy.begin(Map.of("MyUId", 1));
    }

    @AfterEach
    void end() throws SQLException {
        request.close();
        connection.close();
        database.close();
    }

    @Test
    void rowsAreToldAsTheApplicationReachesThem() throws SQLException {
        try (ResultSet rows = statement.executeQuery(PEOPLE)) {
            assertThat(database.guard.recorded).isEmpty();
            rows.next();
            assertThat(database.guard.recorded).containsExactly(1L);
            rows.next();
            assertThat(database.guard.recorded).containsExactly(1L, 2L);
        }
        assertThat(database.guard.exhausted).isEmpty();
        assertThat(entry().complete()).isFalse();
    }

    @Test
    void aResultReadToItsEndIsComplete() throws SQLException {
        read(statement.executeQuery(PEOPLE));

        assertThat(database.guard.exhausted).containsExactly(PEOPLE);
        assertThat(entry().complete()).isTrue();
        assertThat(entry().rows()).isEqualTo(3);
    }

    @Test
    void aResultThatWasJumpedInIsNeverComplete() throws SQLException {
        ResultSet rows = statement.executeQuery(PEOPLE);
        rows.absolute(2);
        read(rows);

        assertThat(database.guard.recorded).containsExactly(2L, 3L);
        assertThat(database.guard.exhausted).isEmpty();
    }

    @Test
    void everyMoveThatReachesARowTellsIt() throws SQLException {
        try (ResultSet rows = statement.executeQuery(PEOPLE)) {
            rows.last();
            rows.previous();
            rows.first();
            rows.relative(2);
            rows.beforeFirst();
            rows.afterLast();
        }

        assertThat(database.guard.recorded).containsExactly(3L, 2L, 1L, 3L);
    }

    @Test
    void aResultCutShortByMaxRowsIsNeverComplete() throws SQLException {
        statement.setMaxRows(2);
        read(statement.executeQuery(PEOPLE));
        statement.setMaxRows(3);
        read(statement.executeQuery(PEOPLE));

        assertThat(database.guard.recorded).containsExactly(1L, 2L, 1L, 2L, 3L);
        assertThat(database.guard.exhausted).isEmpty();
    }

    @Test
    void recordingLeavesWasNullAsItWas() throws SQLException {
        database.guard.recording(2);
        try (ResultSet rows = statement.executeQuery(PEOPLE)) {
            rows.next();
            assertThat(rows.getLong(1)).isEqualTo(1);
            rows.next();
            assertThat(rows.wasNull())
                    .as("the recorded name is null, the last cell read was not")
                    .isFalse();
            assertThat(rows.getString(2)).isNull();
            assertThat(rows.wasNull()).isTrue();
            rows.next();
            assertThat(rows.wasNull())
                    .as("the recorded name is not null, the last cell read was")
                    .isTrue();
            rows.next();
            assertThat(rows.wasNull()).isTrue();
        }
    }

    @Test
    void aCellThatWasRecordedIsNotReadFromTheDriverAgain() throws SQLException {
        var spy = new Spy();
        try (Connection spied = spied(spy);
                Statement query = spied.createStatement();
                ResultSet rows = query.executeQuery("SELECT id, name, id + 5 AS more FROM people ORDER BY id")) {
            spy.read.clear();
            rows.next();
            assertThat(spy.read).as("for the recording").containsExactly("getObject 1", "getObject 2");
            spy.read.clear();

            assertThat(rows.getLong(1)).isEqualTo(rows.getLong("id")).isEqualTo(1);
            assertThat(rows.getObject(1)).isEqualTo(1L);
            assertThat(rows.getString(2)).isEqualTo(rows.getString("name")).isEqualTo("Ada");
            assertThat(rows.wasNull()).isFalse();
            assertThat(spy.read).isEmpty();

            assertThat(rows.getInt(3)).isEqualTo(6);
            assertThat(rows.getString(1)).isEqualTo("1");
            rows.next();
            assertThat(rows.getString(2)).isNull();
            assertThat(rows.wasNull()).isTrue();
            assertThat(spy.read).contains("getInt 3", "getString 1", "getString 2");
        }
    }

    @Test
    void aRowThatIsBeingChangedIsReadFromTheDriver() throws SQLException {
        var spy = new Spy();
        try (Connection spied = spied(spy);
                Statement changing =
                        spied.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = changing.executeQuery("SELECT id, name FROM people ORDER BY id")) {
            rows.next();
            rows.updateString(2, "Eva");
            rows.updateRow();
            spy.read.clear();
            assertThat(rows.getString(2)).isEqualTo("Eva");
            assertThat(spy.read).containsExactly("getString 2");
        }
    }

    @Test
    void locatorsAndUnreadableCellsAreUnknown() throws SQLException {
        database.run("UPDATE people SET photo = X'0102'");
        database.guard.recording(4, 17);
        read(statement.executeQuery(PEOPLE));

        assertThat(database.guard.recorded).hasSize(3).containsOnly(Parameters.UNKNOWN);
    }

    @Test
    void aResultOfExecuteIsRecordedOnce() throws SQLException {
        statement.execute(PEOPLE);
        ResultSet rows = statement.getResultSet();
        assertThat(statement.getResultSet()).isSameAs(rows);
        assertThat(rows.getStatement()).isSameAs(statement);
        read(rows);

        assertThat(database.guard.recorded).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aNextResultIsNotTakenForTheFirst() throws SQLException {
        statement.execute(PEOPLE);
        statement.getMoreResults();

        assertThat(statement.getResultSet()).isNull();
        assertThat(database.guard.recorded).isEmpty();
    }

    @Test
    void metadataAndGeneratedKeysAreNotRecorded() throws SQLException {
        read(connection.getMetaData().getTables(null, null, "%", null));
        statement.executeUpdate("INSERT INTO people (id) VALUES (9)", Statement.RETURN_GENERATED_KEYS);
        read(statement.getGeneratedKeys());

        assertThat(database.guard.recorded).isEmpty();
    }

    @Test
    void withoutContextNothingIsRemembered() throws SQLException {
        request.close();
        read(statement.executeQuery(PEOPLE));

        assertThat(database.guard.request().hasContext()).isFalse();
        assertThat(database.guard.request().trace().entries()).isEmpty();
    }

    @Test
    void aRowReadAfterAWriteToItsTableIsNotBelieved() throws SQLException {
        ResultSet rows = statement.executeQuery(PEOPLE);
        rows.next();
        try (Statement other = connection.createStatement()) {
            other.executeUpdate("UPDATE people SET name = 'x' WHERE id = 2");
        }
        read(rows);

        assertThat(database.guard.request().trace().entries()).isEmpty();
    }

    private Connection spied(Spy spy) throws SQLException {
        database.guard.recording(1, 2);
        var config = PrivoxyConfig.of(Map.of("privoxyPolicy", "policy.sql"));
        Target target = Target.of(database.guard, config, Dialect.H2);
        return CheckedConnection.of(spy.over(database.plain()), target, Map.of());
    }

    private TraceEntry entry() {
        List<TraceEntry> entries = database.guard.request().trace().entries();
        assertThat(entries).hasSize(1);
        assertThat(entries.get(0).cell(0, 0)).isEqualTo(Value.of(1));
        return entries.get(0);
    }

    private static void read(ResultSet rows) throws SQLException {
        try (rows) {
            while (rows.next()) {
                // Only the reading counts.
            }
        }
    }
}
