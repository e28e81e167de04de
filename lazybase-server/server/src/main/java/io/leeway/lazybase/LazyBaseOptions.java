package io.leeway.lazybase;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every option, once. Options are given in a file of properties or on the command line under their keys, which are API.
 *
 * @since 0.1
 */
public final class LazyBaseOptions {

    /** The prefix of all keys. */
    public static final String PREFIX = "lazybase.";

    /** Where everything is kept. */
    public static final LazyBaseOption<String> DIRECTORY = LazyBaseOption.text(
            "lazybase.directory", "lazybase-data", "path", "The directory that everything is kept in.");

    /** Where the data is. */
    public static final LazyBaseOption<String> STORE = LazyBaseOption.text(
            "lazybase.store",
            "",
            "path or URI",
            "Where the data is, if not in the directory: hdfs://host:port/path with lazybase-hadoop.jar, or another path."
                    + " Whoever starts takes it over from whoever has it.");

    /** Election. */
    public static final LazyBaseOption<String> ZOOKEEPER = LazyBaseOption.text(
            "lazybase.cluster.zookeeper",
            "",
            "host:port,... or embedded:port",
            "Several processes share the directory, and the one that ZooKeeper elects leads; empty is one process"
                    + " alone. embedded:PORT starts a ZooKeeper at the loopback address, unless one is there.");

    /** Name of the group. */
    public static final LazyBaseOption<String> CLUSTER = LazyBaseOption.text(
            "lazybase.cluster.name", "lazybase", "letters, digits, dashes", "Processes of one name elect one leader.");

    /** Where clients connect. */
    public static final LazyBaseOption<String> HOST = LazyBaseOption.text(
            "lazybase.pg.host",
            "127.0.0.1",
            "host name or address",
            "Where clients connect. Other addresses than the loopback's need users: bin/lazybase user.");

    /** Port of the door. */
    public static final LazyBaseOption<Integer> PORT = LazyBaseOption.number(
            "lazybase.pg.port",
            5477,
            0,
            65_535,
            "Port for clients that speak PostgreSQL's protocol; 0 takes a free one.");

    /** How many clients. */
    public static final LazyBaseOption<Integer> CONNECTIONS =
            LazyBaseOption.number("lazybase.pg.connections", 500, 1, 100_000, "Connections at most.");

    /** Size of messages. */
    public static final LazyBaseOption<Long> MESSAGE = LazyBaseOption.size(
            "lazybase.pg.message", "64MB", "64KB", "1GB", "Size of one message of a client at most.");

    /** Port for Arrow Flight SQL. */
    public static final LazyBaseOption<Integer> FLIGHT_PORT = LazyBaseOption.number(
            "lazybase.flight.port",
            -1,
            -1,
            65_535,
            "Port for clients that speak Arrow Flight SQL, at lazybase.pg.host, with lazybase-flight.jar;"
                    + " 0 takes a free one, -1 has none.");

    /** Certificate. */
    public static final LazyBaseOption<String> TLS_CERTIFICATE = LazyBaseOption.text(
            "lazybase.tls.certificate",
            "",
            "path",
            "A file of certificates in PEM, the server's first; empty is no TLS.");

    /** Key. */
    public static final LazyBaseOption<String> TLS_KEY =
            LazyBaseOption.text("lazybase.tls.key", "", "path", "The file of its private key in PEM (PKCS 8).");

    /** Key's password. */
    public static final LazyBaseOption<String> TLS_PASSWORD =
            LazyBaseOption.secret("lazybase.tls.password", "The password of the private key; empty if it has none.");

    /** Port of the page. */
    public static final LazyBaseOption<Integer> WEB_PORT = LazyBaseOption.number(
            "lazybase.web.port",
            5478,
            -1,
            65_535,
            "Port of the page and of the metrics, on the loopback address; 0 takes a free one, -1 has none.");

    /** Rows of an SCU. */
    public static final LazyBaseOption<Integer> SCU_ROWS = LazyBaseOption.number(
            "lazybase.scu.rows", 500_000, 1, 100_000_000, "An SCU takes no more commits when it has so many rows.");

    /** Bytes of an SCU. */
    public static final LazyBaseOption<Long> SCU_BYTES = LazyBaseOption.size(
            "lazybase.scu.bytes", "64MB", "1KB", "2GB", "An SCU takes no more commits when it takes so much memory.");

    /** Age of an SCU. */
    public static final LazyBaseOption<Duration> SCU_AGE = LazyBaseOption.duration(
            "lazybase.scu.age", "2s", "10ms", "1h", "An SCU takes no more commits so long after its first one.");

    /** Size of commits. */
    public static final LazyBaseOption<Long> COMMIT_BYTES =
            LazyBaseOption.size("lazybase.commit.bytes", "128MB", "1MB", "1GB", "What one commit may take in memory.");

    /** Backlog. */
    public static final LazyBaseOption<Long> BACKLOG = LazyBaseOption.size(
            "lazybase.commit.backlog",
            "256MB",
            "1MB",
            "64GB",
            "What commits may take in memory before they are sorted; further ones wait.");

    /** How long commits wait. */
    public static final LazyBaseOption<Duration> COMMIT_WAIT = LazyBaseOption.duration(
            "lazybase.commit.wait",
            "60s",
            "1s",
            "1h",
            "How long a commit waits for the pipeline before it is refused.");

    /** Rows of a commit of COPY. */
    public static final LazyBaseOption<Integer> COPY_ROWS = LazyBaseOption.number(
            "lazybase.copy.rows",
            50_000,
            1,
            10_000_000,
            "Outside of a transaction a COPY is committed every so many rows.");

    /** Workers. */
    public static final LazyBaseOption<Integer> WORKERS =
            LazyBaseOption.number("lazybase.workers", 2, 1, 256, "Threads that sort and merge.");

    /** Fan-out. */
    public static final LazyBaseOption<Integer> FAN_OUT =
            LazyBaseOption.number("lazybase.merge.fan-out", 8, 2, 64, "How many sorted runs become one.");

    /** Interval of the authority. */
    public static final LazyBaseOption<Duration> AUTHORITY_INTERVAL = LazyBaseOption.duration(
            "lazybase.authority.interval",
            "10s",
            "0s",
            "24h",
            "How often runs are merged into the authority; four times as long as that took, if that is more.");

    /** Rows of a part. */
    public static final LazyBaseOption<Integer> PART_ROWS = LazyBaseOption.number(
            "lazybase.authority.part-rows",
            500_000,
            100,
            100_000_000,
            "About how many rows a file of the authority has.");

    /** Rows of an extent. */
    public static final LazyBaseOption<Integer> EXTENT_ROWS =
            LazyBaseOption.number("lazybase.extent.rows", 8_192, 16, 1_000_000, "Rows of an extent at most.");

    /** Bytes of an extent. */
    public static final LazyBaseOption<Long> EXTENT_BYTES = LazyBaseOption.size(
            "lazybase.extent.bytes", "1MB", "4KB", "256MB", "Bytes of an extent before compression, about.");

    /** Cache. */
    public static final LazyBaseOption<Long> CACHE = LazyBaseOption.size(
            "lazybase.cache", "128MB", "1MB", "1000GB", "Memory for columns that were decoded for queries.");

    /** Reserve. */
    public static final LazyBaseOption<Long> RESERVE = LazyBaseOption.size(
            "lazybase.store.reserve", "256MB", "0B", "1000GB", "Free space below which no commit is taken.");

    /** Freshness. */
    public static final LazyBaseOption<Freshness> FRESHNESS = LazyBaseOption.freshness(
            "lazybase.freshness", "0 s", "How fresh answers are for sessions and queries that do not say.");

    /** Timeout. */
    public static final LazyBaseOption<Duration> TIMEOUT =
            LazyBaseOption.duration("lazybase.query.timeout", "10m", "1s", "24h", "How long a query may take.");

    /** Threads of a query. */
    public static final LazyBaseOption<Integer> QUERY_THREADS =
            LazyBaseOption.number("lazybase.query.threads", 2, 1, 256, "Threads that read for one query.");

    private static final List<LazyBaseOption<?>> ALL = List.of(
            DIRECTORY,
            STORE,
            ZOOKEEPER,
            CLUSTER,
            HOST,
            PORT,
            CONNECTIONS,
            MESSAGE,
            FLIGHT_PORT,
            TLS_CERTIFICATE,
            TLS_KEY,
            TLS_PASSWORD,
            WEB_PORT,
            SCU_ROWS,
            SCU_BYTES,
            SCU_AGE,
            COMMIT_BYTES,
            BACKLOG,
            COMMIT_WAIT,
            COPY_ROWS,
            WORKERS,
            FAN_OUT,
            AUTHORITY_INTERVAL,
            PART_ROWS,
            EXTENT_ROWS,
            EXTENT_BYTES,
            CACHE,
            RESERVE,
            FRESHNESS,
            TIMEOUT,
            QUERY_THREADS);

    private final Map<String, Object> values;

    private LazyBaseOptions(Map<String, Object> values) {
        this.values = Map.copyOf(values);
    }

    /** All options in the order of the documentation. */
    public static List<LazyBaseOption<?>> all() {
        return ALL;
    }

    /**
     * Reads options.
     *
     * @param given values by their keys; keys that do not begin with {@link #PREFIX} are not looked at
     * @throws LazyBaseException with all faults at once
     */
    public static LazyBaseOptions of(Map<String, String> given) {
        var faults = new ArrayList<String>();
        var values = new HashMap<String, Object>();
        for (LazyBaseOption<?> option : ALL) {
            try {
                values.put(option.key(), option.read(given.getOrDefault(option.key(), option.preset())));
            } catch (IllegalArgumentException e) {
                faults.add(e.getMessage());
            }
        }
        for (String key : given.keySet()) {
            if (key.startsWith(PREFIX)
                    && ALL.stream().noneMatch(option -> option.key().equals(key))) {
                faults.add("there is no option " + key);
            }
        }
        boolean certificate = !given.getOrDefault(TLS_CERTIFICATE.key(), "").isBlank();
        if (certificate == given.getOrDefault(TLS_KEY.key(), "").isBlank()) {
            faults.add(TLS_CERTIFICATE.key() + " and " + TLS_KEY.key() + " need each other");
        }
        if (!faults.isEmpty()) {
            throw new LazyBaseException(LazyBaseException.Code.CONFIGURATION, String.join("; ", faults) + ".");
        }
        return new LazyBaseOptions(values);
    }

    /** The value of an option. */
    @SuppressWarnings("unchecked")
    public <T> T get(LazyBaseOption<T> option) {
        Object value = values.get(option.key());
        if (value == null) {
            throw new IllegalArgumentException("no option " + option.key());
        }
        return (T) value;
    }
}
