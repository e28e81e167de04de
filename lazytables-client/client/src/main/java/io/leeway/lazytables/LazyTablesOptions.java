package io.leeway.lazytables;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Every option, once. Options are given to the builder, in properties or on the command line under their keys, which
 * are API.
 *
 * @since 0.1
 */
public final class LazyTablesOptions {

    /** The prefix of all keys. */
    public static final String PREFIX = "lazytables.";

    public static final LazyTablesOption<List<HostAndPort>> SERVERS = LazyTablesOption.addresses(
            "lazytables.servers",
            "The servers, in the same order everywhere; empty starts one inside the process, unless there is a registry.");

    public static final LazyTablesOption<String> REGISTRY = LazyTablesOption.text(
            "lazytables.registry",
            "",
            "scheme:location",
            "Where servers say where they are and clients find them, instead of lazytables.servers. Opened by a"
                    + " ServerRegistryProvider: zookeeper://zk1:2181,zk2:2181/path needs lazytables-zookeeper.");

    public static final LazyTablesOption<String> REGISTRY_AUTH = LazyTablesOption.secret(
            "lazytables.registry.auth",
            0,
            "Who this process is at the registry; for ZooKeeper scheme:credentials, such as digest:user:password. What"
                    + " servers register is then shown to nobody else.");

    public static final LazyTablesOption<Duration> REGISTRY_SESSION = LazyTablesOption.duration(
            "lazytables.registry.session",
            "10s",
            "1s",
            "10m",
            "How long a server that ended without a word stays registered.");

    public static final LazyTablesOption<Duration> REGISTRY_TIMEOUT = LazyTablesOption.duration(
            "lazytables.registry.timeout",
            "30s",
            "100ms",
            "1h",
            "How long the registry may take to answer, and a server waits for its number to become free.");

    public static final LazyTablesOption<Integer> PROCESSES = LazyTablesOption.number(
            "lazytables.processes", 1, 1, 65_536, "Client processes that take part; the same everywhere.");

    public static final LazyTablesOption<Integer> PROCESS = LazyTablesOption.number(
            "lazytables.process", 0, 0, 65_535, "The number of this client process, from 0; each has its own.");

    public static final LazyTablesOption<HostAndPort> LISTEN = LazyTablesOption.address(
            "lazytables.server.listen",
            "127.0.0.1:7171",
            "Where a server listens. Beyond this machine it needs a token, or lazytables.server.open.");

    public static final LazyTablesOption<Boolean> OPEN = LazyTablesOption.flag(
            "lazytables.server.open", false, "Whether a server may listen beyond this machine without a token.");

    public static final LazyTablesOption<Integer> SERVER_NUMBER = LazyTablesOption.number(
            "lazytables.server.number",
            0,
            0,
            1_023,
            "Which of the servers in the registry this one is, from 0: its place in the order, which it keeps wherever it"
                    + " is started again.");

    public static final LazyTablesOption<Integer> SERVER_COUNT = LazyTablesOption.number(
            "lazytables.server.count", 1, 1, 1_024, "How many servers the registry is for; the same at each.");

    public static final LazyTablesOption<Optional<HostAndPort>> ADVERTISE = LazyTablesOption.addressOrNone(
            "lazytables.server.advertise",
            "host:port, with port 0 for that of lazytables.server.listen",
            "Where clients reach the server that they find in the registry; empty is where it listens.");

    public static final LazyTablesOption<Integer> CONNECTIONS = LazyTablesOption.number(
            "lazytables.server.connections", 1_024, 1, 1_000_000, "Connections that a server has at most.");

    public static final LazyTablesOption<Integer> HANDSHAKES = LazyTablesOption.number(
            "lazytables.server.handshakes",
            64,
            1,
            10_000,
            "Connections that may be in their handshake at once; the oldest is closed for a further one.");

    public static final LazyTablesOption<Duration> EXPIRE = LazyTablesOption.duration(
            "lazytables.server.expire",
            "0s",
            "0s",
            "24h",
            "After how long without a connection a client process is dropped, so that the others go on; 0s waits for"
                    + " it.");

    public static final LazyTablesOption<Long> SERVER_MEMORY = LazyTablesOption.size(
            "lazytables.server.memory",
            "0B",
            "0B",
            "4096GB",
            "About how much memory a server's tables and what waits in it may take; what is over is refused with"
                    + " LAZY-1502. 0B is 60 % of what the Java machine has.");

    public static final LazyTablesOption<String> SNAPSHOT_DIRECTORY = LazyTablesOption.text(
            "lazytables.snapshot.directory",
            "",
            "path",
            "A directory of the server's own where it stores snapshots, to go on from when it is started again; empty"
                    + " stores none. A path with a scheme is opened by a SnapshotStoreProvider:"
                    + " hdfs://name/path needs lazytables-hadoop.");

    public static final LazyTablesOption<Integer> SNAPSHOT_CLOCKS = LazyTablesOption.number(
            "lazytables.snapshot.clocks",
            0,
            0,
            1_000_000_000,
            "After how many clocks a server takes a snapshot; 0 goes by time alone.");

    public static final LazyTablesOption<Duration> SNAPSHOT_INTERVAL = LazyTablesOption.duration(
            "lazytables.snapshot.interval",
            "10s",
            "0s",
            "24h",
            "After how long a server takes a snapshot, if anything has changed; 0s goes by clocks alone.");

    public static final LazyTablesOption<Integer> TABLES_CLOCKS = LazyTablesOption.number(
            "lazytables.tables.clocks",
            0,
            0,
            1_000_000_000,
            "After how many clocks a server stores its tables as they were at the end of that clock, with no later"
                    + " update, beside its snapshots; for StoredTables and `lazytables tables`. 0 stores none.");

    public static final LazyTablesOption<Integer> TABLES_KEPT = LazyTablesOption.number(
            "lazytables.tables.kept", 3, 0, 1_000_000, "Of how many clocks the tables are kept; 0 keeps all.");

    public static final LazyTablesOption<Boolean> RESUME = LazyTablesOption.flag(
            "lazytables.resume",
            false,
            "Whether a client process goes on where the one of its number ended, or joins where the others are; its"
                    + " own clocks are seen when all servers have them.");

    public static final LazyTablesOption<Long> KEPT_LIMIT = LazyTablesOption.size(
            "lazytables.kept.limit",
            "1GB",
            "1MB",
            "64GB",
            "About how many bytes of updates, as they take in memory, a client keeps that servers may still lose; at the limit clock() waits."
                    + " What waits for the slowest worker of the process counts for those that are ahead of it.");

    public static final LazyTablesOption<String> TOKEN = LazyTablesOption.secret(
            "lazytables.token",
            16,
            "What clients and servers prove to each other that they know, without sending it; empty asks for none.");

    public static final LazyTablesOption<String> TOKEN_FILE = LazyTablesOption.text(
            "lazytables.token.file", "", "path", "File whose first line is the token, instead of lazytables.token.");

    public static final LazyTablesOption<Boolean> TLS =
            LazyTablesOption.flag("lazytables.tls", false, "Whether connections are encrypted.");

    public static final LazyTablesOption<String> TLS_CERTIFICATE = LazyTablesOption.text(
            "lazytables.tls.certificate",
            "",
            "path",
            "Own certificate with its chain: a PEM file, or a keystore (.p12, .pfx, .jks) that also has the key."
                    + " A server with TLS needs one.");

    public static final LazyTablesOption<String> TLS_KEY = LazyTablesOption.text(
            "lazytables.tls.key",
            "",
            "path",
            "Own private key, a PEM file (PKCS#8), if the certificate is a PEM file.");

    public static final LazyTablesOption<String> TLS_PASSWORD =
            LazyTablesOption.secret("lazytables.tls.password", 0, "Password of the key or of the keystore.");

    public static final LazyTablesOption<String> TLS_TRUST = LazyTablesOption.text(
            "lazytables.tls.trust",
            "",
            "path",
            "Certificates that the other side's must come from: a PEM file or a keystore. Empty is the JDK's for a"
                    + " client; a server that has them asks clients for certificates.");

    public static final LazyTablesOption<String> TLS_TRUST_PASSWORD = LazyTablesOption.secret(
            "lazytables.tls.trust.password", 0, "Password of the keystore of lazytables.tls.trust.");

    public static final LazyTablesOption<Duration> CONNECT_TIMEOUT = LazyTablesOption.duration(
            "lazytables.connect.timeout", "5s", "10ms", "10m", "How long one attempt to connect may take.");

    public static final LazyTablesOption<Duration> HANDSHAKE_TIMEOUT = LazyTablesOption.duration(
            "lazytables.handshake.timeout",
            "10s",
            "50ms",
            "10m",
            "How long TLS and the exchange of version and token may take together.");

    public static final LazyTablesOption<Duration> RETRY_FIRST = LazyTablesOption.duration(
            "lazytables.retry.first",
            "50ms",
            "1ms",
            "1m",
            "Pause before the first attempt to connect again; it doubles with each, less a random part.");

    public static final LazyTablesOption<Duration> RETRY_MOST = LazyTablesOption.duration(
            "lazytables.retry.most", "5s", "1ms", "10m", "Longest pause between attempts to connect.");

    public static final LazyTablesOption<Duration> HEARTBEAT = LazyTablesOption.duration(
            "lazytables.heartbeat",
            "5s",
            "10ms",
            "10m",
            "How often a sign of life is sent on a connection on which nothing else is.");

    public static final LazyTablesOption<Duration> IDLE_TIMEOUT = LazyTablesOption.duration(
            "lazytables.idle.timeout",
            "30s",
            "20ms",
            "1h",
            "After how long without a sign of life a connection counts as broken; at least twice the heartbeat.");

    public static final LazyTablesOption<Long> FRAME_LIMIT = LazyTablesOption.size(
            "lazytables.frame.limit",
            "64MB",
            "2MB",
            "255MB",
            "Largest message that is sent or taken; no row is larger.");

    public static final LazyTablesOption<Long> SEND_WATERMARK = LazyTablesOption.size(
            "lazytables.send.watermark",
            "4MB",
            "64KB",
            "1GB",
            "Bytes waiting for one connection above which nothing more is handed to it until half of them have left, and a"
                    + " server reads nothing more from it.");

    public static final LazyTablesOption<Long> SEND_LIMIT = LazyTablesOption.size(
            "lazytables.send.limit",
            "512MB",
            "1MB",
            "16GB",
            "Most bytes that may wait for one connection; at least the watermark, a message and 1 MB.");

    public static final LazyTablesOption<Compression> COMPRESSION = LazyTablesOption.choice(
            "lazytables.compression",
            Compression.class,
            Compression.AUTO,
            "LZ4 for messages that it makes smaller by an eighth: to other machines, always or never.");

    public static final LazyTablesOption<Long> COMPRESS_ABOVE = LazyTablesOption.size(
            "lazytables.compression.above", "4KB", "64B", "255MB", "Messages up to this size are not compressed.");

    public static final LazyTablesOption<Metrics> METRICS = LazyTablesOption.choice(
            "lazytables.metrics",
            Metrics.class,
            Metrics.AUTO,
            "Metrics to Micrometer's global registry if it is on the class path, or none.");

    private static final List<LazyTablesOption<?>> ALL = List.of(
            SERVERS,
            REGISTRY,
            REGISTRY_AUTH,
            REGISTRY_SESSION,
            REGISTRY_TIMEOUT,
            PROCESSES,
            PROCESS,
            LISTEN,
            OPEN,
            SERVER_NUMBER,
            SERVER_COUNT,
            ADVERTISE,
            CONNECTIONS,
            HANDSHAKES,
            EXPIRE,
            SERVER_MEMORY,
            SNAPSHOT_DIRECTORY,
            SNAPSHOT_CLOCKS,
            SNAPSHOT_INTERVAL,
            TABLES_CLOCKS,
            TABLES_KEPT,
            RESUME,
            KEPT_LIMIT,
            TOKEN,
            TOKEN_FILE,
            TLS,
            TLS_CERTIFICATE,
            TLS_KEY,
            TLS_PASSWORD,
            TLS_TRUST,
            TLS_TRUST_PASSWORD,
            CONNECT_TIMEOUT,
            HANDSHAKE_TIMEOUT,
            RETRY_FIRST,
            RETRY_MOST,
            HEARTBEAT,
            IDLE_TIMEOUT,
            FRAME_LIMIT,
            SEND_WATERMARK,
            SEND_LIMIT,
            COMPRESSION,
            COMPRESS_ABOVE,
            METRICS);

    private LazyTablesOptions() {}

    /** All options, in the order of the documentation. */
    public static List<LazyTablesOption<?>> all() {
        return ALL;
    }

    /** Where metrics go. */
    public enum Metrics {
        /** To Micrometer, if it is there. */
        AUTO,
        /** Nowhere. */
        NONE
    }

    /** When messages are compressed. */
    public enum Compression {
        /** To other machines, not within one. */
        AUTO,
        /** Always if it pays. */
        LZ4,
        /** Never; what arrives compressed is read all the same. */
        NONE
    }
}
