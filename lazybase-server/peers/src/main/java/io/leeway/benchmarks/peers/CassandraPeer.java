package io.leeway.benchmarks.peers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;

/**
 * Apache Cassandra and its client in one process, so that CPU time is of both, as it is for the others. Writes with consistency ONE and
 * Cassandra's periodic commit log, which acknowledges before it syncs. A partition has the rows of 4 million possible keys, about a thousand,
 * in their order, so that a range of 0.1 % of the keys is one slice of two or three partitions. Rows go in unlogged batches of one partition,
 * 32 rows each or 16 large ones.
 *
 * <p>Arguments: directory, CSV file, a small one for warming up, one of large rows. Prints a name, a tab and a figure for each figure.
 */
public final class CassandraPeer {

    private static final int IN_FLIGHT = 128;
    private static final int BATCH = 32;
    private static final int LARGE_BATCH = 16;
    private static final int BUCKET_BITS = 22;
    private static final int POINTS = 10_000;
    private static final int RANGES = 1_000;

    private final CqlSession session;

    private CassandraPeer(CqlSession session) {
        this.session = session;
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        int port = configure(directory);
        var daemon = new CassandraDaemon(true);
        daemon.activate();
        DriverConfigLoader config = DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(60))
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, DefaultConsistencyLevel.ONE.name())
                .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, 2_048)
                .withBoolean(DefaultDriverOption.REQUEST_LOG_WARNINGS, false)
                .build();
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .withLocalDatacenter("datacenter1")
                .withConfigLoader(config)
                .build()) {
            new CassandraPeer(session).run(Path.of(arguments[1]), Path.of(arguments[2]), Path.of(arguments[3]));
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** The jar has no configuration; this is what of it has no default, on ports of our own. */
    private static int configure(Path directory) throws IOException {
        int port = freePort();
        int storage = freePort();
        String yaml = """
            cluster_name: peer
            num_tokens: 1
            partitioner: org.apache.cassandra.dht.Murmur3Partitioner
            commitlog_sync: periodic
            commitlog_sync_period: 10000ms
            commitlog_directory: %1$s/commitlog
            data_file_directories: [%1$s/data]
            saved_caches_directory: %1$s/caches
            hints_directory: %1$s/hints
            cdc_raw_directory: %1$s/cdc
            endpoint_snitch: SimpleSnitch
            listen_address: 127.0.0.1
            rpc_address: 127.0.0.1
            storage_port: %2$d
            native_transport_port: %3$d
            start_native_transport: true
            auto_snapshot: false
            storage_compatibility_mode: NONE
            compaction_throughput: 0MiB/s
            batch_size_warn_threshold: 1MiB
            batch_size_fail_threshold: 5MiB
            concurrent_writes: 16
            concurrent_reads: 16
            memtable_heap_space: 512MiB
            memtable:
              configurations:
                trie:
                  class_name: TrieMemtable
                default:
                  inherits: trie
            sstable:
              selected_format: bti
            seed_provider:
              - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                parameters:
                  - seeds: "127.0.0.1:%2$d"
            """.formatted(directory, storage, port);
        Path file = directory.resolve("cassandra.yaml");
        Files.createDirectories(directory);
        Files.writeString(file, yaml);
        // Without a configuration it logs everything, which costs more than what it does.
        Path logging = directory.resolve("logback.xml");
        Files.writeString(logging, "<configuration><root level=\"ERROR\"/></configuration>");
        System.setProperty("logback.configurationFile", logging.toString());
        System.setProperty("cassandra.config", file.toUri().toString());
        System.setProperty("cassandra.storagedir", directory.toString());
        System.setProperty("cassandra-foreground", "true");
        System.setProperty("cassandra.skip_wait_for_gossip_to_settle", "0");
        System.setProperty("cassandra.ring_delay_ms", "100");
        System.setProperty("cassandra.jmx.local.port", Integer.toString(freePort()));
        return port;
    }

    private static double cpuSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
    }

    private static void say(String name, double value) {
        System.out.println("figure\t" + name + "\t" + String.format(Locale.ROOT, "%.3f", value));
        System.out.flush();
    }

    private void run(Path rows, Path warm, Path large) throws Exception {
        session.execute("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        session.execute("USE k");
        load("warm", warm, BATCH);
        measured("t", rows, BATCH, "");
        queries();
        measured("large", large, LARGE_BATCH, "large ");
    }

    private void measured(String table, Path rows, int batch, String name) throws Exception {
        double cpu = cpuSeconds();
        long wall = System.nanoTime();
        long count = load(table, rows, batch);
        say(name + "acknowledged", count / (cpuSeconds() - cpu) / 1000);
        StorageService.instance.forceKeyspaceFlush("k", table);
        StorageService.instance.forceKeyspaceCompaction(false, "k", table);
        say(name + "compacted", count / (cpuSeconds() - cpu) / 1000);
        say(name + "compacted by the clock", count / ((System.nanoTime() - wall) / 1e9) / 1000);
    }

    private long load(String table, Path file, int batchRows) throws Exception {
        session.execute("CREATE TABLE " + table
                + " (b bigint, k bigint, ts bigint, u int, v int, d double, s text, PRIMARY KEY (b, k))"
                + " WITH compression = {'class': 'LZ4Compressor'}");
        PreparedStatement insert =
                session.prepare("INSERT INTO " + table + " (b, k, ts, u, v, d, s) VALUES (?, ?, ?, ?, ?, ?, ?)");
        var inFlight = new Semaphore(IN_FLIGHT);
        var failure = new AtomicReference<@Nullable Throwable>();
        // Rows wait until a batch of their partition is full: that is how a loader groups them.
        Map<Long, BatchStatementBuilder> batches = new HashMap<>();
        long count = 0;
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] cells = line.split(",", -1);
                long key = Long.parseLong(cells[0]);
                long bucket = key >> BUCKET_BITS;
                BatchStatementBuilder batch =
                        batches.computeIfAbsent(bucket, none -> BatchStatement.builder(BatchType.UNLOGGED));
                batch.addStatement(insert.bind(
                        bucket,
                        key,
                        Long.parseLong(cells[1]),
                        Integer.parseInt(cells[2]),
                        Integer.parseInt(cells[3]),
                        Double.parseDouble(cells[4]),
                        cells[5]));
                count++;
                if (batch.getStatementsCount() >= batchRows) {
                    batches.remove(bucket);
                    send(batch, inFlight, failure);
                }
            }
        }
        for (BatchStatementBuilder batch : batches.values()) {
            send(batch, inFlight, failure);
        }
        inFlight.acquire(IN_FLIGHT);
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException(failed);
        }
        return count;
    }

    private void send(BatchStatementBuilder batch, Semaphore inFlight, AtomicReference<@Nullable Throwable> failure)
            throws InterruptedException {
        inFlight.acquire();
        var unused = session.executeAsync(batch.build()).whenComplete((result, error) -> {
            inFlight.release();
            if (error != null) {
                failure.set(error);
            }
        });
    }

    private void queries() throws Exception {
        PreparedStatement point = session.prepare("SELECT * FROM t WHERE b = ? AND k = ?");
        PreparedStatement range = session.prepare("SELECT count(*), sum(v) FROM t WHERE b IN ? AND k >= ? AND k < ?");
        points(point, POINTS, 1);
        double cpu = cpuSeconds();
        long[] times = points(point, POINTS, 3);
        say("point cpu", (cpuSeconds() - cpu) * 1e6 / POINTS);
        say("point median", times[times.length / 2] / 1e3);
        ranges(range, RANGES, 1);
        cpu = cpuSeconds();
        times = ranges(range, RANGES, 4);
        say("range cpu", (cpuSeconds() - cpu) * 1e6 / RANGES);
        say("range median", times[times.length / 2] / 1e3);
        for (int clients : new int[] {1, 4, 16, 64}) {
            throughput("points " + clients, clients, 4 * POINTS, (count, seed) -> points(point, count, seed));
            throughput("ranges " + clients, clients, 4 * RANGES, (count, seed) -> ranges(range, count, seed));
        }
    }

    private interface Work {
        long[] run(int count, long seed);
    }

    private static void throughput(String name, int clients, int queries, Work work) throws InterruptedException {
        double cpu = cpuSeconds();
        long wall = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            int seed = 10 + i;
            var thread = new Thread(() -> work.run(queries / clients, seed), "client-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        int done = queries / clients * clients;
        say(name + " wall", done / ((System.nanoTime() - wall) / 1e9));
        say(name + " cpu", done / (cpuSeconds() - cpu));
    }

    /** The same keys as the others' rows. */
    private static long key(int i) {
        return (i * 0x9E3779B1L) & 0xFFFFFFFFL;
    }

    private long[] points(PreparedStatement query, int count, long seed) {
        var random = new Random(seed);
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            long began = System.nanoTime();
            long key = key(random.nextInt(1_000_000));
            if (session.execute(query.bind(key >> BUCKET_BITS, key)).one() == null) {
                throw new IllegalStateException("a row is missing");
            }
            times[i] = System.nanoTime() - began;
        }
        Arrays.sort(times);
        return times;
    }

    private long[] ranges(PreparedStatement query, int count, long seed) {
        var random = new Random(seed);
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            long from = (long) (random.nextDouble() * 4e9);
            long to = from + (1L << 32) / 1000;
            var buckets = new ArrayList<Long>();
            for (long bucket = from >> BUCKET_BITS; bucket <= (to - 1) >> BUCKET_BITS; bucket++) {
                buckets.add(bucket);
            }
            long began = System.nanoTime();
            session.execute(query.bind(buckets, from, to)).one();
            times[i] = System.nanoTime() - began;
        }
        Arrays.sort(times);
        return times;
    }
}
