package io.leeway.autotune;

import io.leeway.autotune.internal.controller.RestServer;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The controller: tuning instances over REST, and a page of the services whose agents are on this machine. Thread-safe.
 *
 * @since 0.1
 */
public final class AutoTuneController implements AutoCloseable {

    private final RestServer server;

    private AutoTuneController(RestServer server) {
        this.server = server;
    }

    /**
     * Starts one on loopback.
     *
     * @param port 0 takes a free one
     * @param directory for the store and the token, made if it is not there
     * @param agents where agents write their addresses
     * @throws IOException if the port is taken or the directory cannot be written
     * @throws AutoTuneException if another controller has the directory
     */
    public static AutoTuneController start(int port, Path directory, Path agents) throws IOException {
        return new AutoTuneController(RestServer.start(port, directory, agents));
    }

    /** Where it listens. */
    public int port() {
        return server.port();
    }

    /** What requests have to bring, as {@code Authorization: Bearer}. */
    public String token() {
        return server.token();
    }

    @Override
    public void close() {
        server.close();
    }
}
