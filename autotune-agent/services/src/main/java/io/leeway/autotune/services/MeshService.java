package io.leeway.autotune.services;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A service of an application of many: {@code name=, port=, threads=, queue=, connections=}, {@code work=} thousands of
 * steps of the CPU and {@code held=} milliseconds with a connection, {@code calls=URL,URL;URL}: those with a comma between
 * at the same time, those with a semicolon one after the other; {@code calls.NAME=} for requests of {@code /NAME}. Sends its spans in Zipkin's format to {@code traces=URL}.
 * {@code /fault?kind=KIND&amount=N} makes it a bottleneck, see {@link Fault}; {@code /configure?threads=N&connections=N}
 * configures it anew. Prints its port.
 */
public final class MeshService {

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final String name;
    private final int work;
    private final double held;
    private final Semaphore connections;
    private int pool;
    private final Map<String, List<List<URI>>> calls = new HashMap<>();
    private final ThreadPoolExecutor executor;
    private final ThreadLocal<Long> arrived = new ThreadLocal<>();
    private final Fault fault;
    private final @Nullable Spans spans;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private MeshService(Arguments given) {
        this.name = given.text("name", "service");
        this.work = given.number("work", 20);
        this.held = Double.parseDouble(given.text("held", "1"));
        this.pool = given.number("connections", 8);
        this.connections = new Semaphore(pool);
        this.calls.put("", calls(given.text("calls", "")));
        given.below("calls.").forEach((path, text) -> this.calls.put(path, calls(text)));
        int threads = given.number("threads", 8);
        this.executor = new ThreadPoolExecutor(
                threads,
                threads,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(given.number("queue", 1_000)),
                new ThreadPoolExecutor.CallerRunsPolicy());
        this.fault = new Fault(connections, executor);
        String traces = given.text("traces", "");
        this.spans = traces.isEmpty() ? null : new Spans(name, URI.create(traces));
    }

    private static List<List<URI>> calls(String text) {
        var stages = new ArrayList<List<URI>>();
        for (String stage : text.isEmpty() ? new String[0] : text.split(";")) {
            stages.add(List.of(stage.split(",")).stream().map(URI::create).toList());
        }
        return stages;
    }

    /** Starts it. */
    public static void main(String[] arguments) throws IOException {
        var given = new Arguments(arguments);
        var service = new MeshService(given);
        var server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), given.number("port", 0)), 1_000);
        // A request's span begins when it waits for a thread, not when it has one.
        server.setExecutor(task -> {
            long now = micros();
            service.executor.execute(() -> {
                service.arrived.set(now);
                task.run();
            });
        });
        server.createContext("/", service::handle);
        server.createContext("/fault", service.fault::handle);
        server.createContext("/configure", service::configure);
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    /** {@code ?threads=4&connections=2}: a configuration without a new start; requests that are under way go on. */
    private synchronized void configure(HttpExchange exchange) throws IOException {
        try (exchange) {
            var given = new Arguments(
                    String.valueOf(exchange.getRequestURI().getQuery()).split("&"));
            int newConnections = given.number("connections", pool);
            Fault.resize(executor, given.number("threads", executor.getMaximumPoolSize()));
            if (newConnections >= pool) {
                connections.release(newConnections - pool);
            } else {
                connections.acquireUninterruptibly(pool - newConnections);
            }
            pool = newConnections;
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static long micros() {
        return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) + System.nanoTime() / 1_000 % 1_000;
    }

    private void handle(HttpExchange exchange) throws IOException {
        long startNanos = System.nanoTime();
        Long waitedSince = arrived.get();
        long start = waitedSince == null ? micros() : waitedSince;
        long waited = Math.max(0, micros() - start);
        String trace = header(exchange, "X-B3-TraceId", id());
        String parent = header(exchange, "X-B3-SpanId", "");
        String span = id();
        int status = 200;
        try (exchange) {
            try {
                work(exchange.getRequestURI().getPath().substring(1), trace, span);
            } catch (IOException e) {
                status = 500;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                status = 503;
            }
            byte[] body = name.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        } finally {
            Spans sink = spans;
            if (sink != null) {
                long micros = waited + (System.nanoTime() - startNanos) / 1_000;
                sink.add(trace, span, parent, exchange.getRequestURI().getPath(), start, micros);
            }
        }
    }

    private static String header(HttpExchange exchange, String name, String otherwise) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null || !value.matches("[0-9a-f]{1,32}") ? otherwise : value;
    }

    private static String id() {
        return String.format("%016x", ThreadLocalRandom.current().nextLong() | 1);
    }

    private void work(String path, String trace, String span) throws IOException, InterruptedException {
        fault.beforeWork();
        spin(work);
        if (!connections.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException("no connection");
        }
        try {
            TimeUnit.NANOSECONDS.sleep((long) (held * 1e6));
        } finally {
            connections.release();
        }
        for (List<URI> stage : calls.getOrDefault(path, calls.getOrDefault("", List.of()))) {
            var open = new ArrayList<CompletableFuture<HttpResponse<Void>>>();
            for (URI call : stage) {
                HttpRequest request = HttpRequest.newBuilder(call)
                        .timeout(PATIENCE)
                        .header("X-B3-TraceId", trace)
                        .header("X-B3-SpanId", span)
                        .build();
                open.add(client.sendAsync(request, HttpResponse.BodyHandlers.discarding()));
            }
            for (CompletableFuture<HttpResponse<Void>> call : open) {
                try {
                    if (call.get(PATIENCE.toSeconds() + 1, TimeUnit.SECONDS).statusCode() >= 500) {
                        throw new IOException("a call failed");
                    }
                } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
                    throw new IOException(e);
                }
            }
        }
    }

    /** Counted steps: a timed loop would do less where the CPU is short, and hide it. */
    static long spin(int thousands) {
        long x = thousands + 1L;
        for (long i = 0; i < 1_000L * thousands; i++) {
            x = x * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        }
        sink = x;
        return x;
    }

    /** Keeps the loop from being optimised away. */
    @SuppressWarnings("unused")
    private static volatile long sink;
}
