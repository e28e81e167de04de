package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.internal.config.LazyTablesConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A server that sends back what it is sent and remembers what happened. */
final class TestServer implements AutoCloseable {

    final RecordingSink sink = new RecordingSink() {
        @Override
        public void onFrame(int peer, byte[] buffer, int offset, int length) {
            if (length == 5
                    && new String(buffer, offset, length, java.nio.charset.StandardCharsets.US_ASCII).equals("throw")) {
                throw new IllegalStateException("thrown by the sink");
            }
            super.onFrame(peer, buffer, offset, length);
            transport.send(peer, buffer, offset, length);
            mostPending.accumulateAndGet(transport.pending(peer), Math::max);
        }
    };
    final AtomicLong mostPending = new AtomicLong();
    final NetLoop loop = NetLoop.start("test-server");
    final ServerTransport transport;

    private TestServer(Map<String, String> options) {
        transport = new ServerTransport(loop, LazyTablesConfig.of(options));
    }

    static TestServer start(String... options) {
        return startAt(0, options);
    }

    static TestServer startAt(int port, String... options) {
        Map<String, String> map = options(options);
        map.put("lazytables.server.listen", "localhost:" + port);
        var server = new TestServer(map);
        try {
            server.transport.start(server.sink);
        } catch (RuntimeException e) {
            server.loop.close();
            throw e;
        }
        return server;
    }

    static Map<String, String> options(String... pairs) {
        var map = new HashMap<String, String>();
        for (String pair : pairs) {
            int at = pair.indexOf('=');
            map.put("lazytables." + pair.substring(0, at), pair.substring(at + 1));
        }
        return map;
    }

    int port() {
        return transport.address().port();
    }

    /** On the network thread, as the protocol would. */
    <T> T on(Supplier<T> task) {
        return on(loop, task);
    }

    static <T> T on(NetLoop loop, Supplier<T> task) {
        var result = new CompletableFuture<T>();
        loop.execute(() -> {
            try {
                result.complete(task.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result.orTimeout(60, java.util.concurrent.TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        transport.close();
        loop.close();
    }
}
