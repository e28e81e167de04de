package io.leeway.autotune.lab.internal.run;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leeway.autotune.lab.internal.trace.Span;
import io.leeway.autotune.lab.internal.trace.TraceReader;
import io.leeway.autotune.lab.internal.trace.Traces;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

/**
 * Takes spans on loopback while an experiment runs: OTLP as protobuf or JSON at {@code /v1/traces}, Zipkin's JSON at
 * {@code /api/v2/spans}. Holds at most a million of them.
 */
final class SpanReceiver implements AutoCloseable {

    private static final int MOST_SPANS = 1_000_000;
    private static final int MOST_BYTES = 16_000_000;

    private final HttpServer server;
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final TraceReader reader = new TraceReader();
    private final List<Span> spans = new ArrayList<>();

    SpanReceiver(int port) throws IOException {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 64);
        } catch (IOException e) {
            throw new IOException("port " + port + " for traces: " + e.getMessage(), e);
        }
        server.setExecutor(executor);
        server.createContext("/", this::receive);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean isZipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream body = exchange.getRequestBody();
            byte[] bytes = (isZipped ? new GZIPInputStream(body) : body).readNBytes(MOST_BYTES);
            String type = exchange.getRequestHeaders().getFirst("Content-Type");
            take(bytes, type != null && type.contains("protobuf"));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private synchronized void take(byte[] bytes, boolean isProtobuf) {
        if (isProtobuf) {
            reader.protobuf(bytes);
        } else {
            reader.json(new String(bytes, StandardCharsets.UTF_8));
        }
        List<Span> taken = reader.take();
        if (spans.size() + taken.size() <= MOST_SPANS) {
            spans.addAll(taken);
        }
    }

    /** What came so far. */
    synchronized Traces traces() {
        return Traces.of(spans, reader.traces().faults());
    }

    /** The spans that came so far. */
    synchronized List<Span> spans() {
        return List.copyOf(spans);
    }

    /** Forgets them. */
    synchronized void clear() {
        spans.clear();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
