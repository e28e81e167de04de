package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.net.NetLoop;
import io.leeway.lazytables.internal.net.ServerTransport;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers each message with as much of it as fits into 32 bytes. As a process it prints its port and ends with its input. */
final class EchoServer implements FrameSink, AutoCloseable {

    private static final int MOST_ANSWER = 32;

    private final NetLoop loop = NetLoop.start("echo");
    private final ServerTransport transport;

    EchoServer() {
        transport = new ServerTransport(
                loop,
                LazyTablesConfig.of(
                        Map.of("lazytables.server.listen", "127.0.0.1:0", "lazytables.compression", "none")));
        transport.start(this);
    }

    public static void main(String[] args) throws IOException {
        try (EchoServer server = new EchoServer()) {
            System.out.println(server.port());
            while (System.in.read() >= 0) {
                // Until whoever started this closes the other end.
            }
        }
    }

    int port() {
        return transport.address().port();
    }

    @Override
    public void onOpen(int peer) {}

    @Override
    public void onFrame(int peer, byte[] buffer, int offset, int length) {
        transport.send(peer, buffer, offset, Math.min(length, MOST_ANSWER));
    }

    @Override
    public void onClosed(int peer, @Nullable Throwable cause) {}

    @Override
    public void close() {
        transport.close();
        loop.close();
    }
}
