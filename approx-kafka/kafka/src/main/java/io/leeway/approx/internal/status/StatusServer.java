package io.leeway.approx.internal.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Serves texts that are made when they are asked for. Reads nothing, changes nothing. */
public final class StatusServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, task -> {
        Thread thread = new Thread(task, "approx-status");
        thread.setDaemon(true);
        return thread;
    });

    /** Listens; nothing is served yet. */
    public StatusServer(InetSocketAddress at) {
        try {
            server = HttpServer.create(new InetSocketAddress(at.getHostString(), at.getPort()), 16);
        } catch (IOException e) {
            throw new ApproxException(
                    ApproxError.LISTEN,
                    "Status cannot be served at " + at.getHostString() + ":" + at.getPort() + ".",
                    e);
        }
        server.setExecutor(threads);
        server.start();
    }

    /** Serves a text under a path. */
    public void serve(String path, String type, Supplier<String> text) {
        server.createContext(path, exchange -> {
            boolean found = exchange.getRequestURI().getPath().equals(path);
            answer(exchange, found ? 200 : 404, type, found ? text.get() : "there is nothing here\n");
        });
    }

    private static void answer(HttpExchange exchange, int code, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.getResponseHeaders().set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
        exchange.sendResponseHeaders(code, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    /** The port. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
