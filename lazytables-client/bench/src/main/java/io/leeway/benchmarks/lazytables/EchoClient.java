package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.net.ClientTransport;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.net.NetLoop;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps so many messages under way and counts the answers. */
final class EchoClient implements FrameSink, AutoCloseable {

    private static final long CONNECT_SECONDS = 20;

    private final NetLoop loop = NetLoop.start("ask");
    private final ClientTransport transport;
    private final CountDownLatch open = new CountDownLatch(1);
    private final byte[] message;
    private final int window;
    private volatile long answers;

    EchoClient(int port, int bytes, int window) throws InterruptedException {
        this.message = new byte[bytes];
        this.window = window;
        var config = LazyTablesConfig.of(Map.of("lazytables.compression", "none"));
        transport = new ClientTransport(loop, config, List.of(new HostAndPort("127.0.0.1", port)));
        transport.start(this);
        if (!open.await(CONNECT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no connection after " + CONNECT_SECONDS + " s");
        }
    }

    long answers() {
        return answers;
    }

    @Override
    public void onOpen(int peer) {
        for (int i = 0; i < window; i++) {
            transport.send(peer, message, 0, message.length);
        }
        open.countDown();
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread counts.
    public void onFrame(int peer, byte[] buffer, int offset, int length) {
        answers++;
        transport.send(peer, message, 0, message.length);
    }

    @Override
    public void onClosed(int peer, @Nullable Throwable cause) {}

    @Override
    public void close() {
        transport.close();
        loop.close();
    }
}
