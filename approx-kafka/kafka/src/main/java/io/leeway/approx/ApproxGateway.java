package io.leeway.approx;

import io.leeway.approx.internal.gateway.GatewayServer;
import io.leeway.approx.internal.gateway.GatewayState;
import io.leeway.approx.internal.gateway.TopicWriter;
import java.util.List;
import java.util.function.Consumer;

/** The gateway beside the brokers: takes the sample of approximate topics, and writes it into them. Thread-safe. */
public final class ApproxGateway implements AutoCloseable {

    private final TopicWriter writer;
    private final GatewayServer server;

    /**
     * Starts a gateway.
     *
     * @throws ApproxException if an option is missing, the keys cannot be used, or the port is taken
     */
    public ApproxGateway(ApproxOptions options) {
        writer = new TopicWriter(options);
        try {
            server = new GatewayServer(options, writer);
        } catch (RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    /** The port, of TCP and UDP. */
    public int port() {
        return server.port();
    }

    /** Records written into topics so far. */
    public long records() {
        return writer.records();
    }

    /** Records that the brokers refused. */
    public long failures() {
        return writer.failures();
    }

    /** The last reports of windows, oldest first. */
    public List<WindowReport> reports() {
        return writer.lastReports();
    }

    /** Told each report from now on, on the thread that writes: must not block, and must not throw. */
    public void onReport(Consumer<WindowReport> listener) {
        writer.onReport(listener);
    }

    GatewayState state() {
        return server.state();
    }

    @Override
    public void close() {
        server.close();
        writer.close();
    }
}
