package io.leeway.lazybase;

import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.console.HeldFile;
import io.leeway.lazybase.internal.door.BulkDoor;
import io.leeway.lazybase.internal.pg.PgServer;
import io.leeway.lazybase.internal.pg.Users;
import io.leeway.lazybase.internal.pipeline.Pipeline;
import io.leeway.lazybase.internal.pipeline.PipelineSettings;
import io.leeway.lazybase.internal.sql.Engine;
import io.leeway.lazybase.internal.storage.FencedStore;
import io.leeway.lazybase.internal.storage.Stores;
import io.leeway.lazybase.internal.web.WebPage;
import io.leeway.lazybase.spi.Helpers;
import io.leeway.lazybase.spi.Store;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * A server: the pipeline, SQL on top, the door for PostgreSQL's clients. Several may run in one process, each with a directory of its own.
 *
 * <pre>{@code
 * try (LazyBaseServer server = LazyBaseServer.start(LazyBaseOptions.of(Map.of("lazybase.directory", "data")))) {
 *     System.out.println(server.jdbcUrl());
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class LazyBaseServer implements AutoCloseable {

    private final @Nullable HeldFile lock;
    private final Pipeline pipeline;
    private final Engine engine;
    private final PgServer door;
    private final @Nullable BulkDoor bulkDoor;
    private final @Nullable WebPage page;

    private LazyBaseServer(
            @Nullable HeldFile lock,
            Pipeline pipeline,
            Engine engine,
            PgServer door,
            @Nullable BulkDoor bulkDoor,
            @Nullable WebPage page) {
        this.lock = lock;
        this.pipeline = pipeline;
        this.engine = engine;
        this.door = door;
        this.bulkDoor = bulkDoor;
        this.page = page;
    }

    /**
     * Starts a server; when this returns, clients can connect.
     *
     * @throws LazyBaseException if it cannot be started, saying why
     */
    public static LazyBaseServer start(LazyBaseOptions options) {
        return start(options, () -> {}, null);
    }

    /** Of a directory that is shared: claims it, and calls {@code onLoss} when another process has claimed it after that. */
    static LazyBaseServer start(LazyBaseOptions options, Runnable onLoss, @Nullable Helpers helpers) {
        Path directory = Path.of(options.get(LazyBaseOptions.DIRECTORY)).toAbsolutePath();
        try {
            Files.createDirectories(directory);
            boolean isElected = !options.get(LazyBaseOptions.ZOOKEEPER).isEmpty();
            // A lock keeps off processes of this machine only.
            boolean isShared = isElected || !options.get(LazyBaseOptions.STORE).isEmpty();
            HeldFile lock = isElected ? null : lock(directory);
            Pipeline pipeline = null;
            Engine engine = null;
            PgServer door = null;
            BulkDoor bulkDoor = null;
            try {
                Store opened = Stores.of(options);
                if (!isShared && FencedStore.claims(opened) > 0) {
                    throw new LazyBaseException(
                            Code.CONFIGURATION,
                            "Directory " + directory + " was shared by several processes; give "
                                    + LazyBaseOptions.ZOOKEEPER.key() + ".");
                }
                Store store = isShared ? FencedStore.claim(opened, onLoss) : opened;
                pipeline = new Pipeline(store, settings(options), System::currentTimeMillis, helpers);
                engine = new Engine(
                        pipeline,
                        new Engine.Settings(
                                options.get(LazyBaseOptions.FRESHNESS),
                                options.get(LazyBaseOptions.TIMEOUT),
                                options.get(LazyBaseOptions.QUERY_THREADS),
                                options.get(LazyBaseOptions.COPY_ROWS)),
                        directory);
                door = door(options, directory, engine);
                bulkDoor = bulkDoor(options, directory, engine);
                engine.ingests().start();
                int port = options.get(LazyBaseOptions.WEB_PORT);
                WebPage page = port < 0
                        ? null
                        : new WebPage(engine, new Users(directory.resolve("users")), port, door::connections);
                return new LazyBaseServer(lock, pipeline, engine, door, bulkDoor, page);
            } catch (IOException | RuntimeException e) {
                if (bulkDoor != null) {
                    bulkDoor.close();
                }
                if (door != null) {
                    door.close();
                }
                close(engine, pipeline, lock);
                throw e;
            }
        } catch (IOException e) {
            throw new LazyBaseException(Code.STORE, "Directory " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    private static void close(@Nullable Engine engine, @Nullable Pipeline pipeline, @Nullable HeldFile lock)
            throws IOException {
        if (engine != null) {
            engine.close();
        }
        if (pipeline != null) {
            pipeline.close();
        }
        if (lock != null) {
            lock.close();
        }
    }

    private static HeldFile lock(Path directory) throws IOException {
        HeldFile file = HeldFile.take(directory.resolve("lock"));
        if (file == null) {
            throw new LazyBaseException(Code.IN_USE, "Directory " + directory + ".");
        }
        return file;
    }

    static PipelineSettings settings(LazyBaseOptions options) {
        return new PipelineSettings(
                options.get(LazyBaseOptions.SCU_ROWS),
                options.get(LazyBaseOptions.SCU_BYTES),
                options.get(LazyBaseOptions.SCU_AGE),
                options.get(LazyBaseOptions.COMMIT_BYTES),
                options.get(LazyBaseOptions.BACKLOG),
                options.get(LazyBaseOptions.COMMIT_WAIT),
                options.get(LazyBaseOptions.WORKERS),
                options.get(LazyBaseOptions.FAN_OUT),
                options.get(LazyBaseOptions.AUTHORITY_INTERVAL),
                options.get(LazyBaseOptions.PART_ROWS),
                options.get(LazyBaseOptions.EXTENT_ROWS),
                options.get(LazyBaseOptions.EXTENT_BYTES),
                options.get(LazyBaseOptions.CACHE),
                options.get(LazyBaseOptions.RESERVE));
    }

    private static PgServer door(LazyBaseOptions options, Path directory, Engine engine) throws IOException {
        var users = new Users(directory.resolve("users"));
        String host = options.get(LazyBaseOptions.HOST);
        InetAddress address = InetAddress.getByName(host);
        if (!address.isLoopbackAddress() && users.all().isEmpty()) {
            throw new LazyBaseException(
                    Code.CONFIGURATION, LazyBaseOptions.HOST.key() + "=" + host + " needs users, and there are none.");
        }
        return new PgServer(
                engine,
                new InetSocketAddress(address, options.get(LazyBaseOptions.PORT)),
                users,
                ssl(options),
                options.get(LazyBaseOptions.CONNECTIONS),
                options.get(LazyBaseOptions.MESSAGE).intValue());
    }

    private static @Nullable BulkDoor bulkDoor(LazyBaseOptions options, Path directory, Engine engine)
            throws IOException {
        int port = options.get(LazyBaseOptions.FLIGHT_PORT);
        if (port < 0) {
            return null;
        }
        String certificate = options.get(LazyBaseOptions.TLS_CERTIFICATE);
        if (!options.get(LazyBaseOptions.TLS_PASSWORD).isEmpty()) {
            throw new LazyBaseException(
                    Code.CONFIGURATION, LazyBaseOptions.FLIGHT_PORT.key() + " needs a private key without a password.");
        }
        BulkDoor.Provider provider = ServiceLoader.load(BulkDoor.Provider.class)
                .findFirst()
                .orElseThrow(() -> new LazyBaseException(
                        Code.CONFIGURATION,
                        LazyBaseOptions.FLIGHT_PORT.key()
                                + " needs lazybase-flight.jar and Arrow's on the class path."));
        return provider.open(
                engine,
                new BulkDoor.Settings(
                        new InetSocketAddress(InetAddress.getByName(options.get(LazyBaseOptions.HOST)), port),
                        new Users(directory.resolve("users")),
                        certificate.isEmpty()
                                ? null
                                : new BulkDoor.Tls(Path.of(certificate), Path.of(options.get(LazyBaseOptions.TLS_KEY))),
                        options.get(LazyBaseOptions.CONNECTIONS),
                        options.get(LazyBaseOptions.MESSAGE).intValue()));
    }

    private static @Nullable SslContext ssl(LazyBaseOptions options) throws IOException {
        String certificate = options.get(LazyBaseOptions.TLS_CERTIFICATE);
        if (certificate.isEmpty()) {
            return null;
        }
        String password = options.get(LazyBaseOptions.TLS_PASSWORD);
        try {
            return SslContextBuilder.forServer(
                            Path.of(certificate).toFile(),
                            Path.of(options.get(LazyBaseOptions.TLS_KEY)).toFile(),
                            password.isEmpty() ? null : password)
                    .build();
        } catch (IllegalArgumentException e) {
            throw new LazyBaseException(Code.CONFIGURATION, "TLS: " + e.getMessage() + ".", e);
        }
    }

    /** Where clients connect. */
    public InetSocketAddress address() {
        return door.address();
    }

    /** The same for PostgreSQL's JDBC driver. */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + address().getHostString() + ":"
                + address().getPort() + "/lazybase";
    }

    /** Where the page is; empty if there is none. */
    public String pageUrl() {
        WebPage mine = page;
        return mine == null ? "" : "http://127.0.0.1:" + mine.port() + "/";
    }

    /** Where clients of Arrow Flight SQL connect; empty if there is no such door. */
    public String flightUri() {
        BulkDoor mine = bulkDoor;
        return mine == null ? "" : mine.uri();
    }

    /** Where clients connect and where the page is. */
    @Override
    public String toString() {
        return (jdbcUrl() + " " + pageUrl() + " " + flightUri()).strip().replace("  ", " ");
    }

    /** Ends connections, then the pipeline. What was acknowledged is kept. */
    @Override
    public void close() {
        WebPage mine = page;
        if (mine != null) {
            mine.close();
        }
        BulkDoor bulk = bulkDoor;
        if (bulk != null) {
            bulk.close();
        }
        door.close();
        engine.close();
        pipeline.close();
        try {
            pipeline.store().close();
            HeldFile held = lock;
            if (held != null) {
                held.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
