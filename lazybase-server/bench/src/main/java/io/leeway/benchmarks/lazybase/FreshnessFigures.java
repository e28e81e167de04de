package io.leeway.benchmarks.lazybase;

import io.leeway.benchmarks.results.Better;
import io.leeway.lazybase.LazyBaseServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** What freshness costs while rows come in: figures 3.6 and 3.7 of the dissertation. */
final class FreshnessFigures {

    private static final int STEADY_ROWS_A_SECOND = 60_000;
    private static final int STEADY_SECONDS = 45;
    /** Before that answers cannot be as stale as they may be, and the process is young. */
    private static final int UNTIMED_SECONDS = 20;

    private static final int SLICE_MILLIS = 100;
    private static final String[] BOUNDS = {"15 s", "10 s", "5 s", "0 s"};

    private final Measure measure;

    FreshnessFigures(Measure measure) {
        this.measure = measure;
    }

    void run(Path file) throws Exception {
        steady();
        full(file);
    }

    /** Point queries at four freshnesses, in turns, while 60,000 rows come in each second. */
    private void steady() throws Exception {
        int rows = STEADY_ROWS_A_SECOND * (STEADY_SECONDS + 1);
        Path file = Rows.write(measure.directory.resolve("steady.csv"), 0, rows, 0, 6);
        try (LazyBaseServer server = measure.server("steady", "lazybase.authority.interval", "10s");
                Connection connection = Measure.connect(server);
                Statement statement = connection.createStatement()) {
            Measure.execute(connection, "CREATE TABLE t " + Rows.COLUMNS);
            var done = new AtomicBoolean();
            Thread writer = new Thread(() -> pacedWriting(server, file, done), "writer");
            writer.start();
            statement.execute("SET lazybase.monotonic = off");
            var random = new Random(5);
            long begin = System.nanoTime();
            long until = begin + STEADY_SECONDS * 1_000_000_000L;
            long[][] times = new long[BOUNDS.length][100_000];
            int count = 0;
            for (int turn = 0; System.nanoTime() < until; turn++) {
                int b = turn % BOUNDS.length;
                long began = System.nanoTime();
                statement
                        .executeQuery("SELECT /*+ freshness('" + BOUNDS[b] + "') */ * FROM t WHERE k = "
                                + Rows.key(random.nextInt(STEADY_ROWS_A_SECOND)))
                        .close();
                if (System.nanoTime() - begin > UNTIMED_SECONDS * 1_000_000_000L && count < times[b].length) {
                    times[b][count] = System.nanoTime() - began;
                    count += b == BOUNDS.length - 1 ? 1 : 0;
                }
                Thread.sleep(2);
            }
            long rowsThen = Measure.stages(connection).of("ingest").rows();
            double seconds = (System.nanoTime() - begin) / 1e9;
            done.set(true);
            writer.join();
            measure.record("rows that came in meanwhile", rowsThen / seconds / 1000, "K/s", null, Better.HIGHER, "");
            for (int b = 0; b < BOUNDS.length; b++) {
                long[] mine = Arrays.copyOf(times[b], count);
                Arrays.sort(mine);
                String name = "point query at " + BOUNDS[b] + " under 60 K rows/s, ";
                measure.record(name + "median", mine[count / 2] / 1e6, "ms", null, Better.LOWER, "");
                measure.record(name + "95 of 100", mine[count * 95 / 100] / 1e6, "ms", null, Better.LOWER, "");
            }
        }
    }

    private static void pacedWriting(LazyBaseServer server, Path file, AtomicBoolean done) {
        int rows = STEADY_ROWS_A_SECOND * SLICE_MILLIS / 1000;
        try (Connection connection = Measure.connect(server);
                var in = Files.newBufferedReader(file)) {
            var copies = new CopyManager((BaseConnection) connection);
            long next = System.nanoTime();
            var slice = new StringBuilder();
            while (!done.get()) {
                slice.setLength(0);
                for (int i = 0; i < rows; i++) {
                    String line = in.readLine();
                    if (line == null) {
                        throw new IllegalStateException("more rows than were written");
                    }
                    slice.append(line).append('\n');
                }
                byte[] bytes = slice.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
                copies.copyIn("COPY t FROM STDIN WITH (FORMAT csv)", new ByteArrayInputStream(bytes), 1 << 16);
                next += SLICE_MILLIS * 1_000_000L;
                long left = (next - System.nanoTime()) / 1_000_000;
                if (left > 0) {
                    Thread.sleep(left);
                }
            }
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The same range query at two freshnesses, in turns, while rows come in as fast as one client sends them. */
    private void full(Path file) throws Exception {
        String[] bounds = {"any", "0 s"};
        try (LazyBaseServer server = measure.server("full");
                Connection connection = Measure.connect(server);
                Statement statement = connection.createStatement()) {
            Measure.execute(connection, "CREATE TABLE t " + Rows.COLUMNS);
            Measure.ingest(connection, "t", file);
            var done = new AtomicBoolean();
            Thread writer = new Thread(() -> keepWriting(server, file, done), "writer");
            writer.start();
            long[][] times = new long[bounds.length][200];
            statement.execute("SET lazybase.monotonic = off");
            for (int i = 0; i < 200; i++) {
                for (int j = 0; j < bounds.length; j++) {
                    // In turns: the first one after the pause pays for waking up.
                    int b = (i + j) % bounds.length;
                    long began = System.nanoTime();
                    statement
                            .executeQuery("SELECT /*+ freshness('" + bounds[b]
                                    + "') */ count(*), sum(v) FROM t WHERE k >= 1000000000 AND k < 1004000000")
                            .close();
                    times[b][i] = System.nanoTime() - began;
                }
                Thread.sleep(10);
            }
            done.set(true);
            writer.join();
            for (int b = 0; b < bounds.length; b++) {
                Arrays.sort(times[b]);
                String name = "range query at " + bounds[b] + " under full ingest, median";
                measure.record(name, times[b][100] / 1e6, "ms", null, Better.LOWER, "");
            }
            double ratio = times[1][100] / (double) times[0][100];
            measure.record("0 s beside any under full ingest", ratio, "times", 10.0, Better.LOWER, "");
        }
    }

    private static void keepWriting(LazyBaseServer server, Path file, AtomicBoolean done) {
        try (Connection connection = Measure.connect(server)) {
            while (!done.get()) {
                Measure.copy(connection, "t", file);
            }
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
