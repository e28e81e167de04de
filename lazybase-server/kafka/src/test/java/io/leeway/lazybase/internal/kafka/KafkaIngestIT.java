package io.leeway.lazybase.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.lazybase.LazyBaseCommand;
import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.LazyBaseServer;
import io.leeway.testkit.Depth;
import io.leeway.testkit.JavaProcess;
import io.leeway.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics of a real broker become rows. */
class KafkaIngestIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private static Path brokerDirectory;

    private static Broker broker;

    @TempDir
    Path directory;

    @BeforeAll
    static void startBroker() throws IOException {
        broker = new Broker(brokerDirectory);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        if (broker != null) {
            broker.close();
        }
    }

    private static KafkaProducer<String, String> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.address(), "acks", "all", "delivery.timeout.ms", "180000"),
                new StringSerializer(),
                new StringSerializer());
    }

    /** What does not arrive is missed by the test. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void send(KafkaProducer<String, String> producer, String topic, String value) {
        producer.send(new ProducerRecord<>(topic, value));
    }

    private LazyBaseServer server() {
        return LazyBaseServer.start(LazyBaseOptions.of(Map.of(
                "lazybase.directory", directory.toString(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "-1",
                "lazybase.scu.age", "50ms",
                "lazybase.authority.interval", "100ms")));
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, "me", "");
    }

    /** The first row. */
    private static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            if (!result.next()) {
                return "";
            }
            var row = new StringJoiner(" ");
            for (int c = 1; c <= result.getMetaData().getColumnCount(); c++) {
                row.add(result.getString(c));
            }
            return row.toString();
        }
    }

    private static void awaitText(Statement statement, String sql, String wanted) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(text(statement, sql)).isEqualTo(wanted));
    }

    @Test
    void messagesBecomeRowsAndARestartGoesOnWhereItEnded() throws Exception {
        broker.create("people", 2);
        try (KafkaProducer<String, String> producer = producer()) {
            try (LazyBaseServer server = server();
                    Connection connection = connect(server.jdbcUrl());
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE people (id int8 PRIMARY KEY, name text, born date, more json)");
                statement.execute(
                        "CREATE INGEST people INTO people FROM KAFKA '" + broker.address() + "' TOPIC 'people'");
                assertThatThrownBy(() -> statement.execute("CREATE INGEST people INTO people FROM KAFKA '"
                                + broker.address() + "' TOPIC 'people'"))
                        .hasMessageContaining("already");
                for (int i = 0; i < 500; i++) {
                    send(
                            producer,
                            "people",
                            "{\"id\": " + i + ", \"name\": \"n\\u00e9 " + i
                                    + "\", \"born\": \"2001-02-03\", \"more\": {\"a\": [1, 2]}, \"unknown\": 7}");
                }
                producer.flush();
                awaitText(statement, "SELECT count(*) FROM people", "500");
                assertThat(text(statement, "SELECT name, born, more FROM people WHERE id = 17"))
                        .isEqualTo("né 17 2001-02-03 {\"a\":[1,2]}");
                awaitText(statement, "SELECT state, row_count, behind FROM lazybase.ingests", "running 500 0");
                assertThat(text(statement, "SELECT sum(next_offset) FROM lazybase_offsets"))
                        .isEqualTo("500");
            }
            send(producer, "people", "{\"id\": 500, \"name\": null}");
            producer.flush();
            try (LazyBaseServer server = server();
                    Connection connection = connect(server.jdbcUrl());
                    Statement statement = connection.createStatement()) {
                awaitText(statement, "SELECT count(*) FROM people", "501");
                awaitText(statement, "SELECT row_count FROM lazybase.ingests", "1");
                try (ResultSet shown = statement.executeQuery("SHOW INGESTS")) {
                    assertThat(shown.next()).isTrue();
                    assertThat(shown.getString("source")).isEqualTo("kafka " + broker.address() + "/people");
                    assertThat(shown.getLong("row_count")).isEqualTo(1);
                }
                statement.execute("DROP INGEST people");
                assertThat(text(statement, "SELECT count(*) FROM lazybase_offsets"))
                        .isEqualTo("0");
                assertThat(text(statement, "SELECT count(*) FROM lazybase.ingests"))
                        .isEqualTo("0");
                assertThat(text(statement, "SELECT count(*) FROM people")).isEqualTo("501");
            }
        }
    }

    @Test
    void aMessageThatIsNoRowStopsTheIngestAtItsPlaceOrIsLeftOut() throws Exception {
        broker.create("lines", 1);
        try (KafkaProducer<String, String> producer = producer();
                LazyBaseServer server = server();
                Connection connection = connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            for (String line : List.of("1;one", "2;\"t;wo\"", "three;3", "4;four")) {
                send(producer, "lines", line);
            }
            producer.flush();
            statement.execute("CREATE TABLE a (id int4 PRIMARY KEY, said text)");
            statement.execute("CREATE TABLE b (id int4 PRIMARY KEY, said text)");
            String from = " FROM KAFKA '" + broker.address() + "' TOPIC 'lines' ";
            String csv = "WITH (FORMAT csv, DELIMITER ';')";
            statement.execute("CREATE INGEST strict_ INTO a" + from + csv);
            statement.execute("CREATE INGEST easy INTO b (id, said)" + from + "SKIP ERRORS " + csv);
            awaitText(statement, "SELECT count(*), max(said) FROM b", "3 t;wo");
            awaitText(statement, "SELECT skipped FROM lazybase_offsets WHERE ingest = 'easy'", "1");
            awaitText(statement, "SELECT state FROM lazybase.ingests WHERE ingest = 'strict_'", "failing");
            assertThat(text(statement, "SELECT error FROM lazybase.ingests WHERE ingest = 'strict_'"))
                    .contains("Partition 0, offset 2", "three");
            assertThat(text(statement, "SELECT count(*) FROM a")).isEqualTo("2");
            assertThatThrownBy(() -> statement.execute(
                            "CREATE INGEST c INTO a FROM KAFKA '" + broker.address() + "' TOPIC 'nothing'"))
                    .hasMessageContaining("nothing");
            assertThatThrownBy(() -> statement.execute("CREATE INGEST c INTO nowhere" + from))
                    .hasMessageContaining("nowhere");
        }
    }

    /** A server in a process of its own. */
    private record Server(Process process, String url) implements AutoCloseable {

        static Server start(Path directory) throws IOException {
            List<String> command = JavaProcess.command(
                    System.getProperty("java.class.path"),
                    LazyBaseCommand.class.getName(),
                    List.of(
                            "start",
                            "--directory=" + directory,
                            "--pg.port=0",
                            "--web.port=-1",
                            "--scu.age=50ms",
                            "--scu.rows=2000",
                            "--authority.interval=100ms"));
            command.add(1, "-Xmx256m");
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String url = out.readLine();
            assertThat(url).as("the first line of the server").startsWith("jdbc:postgresql://");
            return new Server(process, url.strip());
        }

        @Override
        public void close() throws Exception {
            process.destroyForcibly().waitFor();
        }
    }

    /** Each message adds one, so one that counts twice is seen as well as one that is lost. */
    @Test
    void nothingIsLostAndNothingCountsTwiceHoweverOftenTheServerIsKilled() throws Exception {
        RandomGenerator random = Seeds.random("kafka kills");
        int kills = Depth.of(2, 30);
        int messages = kills * 4_000;
        broker.create("counts", 3);
        var sent = new AtomicLong();
        var producing = new Thread(
                () -> {
                    try (KafkaProducer<String, String> producer = producer()) {
                        for (int i = 0; i < messages; i++) {
                            send(producer, "counts", "{\"k\": " + i % 10 + ", \"n\": 1, \"last\": " + i + "}");
                            if (i % 100 == 0) {
                                producer.flush();
                            }
                            sent.incrementAndGet();
                        }
                    }
                },
                "producer");
        try {
            for (int round = 0; round <= kills; round++) {
                try (Server server = Server.start(directory);
                        Connection connection = connect(server.url());
                        Statement statement = connection.createStatement()) {
                    if (round == 0) {
                        statement.execute("CREATE TABLE counts (k int4 PRIMARY KEY, n int8, last_ int8)");
                        statement.execute("CREATE INGEST counts INTO counts (k, n) FROM KAFKA '" + broker.address()
                                + "' TOPIC 'counts' ADD (n)");
                        producing.start();
                    }
                    if (round == kills) {
                        awaitText(statement, "SELECT sum(n) FROM counts", Integer.toString(messages));
                        awaitText(
                                statement, "SELECT sum(next_offset) FROM lazybase_offsets", Integer.toString(messages));
                    } else {
                        long wanted = (round + 1) * 3_000L + random.nextInt(1_000);
                        await().atMost(PATIENCE).until(() -> !producing.isAlive() || counted(statement) >= wanted);
                        if (round % 10 == 5) {
                            broker.restart();
                        }
                    }
                }
            }
        } finally {
            producing.join(PATIENCE.toMillis());
        }
        assertThat(sent.get()).isEqualTo(messages);
    }

    private static long counted(Statement statement) throws SQLException {
        String sum = text(statement, "SELECT sum(n) FROM counts");
        return sum.equals("null") ? 0 : Long.parseLong(sum);
    }
}
