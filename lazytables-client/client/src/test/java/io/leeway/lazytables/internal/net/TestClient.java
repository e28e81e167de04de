package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import java.util.List;
import java.util.Map;

/** A client that remembers what happened. */
final class TestClient implements AutoCloseable {

    final RecordingSink sink = new RecordingSink();
    final NetLoop loop = NetLoop.start("test-client");
    final ClientTransport transport;

    private TestClient(String host, int port, Map<String, String> options) {
        transport = new ClientTransport(loop, LazyTablesConfig.of(options), List.of(new HostAndPort(host, port)));
        transport.start(sink);
    }

    static TestClient of(int port, String... options) {
        return of("127.0.0.1", port, options);
    }

    static TestClient of(String host, int port, String... options) {
        Map<String, String> map = TestServer.options(options);
        map.putIfAbsent("lazytables.retry.first", "5ms");
        map.putIfAbsent("lazytables.retry.most", "50ms");
        return new TestClient(host, port, map);
    }

    TestClient open() {
        sink.until(RecordingSink.What.OPEN);
        return this;
    }

    boolean send(byte[] bytes) {
        return TestServer.on(loop, () -> transport.send(0, bytes, 0, bytes.length));
    }

    @Override
    public void close() {
        transport.close();
        loop.close();
    }
}
