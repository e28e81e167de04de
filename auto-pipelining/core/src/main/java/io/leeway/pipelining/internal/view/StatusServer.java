package io.leeway.pipelining.internal.view;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leeway.pipelining.PipelineStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Serves the page, its text and the metrics, on the loopback address only and to be read only, from daemon threads.
 * Thread-safe.
 */
public final class StatusServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService thread;

    private StatusServer(HttpServer server, ExecutorService thread) {
        this.server = server;
        this.thread = thread;
    }

    /** Serves what the supplier gives at the time of a request. */
    public static StatusServer start(int port, Supplier<PipelineStatus> status) {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
                var made = new Thread(task, "pipelining-page");
                made.setDaemon(true);
                return made;
            });
            server.setExecutor(thread);
            serve(server, "/", "text/html", status, GraphPage::of);
            serve(server, "/text", "text/plain", status, GraphText::of);
            serve(server, "/metrics", "text/plain", status, MetricsText::of);
            // Its dispatcher is a daemon if the thread that starts it is one: a page must not keep a host alive.
            CompletableFuture.runAsync(server::start, thread).join();
            return new StatusServer(server, thread);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on the loopback address, port " + port, e);
        }
    }

    /** The port. */
    public int port() {
        return server.getAddress().getPort();
    }

    private static void serve(
            HttpServer server,
            String path,
            String type,
            Supplier<PipelineStatus> status,
            Function<PipelineStatus, String> view) {
        server.createContext(path, exchange -> answer(exchange, path, type, () -> view.apply(status.get())));
    }

    private static void answer(HttpExchange exchange, String path, String type, Supplier<String> view)
            throws IOException {
        try (exchange) {
            boolean known = exchange.getRequestURI().getPath().equals(path);
            boolean reads = exchange.getRequestMethod().equals("GET");
            byte[] body = known && reads ? view.get().getBytes(StandardCharsets.UTF_8) : new byte[0];
            exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
            exchange.sendResponseHeaders(!known ? 404 : reads ? 200 : 405, body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdownNow();
    }
}
