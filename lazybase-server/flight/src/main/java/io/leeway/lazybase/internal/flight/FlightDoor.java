package io.leeway.lazybase.internal.flight;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.door.BulkDoor;
import io.leeway.lazybase.internal.sql.Engine;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.ServerHeaderMiddleware;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Listens for clients that speak Arrow Flight SQL. Thread-safe. */
final class FlightDoor implements BulkDoor {

    private static final int GOODBYE_SECONDS = 10;
    /** The Java from which on Netty uses sun.misc.Unsafe only if it is told. */
    private static final int NETTY_ASKS = 25;

    private final BufferAllocator allocator;
    private final ExecutorService workers;
    private final SqlProducer producer;
    private final FlightServer server;
    private final String uri;

    private FlightDoor(Engine engine, Settings settings) throws IOException {
        InetSocketAddress address = settings.address();
        Tls tls = settings.tls();
        String host = address.getAddress().getHostAddress();
        Location location = tls == null
                ? Location.forGrpcInsecure(host, address.getPort())
                : Location.forGrpcTls(host, address.getPort());
        var entrance = new Entrance(settings.users());
        allocator = new RootAllocator();
        workers = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "lazybase-flight");
            thread.setDaemon(true);
            return thread;
        });
        producer = new SqlProducer(engine, entrance, allocator, workers, settings.mostCalls());
        try {
            FlightServer.Builder builder = FlightServer.builder(allocator, location, producer)
                    .executor(workers)
                    .headerAuthenticator(entrance)
                    .middleware(SqlProducer.HEADERS, new ServerHeaderMiddleware.Factory())
                    .maxInboundMessageSize(settings.mostMessage());
            if (tls != null) {
                builder.useTls(tls.certificate().toFile(), tls.key().toFile());
            }
            server = builder.build().start();
        } catch (IOException | RuntimeException e) {
            workers.shutdownNow();
            allocator.close();
            throw new LazyBaseException(Code.LISTEN, "Address " + address + ": " + e.getMessage() + ".", e);
        }
        uri = (tls == null ? "grpc+tcp://" : "grpc+tls://") + host + ":" + server.getPort();
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public void close() {
        producer.cancelAll();
        server.shutdown();
        try {
            if (!server.awaitTermination(GOODBYE_SECONDS, TimeUnit.SECONDS)) {
                server.close();
            }
            workers.shutdown();
            if (!workers.awaitTermination(GOODBYE_SECONDS, TimeUnit.SECONDS)) {
                workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close();
        allocator.close();
    }

    /** Opens this door. */
    public static final class Provider implements BulkDoor.Provider {

        /** For the loader of services. */
        public Provider() {}

        @Override
        public BulkDoor open(Engine engine, Settings settings) throws IOException {
            // Arrow would only fail at the first query.
            List<String> missing = missingOptions();
            if (!missing.isEmpty()) {
                throw new LazyBaseException(
                        Code.CONFIGURATION,
                        "Arrow needs of the Java virtual machine: " + String.join(" ", missing)
                                + " (bin/lazybase: LAZYBASE_JAVA_OPTIONS).");
            }
            return new FlightDoor(engine, settings);
        }

        private static List<String> missingOptions() {
            var missing = new ArrayList<String>();
            if (!ByteBuffer.class.getModule().isOpen("java.nio", RootAllocator.class.getModule())) {
                missing.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
            }
            // Arrow takes memory by Netty's allocator, and only by the one that uses sun.misc.Unsafe.
            if (!PlatformDependent.hasUnsafe()) {
                missing.add(
                        Runtime.version().feature() < NETTY_ASKS
                                ? "-Dio.netty.noUnsafe=false"
                                : "--sun-misc-unsafe-memory-access=allow");
            }
            return missing;
        }
    }
}
