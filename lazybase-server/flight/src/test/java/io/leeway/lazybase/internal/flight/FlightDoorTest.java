package io.leeway.lazybase.internal.flight;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import io.leeway.lazybase.LazyBaseServer;
import io.leeway.lazybase.internal.pg.Users;
import io.leeway.testkit.LogCapture;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.SyncPutListener;
import org.apache.arrow.flight.grpc.CredentialCallOption;
import org.apache.arrow.flight.sql.FlightSqlClient;
import org.apache.arrow.flight.sql.FlightSqlClient.ExecuteIngestOptions;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions.TableExistsOption;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By Arrow's own client. What is not given back of memory outside of the heap fails when the allocators are closed. */
class FlightDoorTest {

    private static LogCapture log;

    @TempDir
    Path directory;

    private BufferAllocator allocator;

    /** Arrow's client logs what it throws. */
    @BeforeAll
    static void keepTheLogFromTheConsole() {
        log = LogCapture.of("org.apache.arrow.flight");
    }

    @AfterAll
    static void giveTheLogBack() {
        log.close();
    }

    @BeforeEach
    void open() {
        allocator = new RootAllocator();
    }

    @AfterEach
    void close() {
        allocator.close();
    }

    private FlightSqlClient client(LazyBaseServer server) {
        return new FlightSqlClient(
                FlightClient.builder(allocator, TestServer.location(server)).build());
    }

    private static List<List<Object>> rows(FlightSqlClient client, FlightInfo info, CallOption... options)
            throws Exception {
        var rows = new ArrayList<List<Object>>();
        try (FlightStream stream = client.getStream(info.getEndpoints().get(0).getTicket(), options)) {
            while (stream.next()) {
                VectorSchemaRoot root = stream.getRoot();
                for (int r = 0; r < root.getRowCount(); r++) {
                    var row = new ArrayList<Object>();
                    for (FieldVector vector : root.getFieldVectors()) {
                        Object value = vector.getObject(r);
                        row.add(value instanceof org.apache.arrow.vector.util.Text ? value.toString() : value);
                    }
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static List<List<Object>> query(FlightSqlClient client, String sql, CallOption... options)
            throws Exception {
        return rows(client, client.execute(sql, options), options);
    }

    private static FlightStatusCode codeOf(Throwable e) {
        return ((FlightRuntimeException) e).status().code();
    }

    private static ExecuteIngestOptions into(String table) {
        var append = TableDefinitionOptions.newBuilder()
                .setIfExists(TableExistsOption.TABLE_EXISTS_OPTION_APPEND)
                .build();
        return new ExecuteIngestOptions(table, append, null, null, Map.of());
    }

    private static HeaderCallOption header(String name, String value) {
        CallHeaders headers = new FlightCallHeaders();
        headers.insert(name, value);
        return new HeaderCallOption(headers);
    }

    @Test
    void valuesOfEveryTypeComeAsArrows() throws Exception {
        try (LazyBaseServer server = TestServer.start(directory, Map.of());
                FlightSqlClient client = client(server)) {
            client.executeUpdate("CREATE TABLE t (k bigint PRIMARY KEY, b boolean, s smallint, i int, r real, d double"
                    + " precision, n numeric(10, 2), t text, j json, y bytea, u uuid, da date, ti time, ts timestamp,"
                    + " tz timestamptz)");
            long inserted = client.executeUpdate(
                    "INSERT INTO t VALUES (1, true, 2, 3, 1.5, 2.5, 12.34, 'hé', '{\"a\": 1}', '\\x0102',"
                            + " '00000000-0000-0001-0000-000000000002', '2026-01-31', '10:11:12.5',"
                            + " '2026-01-31 10:11:12.5', '2026-01-31 10:11:12.5+01'), (2, NULL, NULL, NULL, NULL, NULL,"
                            + " NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
            assertThat(inserted).isEqualTo(2);

            List<List<Object>> rows = query(client, "SELECT * FROM t ORDER BY k");

            assertThat(rows.get(0).subList(0, 9))
                    .containsExactly(1L, true, (short) 2, 3, 1.5f, 2.5, new BigDecimal("12.34"), "hé", "{\"a\": 1}");
            assertThat((byte[]) rows.get(0).get(9)).containsExactly(1, 2);
            assertThat(rows.get(0).get(10)).isEqualTo("00000000-0000-0001-0000-000000000002");
            assertThat(rows.get(0).get(11))
                    .isEqualTo((int) java.time.LocalDate.of(2026, 1, 31).toEpochDay());
            assertThat(rows.get(0).get(12)).isEqualTo(java.time.LocalDateTime.of(1970, 1, 1, 10, 11, 12, 500_000_000));
            assertThat(rows.get(0).get(13)).isEqualTo(java.time.LocalDateTime.of(2026, 1, 31, 10, 11, 12, 500_000_000));
            assertThat(rows.get(0).get(14))
                    .isEqualTo(
                            java.time.Instant.parse("2026-01-31T09:11:12.500Z").toEpochMilli());
            assertThat(rows.get(1).get(0)).isEqualTo(2L);
            assertThat(rows.get(1).subList(1, 15)).containsOnlyNulls();
            assertThat(query(client, "SELECT array_agg(k), count(*) FROM t WHERE k > 5"))
                    .hasSize(1);
            assertThat(query(client, "SELECT k FROM t WHERE k > 5")).isEmpty();
        }
    }

    @Test
    void rowsThatAreIngestedAreThoseThatEverybodySees() throws Exception {
        try (LazyBaseServer server = TestServer.start(directory, Map.of("lazybase.copy.rows", "1000"));
                FlightSqlClient client = client(server);
                Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (k bigint PRIMARY KEY, said text, paid numeric(10, 2), day date,"
                    + " at timestamp, raw bytea, x int)");
            try (BigIntVector k = new BigIntVector("k", allocator);
                    VarCharVector said = new VarCharVector("said", allocator);
                    DecimalVector paid = new DecimalVector("paid", allocator, 12, 3);
                    DateDayVector day = new DateDayVector("day", allocator);
                    TimeStampMicroVector at = new TimeStampMicroVector("at", allocator);
                    VarBinaryVector raw = new VarBinaryVector("raw", allocator);
                    Float8Vector x = new Float8Vector("x", allocator)) {
                int rows = 20_000;
                for (int i = 0; i < rows; i++) {
                    k.setSafe(i, i);
                    said.setSafe(i, ("row " + i).getBytes(UTF_8));
                    paid.setSafe(i, new BigDecimal("1.005"));
                    day.setSafe(i, i % 365);
                    at.setSafe(i, i * 1_000_000L + 499);
                    raw.setSafe(i, new byte[] {(byte) i});
                    if (i % 2 == 0) {
                        x.setSafe(i, i);
                    } else {
                        x.setNull(i);
                    }
                }
                List<FieldVector> columns = List.of(k, said, paid, day, at, raw, x);
                columns.forEach(column -> column.setValueCount(rows));
                assertThat(client.executeIngest(VectorSchemaRoot.of(columns.toArray(FieldVector[]::new)), into("t")))
                        .isEqualTo(rows);
            }
            try (ResultSet result = statement.executeQuery(
                    "SELECT count(*), sum(k), sum(paid), max(day), max(at), count(x), max(said), max(raw) FROM t")) {
                result.next();
                assertThat(result.getLong(1)).isEqualTo(20_000);
                assertThat(result.getLong(2)).isEqualTo(19_999L * 10_000);
                assertThat(result.getBigDecimal(3)).isEqualByComparingTo("20200.00");
                assertThat(result.getString(4)).isEqualTo("1970-12-31");
                assertThat(result.getString(5)).isEqualTo("1970-01-01 05:33:19");
                assertThat(result.getLong(6)).isEqualTo(10_000);
                assertThat(result.getString(7)).isEqualTo("row 9999");
                assertThat(result.getBytes(8)).containsExactly(-1);
            }
            // More rows than fit into one batch, in their order.
            List<List<Object>> rows = query(client, "SELECT k, said FROM t ORDER BY k");
            assertThat(rows).hasSize(20_000);
            assertThat(rows.get(19_999)).containsExactly(19_999L, "row 19999");
        }
    }

    @Test
    void numbersOfADictionaryBecomeItsValues() throws Exception {
        var command = CommandStatementIngest.newBuilder()
                .setTable("t")
                .setTableDefinitionOptions(
                        TableDefinitionOptions.newBuilder().setIfExists(TableExistsOption.TABLE_EXISTS_OPTION_APPEND))
                .build();
        try (LazyBaseServer server = TestServer.start(directory, Map.of());
                FlightClient plain = FlightClient.builder(allocator, TestServer.location(server))
                        .build();
                FlightSqlClient client = new FlightSqlClient(plain);
                BigIntVector k = new BigIntVector("k", allocator);
                VarCharVector said = new VarCharVector("said", allocator);
                VarCharVector words = new VarCharVector("words", allocator)) {
            client.executeUpdate("CREATE TABLE t (k bigint PRIMARY KEY, said text)");
            words.setSafe(0, "yes".getBytes(UTF_8));
            words.setSafe(1, "no".getBytes(UTF_8));
            words.setValueCount(2);
            for (int i = 0; i < 4; i++) {
                k.setSafe(i, i);
                said.setSafe(i, (i % 2 == 0 ? "yes" : "no").getBytes(UTF_8));
            }
            k.setValueCount(4);
            said.setValueCount(4);
            var dictionary = new Dictionary(words, new DictionaryEncoding(1, false, null));
            try (FieldVector encoded = (FieldVector) DictionaryEncoder.encode(said, dictionary);
                    var listener = new SyncPutListener()) {
                // The client for Flight SQL does not take dictionaries; others do.
                FlightClient.ClientStreamListener stream = plain.startPut(
                        FlightDescriptor.command(Any.pack(command).toByteArray()),
                        VectorSchemaRoot.of(k, encoded),
                        new DictionaryProvider.MapDictionaryProvider(dictionary),
                        listener);
                stream.putNext();
                stream.completed();
                listener.read().close();
                listener.getResult();
            }
            assertThat(query(client, "SELECT said, count(*) FROM t GROUP BY said ORDER BY said"))
                    .containsExactly(List.of("no", 2L), List.of("yes", 2L));
        }
    }

    @Test
    void theRowThatDoesNotFitIsNamedAndWhatWasCommittedBeforeStays() throws Exception {
        try (LazyBaseServer server = TestServer.start(directory, Map.of("lazybase.copy.rows", "100"));
                FlightSqlClient client = client(server);
                BigIntVector k = new BigIntVector("k", allocator);
                BigIntVector small = new BigIntVector("small", allocator)) {
            client.executeUpdate("CREATE TABLE t (k bigint PRIMARY KEY, small smallint)");
            for (int i = 0; i < 300; i++) {
                k.setSafe(i, i);
                small.setSafe(i, i == 250 ? 40_000 : i);
            }
            k.setValueCount(300);
            small.setValueCount(300);

            assertThatThrownBy(() -> client.executeIngest(VectorSchemaRoot.of(k, small), into("t")))
                    .isInstanceOf(FlightRuntimeException.class)
                    .hasMessageContaining("LAZYBASE-1202")
                    .hasMessageContaining("Row 251")
                    .hasMessageContaining("200 rows before it were committed");
            assertThat(query(client, "SELECT count(*) FROM t")).containsExactly(List.of(200L));
            assertThatThrownBy(() -> client.executeIngest(VectorSchemaRoot.of(k, small), into("nowhere")))
                    .satisfies(e -> assertThat(codeOf(e)).isEqualTo(FlightStatusCode.NOT_FOUND));
        }
    }

    @Test
    void preparedStatementsTakeValues() throws Exception {
        try (LazyBaseServer server = TestServer.start(directory, Map.of());
                FlightSqlClient client = client(server)) {
            client.executeUpdate("CREATE TABLE t (k bigint PRIMARY KEY, said text)");
            try (FlightSqlClient.PreparedStatement insert = client.prepare("INSERT INTO t VALUES (?, ?)");
                    VectorSchemaRoot values = VectorSchemaRoot.create(insert.getParameterSchema(), allocator)) {
                for (int i = 0; i < 3; i++) {
                    ((BigIntVector) values.getVector(0)).setSafe(i, i);
                    ((VarCharVector) values.getVector(1)).setSafe(i, ("is it '?' " + i).getBytes(UTF_8));
                }
                values.setRowCount(3);
                insert.setParameters(values);
                assertThat(insert.executeUpdate()).isEqualTo(3);
            }
            try (FlightSqlClient.PreparedStatement select =
                            client.prepare("SELECT said FROM t WHERE k = ? AND said LIKE '%?%'");
                    VectorSchemaRoot values = VectorSchemaRoot.create(select.getParameterSchema(), allocator)) {
                ((BigIntVector) values.getVector(0)).setSafe(0, 2);
                values.setRowCount(1);
                select.setParameters(values);
                assertThat(rows(client, select.execute())).containsExactly(List.of("is it '?' 2"));
            }
        }
    }

    @Test
    void settingsAreHeadersAndTheAnswerSaysHowFreshItIs() throws Exception {
        try (LazyBaseServer server = TestServer.start(directory, Map.of());
                FlightSqlClient client = client(server)) {
            client.executeUpdate("CREATE TABLE t (k bigint PRIMARY KEY)");
            client.executeUpdate("INSERT INTO t VALUES (1)");
            HeaderCallOption stale = header("lazybase.freshness", "any");
            assertThat(query(client, "SHOW lazybase.freshness", stale)).containsExactly(List.of("any"));
            FlightInfo info = client.execute("SELECT k FROM t");
            try (FlightStream stream =
                    client.getStream(info.getEndpoints().get(0).getTicket())) {
                assertThat(stream.next()).isTrue();
                var told = new byte[(int) stream.getLatestMetadata().readableBytes()];
                stream.getLatestMetadata().getBytes(0, told);
                assertThat(new String(told, UTF_8))
                        .contains("lazybase.snapshot=")
                        .contains("lazybase.answer_age=0 ms")
                        .contains("lazybase.stages=");
            }
            assertThatThrownBy(() -> query(client, "SELECT 1", header("lazybase.freshnes", "any")))
                    .hasMessageContaining("did you mean lazybase.freshness");
            assertThatThrownBy(() -> client.executeUpdate("SET lazybase.freshness = 'any'"))
                    .hasMessageContaining("headers");
            assertThatThrownBy(() -> client.executeUpdate("BEGIN"))
                    .satisfies(e -> assertThat(codeOf(e)).isEqualTo(FlightStatusCode.UNIMPLEMENTED));
            assertThatThrownBy(() -> query(client, "SELECT nonsense FROM t"))
                    .satisfies(e -> assertThat(codeOf(e)).isNotEqualTo(FlightStatusCode.INTERNAL));
        }
    }

    @Test
    void whoGoesInTheMiddleOfAnAnswerMakesRoom() throws Exception {
        try (LazyBaseServer server = TestServer.start(directory, Map.of("lazybase.pg.connections", "1"));
                FlightSqlClient client = client(server);
                BigIntVector k = new BigIntVector("k", allocator)) {
            client.executeUpdate("CREATE TABLE t (k bigint PRIMARY KEY)");
            for (int i = 0; i < 2_000; i++) {
                k.setSafe(i, i);
            }
            k.setValueCount(2_000);
            client.executeIngest(VectorSchemaRoot.of(k), into("t"));
            FlightInfo info = client.execute("SELECT a.k, b.k, c.k FROM t a CROSS JOIN t b CROSS JOIN t c");
            try (FlightStream stream =
                    client.getStream(info.getEndpoints().get(0).getTicket())) {
                assertThat(stream.next()).isTrue();
                assertThatThrownBy(() -> query(client, "SELECT 1"))
                        .satisfies(e -> assertThat(codeOf(e)).isEqualTo(FlightStatusCode.RESOURCE_EXHAUSTED));
                stream.cancel("enough", null);
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> query(client, "SELECT 1").size() == 1);
        }
    }

    @Test
    void onlyUsersComeInAndReadersOnlyRead() throws Exception {
        Files.createDirectories(directory.resolve("data"));
        var users = new Users(directory.resolve("data/users"));
        users.put("anna", Users.Role.WRITE, "secret", new byte[16]);
        users.put("rita", Users.Role.READ, "geheim", new byte[16]);
        try (LazyBaseServer server = TestServer.start(directory, Map.of());
                FlightClient plain = FlightClient.builder(allocator, TestServer.location(server))
                        .build();
                FlightSqlClient client = new FlightSqlClient(plain)) {
            assertThatThrownBy(() -> query(client, "SELECT 1"))
                    .satisfies(e -> assertThat(codeOf(e)).isEqualTo(FlightStatusCode.UNAUTHENTICATED));
            assertThatThrownBy(() -> plain.authenticateBasicToken("anna", "wrong"))
                    .satisfies(e -> assertThat(codeOf(e)).isEqualTo(FlightStatusCode.UNAUTHENTICATED));
            CredentialCallOption anna =
                    plain.authenticateBasicToken("anna", "secret").orElseThrow();
            client.executeUpdate("CREATE TABLE t (k bigint PRIMARY KEY)", anna);
            CredentialCallOption rita =
                    plain.authenticateBasicToken("rita", "geheim").orElseThrow();
            assertThat(query(client, "SELECT count(*) FROM t", rita)).containsExactly(List.of(0L));
            assertThatThrownBy(() -> client.executeUpdate("INSERT INTO t VALUES (1)", rita))
                    .satisfies(e -> assertThat(codeOf(e)).isEqualTo(FlightStatusCode.UNAUTHORIZED));
            try (BigIntVector k = new BigIntVector("k", allocator)) {
                k.setSafe(0, 1);
                k.setValueCount(1);
                assertThatThrownBy(() -> client.executeIngest(VectorSchemaRoot.of(k), into("t"), rita))
                        .satisfies(e -> assertThat(codeOf(e)).isEqualTo(FlightStatusCode.UNAUTHORIZED));
                assertThat(client.executeIngest(VectorSchemaRoot.of(k), into("t"), anna))
                        .isEqualTo(1);
            }
        }
    }
}
