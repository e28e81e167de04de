package io.leeway.demo.lazybase;

import io.leeway.demo.Bars;
import io.leeway.demo.DemoContext;
import io.leeway.demo.Table;
import io.leeway.demo.Teller;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** The story of the demo. */
final class Tweets {

    private static final String[] BOUNDS = {"any", "3 s", "1 s", "0 s"};
    private static final int ROWS_A_COMMIT = 5_000;
    private static final long SEED = 2010;

    private final DemoContext context;
    private final Teller teller;
    private final AtomicLong acknowledged = new AtomicLong();
    private volatile boolean stopped;

    Tweets(DemoContext context) {
        this.context = context;
        this.teller = context.teller();
    }

    void show() throws Exception {
        Path directory = Files.createTempDirectory("lazybase-demo-");
        try {
            try (var server = ServerProcess.start(directory)) {
                fill(server);
                server.kill();
            }
            teller.heading("Killed, and started again");
            long began = System.nanoTime();
            try (var server = ServerProcess.start(directory)) {
                restarted(server, (System.nanoTime() - began) / 1_000_000);
            }
        } finally {
            ServerProcess.delete(directory);
        }
    }

    private void fill(ServerProcess server) throws Exception {
        teller.heading("Tweets at full speed");
        teller.text("A server in a process of its own, and tweets of about 100 bytes (seed " + SEED
                + ") that are copied in as fast as it takes them. Any client of PostgreSQL could do that.");
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE tweets (id bigint PRIMARY KEY, author int, likes int, text text)");
            statement.execute("CREATE INDEX tweets_by_author ON tweets (author)");
        }
        Thread writer = new Thread(() -> write(server), "tweets");
        writer.start();
        try {
            ask(server);
        } finally {
            stopped = true;
            writer.join();
        }
    }

    private void write(ServerProcess server) {
        var random = new Random(SEED);
        try (Connection connection = server.connect()) {
            var copies = new CopyManager((BaseConnection) connection);
            while (!stopped) {
                CopyIn copy = copies.copyIn("COPY tweets FROM STDIN WITH (FORMAT csv)");
                byte[] rows = rows(random);
                copy.writeToCopy(rows, 0, rows.length);
                copy.endCopy();
                acknowledged.addAndGet(ROWS_A_COMMIT);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the writer failed", e);
        }
    }

    private byte[] rows(Random random) {
        var rows = new StringBuilder();
        long first = acknowledged.get();
        for (int i = 0; i < ROWS_A_COMMIT; i++) {
            rows.append(first + i)
                    .append(',')
                    .append(random.nextInt(10_000))
                    .append(',')
                    .append(random.nextInt(500));
            rows.append(",what ")
                    .append(Integer.toHexString(random.nextInt()))
                    .append(" said about the weather and the train and lunch\n");
        }
        return rows.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void ask(ServerProcess server) throws Exception {
        int rounds = context.shortOrLong(15, 60);
        double[] millis = new double[BOUNDS.length];
        double[] behind = new double[BOUNDS.length];
        String[] stages = new String[BOUNDS.length];
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET lazybase.monotonic = off");
            PGConnection pg = connection.unwrap(PGConnection.class);
            // The first questions are planned and compiled; that is not what is shown.
            for (int round = -5; round < rounds; round++) {
                if (round == 0) {
                    java.util.Arrays.fill(millis, 0);
                    java.util.Arrays.fill(behind, 0);
                }
                teller.progress("asking while tweets come in", Math.max(0, (double) round / rounds));
                for (int b = 0; b < BOUNDS.length; b++) {
                    long before = acknowledged.get();
                    long began = System.nanoTime();
                    long count = number(statement, "SELECT /*+ freshness('" + BOUNDS[b] + "') */ count(*) FROM tweets");
                    millis[b] += (System.nanoTime() - began) / 1e6 / rounds;
                    behind[b] += Math.max(0, before - count) / (double) rounds;
                    stages[b] = pg.getParameterStatus("lazybase.stages");
                }
                Thread.sleep(100);
            }
        }
        tell(server, millis, behind, stages);
    }

    private void tell(ServerProcess server, double[] millis, double[] behind, String[] stages) throws SQLException {
        var rows = new ArrayList<List<String>>();
        var bars = new ArrayList<Bars.Bar>();
        for (int b = 0; b < BOUNDS.length; b++) {
            rows.add(List.of(
                    BOUNDS[b],
                    String.format(Locale.ROOT, "%.1f", millis[b]),
                    String.format(Locale.ROOT, "%,.0f", behind[b]),
                    stages[b]));
            bars.add(new Bars.Bar(BOUNDS[b], millis[b]));
        }
        teller.table(new Table(
                "The same question, SELECT count(*) FROM tweets, at four freshnesses",
                List.of("freshness", "ms (mean)", "rows behind (mean)", "read the last time"),
                rows));
        teller.bars(new Bars("What freshness costs", "ms", bars));
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            var stageRows = new ArrayList<List<String>>();
            try (ResultSet result =
                    statement.executeQuery("SELECT stage, row_count, bytes, cpu_ms FROM lazybase.stages")) {
                while (result.next()) {
                    long cpu = result.getLong(4);
                    stageRows.add(List.of(
                            result.getString(1),
                            String.format(Locale.ROOT, "%,d", result.getLong(2)),
                            String.format(Locale.ROOT, "%,d", result.getLong(3)),
                            cpu == 0 ? "" : String.format(Locale.ROOT, "%,d", result.getLong(2) * 1_000 / cpu)));
                }
            }
            teller.table(new Table(
                    "What the stages have done",
                    List.of("stage", "rows", "bytes written", "rows a CPU second"),
                    stageRows));
        }
    }

    private void restarted(ServerProcess server, long millis) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            long count = number(statement, "SELECT count(*) FROM tweets");
            teller.text(String.format(
                    Locale.ROOT,
                    "kill -9 while it worked, and back after %,d ms: %,d tweets were acknowledged, %,d are there.",
                    millis,
                    acknowledged.get(),
                    count));
            if (count != acknowledged.get()) {
                throw new IllegalStateException(count + " tweets instead of " + acknowledged.get());
            }
            try (PreparedStatement byAuthor =
                    connection.prepareStatement("SELECT count(*), max(likes) FROM tweets WHERE author = ?")) {
                byAuthor.setInt(1, 7);
                try (ResultSet result = byAuthor.executeQuery()) {
                    result.next();
                    teller.text("Author 7, through the view that is sorted by author: " + result.getLong(1)
                            + " tweets, the best has " + result.getInt(2) + " likes.");
                }
            }
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }
}
