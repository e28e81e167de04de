package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.traffic.TrafficReader;
import io.leeway.privoxy.internal.traffic.TrafficRecord;
import io.leeway.privoxy.internal.traffic.TrafficRecorder;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.testkit.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What privoxyRecord writes, through the real driver. */
class TrafficRecordingTest {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW mine AS SELECT id, owner, text FROM notes WHERE owner = ?MyUId;
            """;

    @TempDir
    private Path folder;

    private final String name = "traffic-" + UUID.randomUUID();
    private Connection keeper;
    private Path recording;

    @BeforeEach
    void create() throws SQLException, IOException {
        keeper = DriverManager.getConnection("jdbc:h2:mem:" + name);
        try (Statement statement = keeper.createStatement()) {
            statement.execute("CREATE TABLE notes (id BIGINT PRIMARY KEY, owner BIGINT, text VARCHAR(50), extra INT)");
            statement.execute("INSERT INTO notes VALUES (1, 7, 'one', 0), (2, 7, 'two', 0), (3, 8, 'three', 0)");
        }
        Files.writeString(folder.resolve("policy.sql"), POLICY);
        recording = folder.resolve("traffic.jsonl");
    }

    @AfterEach
    void drop() throws SQLException {
        keeper.close();
    }

    @Test
    void recordsStatementParametersRowsAndDecision() throws SQLException, IOException {
        try (Connection connection = connect("");
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 7L));
                PreparedStatement statement =
                        connection.prepareStatement("SELECT extra * 0, id, text FROM notes WHERE owner = ?")) {
            statement.setLong(1, 7);
            // One column is not shown by the policy.
            assertThatThrownBy(statement::executeQuery).hasMessageContaining("PRIVOXY-1201");
            read(connection, "SELECT id, text FROM notes WHERE owner = 7", 9);
        }

        List<TrafficRecord> records = records();

        assertThat(records.get(0))
                .isInstanceOfSatisfying(
                        TrafficRecord.Start.class,
                        start -> assertThat(start.dialect()).isEqualTo("H2"));
        var begin = (TrafficRecord.Begin) records.get(1);
        assertThat(begin.context()).isEqualTo(Map.of("MyUId", 7L));
        var refused = (TrafficRecord.Decided) records.get(2);
        assertThat(refused.request()).isEqualTo(begin.request());
        assertThat(refused.sql()).isEqualTo("SELECT extra * 0, id, text FROM notes WHERE owner = ?");
        assertThat(refused.parameters()).containsExactly(7L);
        assertThat(refused.decision().outcome()).isEqualTo(Outcome.DENY);
        assertThat(refused.decision().passed()).isFalse();
        assertThat(refused.decision().code()).isEqualTo("PRIVOXY-1201");
        assertThat(refused.decision().nearest()).singleElement().asString().startsWith("mine: ");
        assertThat(refused.columns()).isEmpty();
        var allowed = (TrafficRecord.Decided) records.get(3);
        assertThat(allowed.decision().outcome()).isEqualTo(Outcome.ALLOW);
        assertThat(allowed.decision().passed()).isTrue();
        assertThat(records.subList(4, 7))
                .containsExactly(
                        new TrafficRecord.Row(allowed.statement(), List.of(1L, "one")),
                        new TrafficRecord.Row(allowed.statement(), List.of(2L, "two")),
                        new TrafficRecord.Exhausted(allowed.statement()));
        assertThat(records.get(7)).isEqualTo(new TrafficRecord.End(begin.request()));
        assertThat(records).hasSize(8);
    }

    @Test
    void aResultThatIsNotReadToItsEndHasNoEnd() throws SQLException, IOException {
        try (Connection connection = connect("");
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 7L))) {
            read(connection, "SELECT id, text FROM notes WHERE owner = 7", 1);
        }

        assertThat(records())
                .hasAtLeastOneElementOfType(TrafficRecord.Row.class)
                .doesNotHaveAnyElementsOfTypes(TrafficRecord.Exhausted.class);
    }

    @Test
    void auditModeRecordsTheRefusalAndTheRowsThatPassed() throws SQLException, IOException {
        try (Connection connection = connect(";privoxyMode=audit");
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 8L))) {
            read(connection, "SELECT id FROM notes WHERE owner = 7", 9);
            read(connection, "SELECT id, MEMORY_USED() FROM notes", 9);
        }

        List<TrafficRecord> records = records();

        var denied = (TrafficRecord.Decided) records.get(2);
        assertThat(denied.decision().outcome()).isEqualTo(Outcome.DENY);
        assertThat(denied.decision().passed()).isTrue();
        assertThat(records.subList(3, 6))
                .containsExactly(
                        new TrafficRecord.Row(denied.statement(), List.of(1L)),
                        new TrafficRecord.Row(denied.statement(), List.of(2L)),
                        new TrafficRecord.Exhausted(denied.statement()));
        var unread = (TrafficRecord.Decided) records.get(6);
        assertThat(unread.decision().outcome()).isEqualTo(Outcome.UNSUPPORTED);
        assertThat(unread.decision().passed()).isTrue();
        assertThat(unread.request())
                .as("a text is read before its request is known")
                .isNull();
        assertThat(records.get(7)).isInstanceOf(TrafficRecord.Forget.class);
    }

    @Test
    void aWriteMarksItsTransactionAndARollbackForgets() throws SQLException, IOException {
        try (Connection connection = connect("");
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 7L));
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO notes VALUES (9, 7, 'nine', 0)");
            connection.rollback();
        }

        List<TrafficRecord> records = records();

        assertThat(records).hasAtLeastOneElementOfType(TrafficRecord.Mark.class);
        long mark = records.stream()
                .filter(TrafficRecord.Mark.class::isInstance)
                .mapToLong(record -> ((TrafficRecord.Mark) record).mark())
                .findFirst()
                .orElseThrow();
        assertThat(records)
                .anySatisfy(record -> assertThat(record)
                        .isInstanceOfSatisfying(
                                TrafficRecord.Forget.class,
                                forget -> assertThat(forget.since()).isEqualTo(mark)));
    }

    @Test
    void nobodysStatementsAreRecordedWithoutRowsAndNothingWithoutTheOption() throws SQLException, IOException {
        try (Connection connection = connect("")) {
            assertThatThrownBy(() -> read(connection, "SELECT id FROM notes", 9))
                    .hasMessageContaining("PRIVOXY-");
            read(connection, "SELECT 1", 9);
        }
        List<TrafficRecord> records = records();

        assertThat(records).hasSize(3);
        assertThat(((TrafficRecord.Decided) records.get(1)).request()).isNull();

        long size = Files.size(recording);
        try (Connection connection = open("")) {
            read(connection, "SELECT 1", 9);
        }
        assertThat(TrafficRecorder.flush(recording, Duration.ofSeconds(60))).isTrue();
        assertThat(recording).hasSize(size);
    }

    @Test
    void aFileThatCannotBeWrittenIsToldOnceAndChangesNoDecision() throws SQLException {
        recording = folder.resolve("no/such/folder/traffic.jsonl");
        try (LogCapture log = LogCapture.of("io.leeway.privoxy");
                Connection connection = connect("");
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 7L))) {
            for (int i = 0; i < 3; i++) {
                read(connection, "SELECT id FROM notes WHERE owner = 7", 9);
                assertThatThrownBy(() -> read(connection, "SELECT id FROM notes", 9))
                        .hasMessageContaining("PRIVOXY-1201");
            }
            assertThat(TrafficRecorder.flush(recording, Duration.ofSeconds(60))).isFalse();

            assertThat(log.messages(Level.WARNING))
                    .singleElement()
                    .asString()
                    .contains("Traffic is not recorded any more");
        }
    }

    private Connection connect(String options) throws SQLException {
        return open(";privoxyRecord=" + recording + options);
    }

    private Connection open(String options) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:privoxy:h2:mem:" + name + ";privoxyPolicy=" + folder.resolve("policy.sql") + options);
    }

    private static void read(Connection connection, String sql, int most) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            for (int i = 0; i < most && rows.next(); i++) {
                rows.getObject(1);
            }
        }
    }

    private List<TrafficRecord> records() throws IOException {
        assertThat(TrafficRecorder.flush(recording, Duration.ofSeconds(60))).isTrue();
        List<TrafficRecord> records = new ArrayList<>();
        try (TrafficReader reader = TrafficReader.open(recording)) {
            for (TrafficRecord record = reader.next(); record != null; record = reader.next()) {
                records.add(record);
            }
        }
        return records;
    }
}
