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
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A service on the JDK's server with an executor of a fixed size: {@code threads=, connections=, held=}, and
 * {@code calls=URL;URL}, services that it asks one after the other. Prints its port.
 */
public final class JdkService {

    private static final String TRACE = "traceparent";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Work work;
    private final List<URI> calls;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private JdkService(Work work, List<URI> calls) {
        this.work = work;
        this.calls = calls;
    }

    /** Starts it. */
    public static void main(String[] arguments) throws IOException {
        var given = new Arguments(arguments);
        String calls = given.text("calls", "");
        var service = new JdkService(
                given.work(),
                calls.isEmpty()
                        ? List.of()
                        : List.of(calls.split(";")).stream().map(URI::create).toList());
        var server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), given.number("port", 0)), 1_000);
        var number = new AtomicInteger();
        ExecutorService executor = Executors.newFixedThreadPool(
                given.number("threads", 16), task -> new Thread(task, "http-worker-" + number.incrementAndGet()));
        server.setExecutor(executor);
        server.createContext("/", service::handle);
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            respond(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void respond(HttpExchange exchange) throws IOException, InterruptedException {
        try {
            String trace = exchange.getRequestHeaders().getFirst(TRACE);
            byte[] body = answer(exchange.getRequestURI().getPath(), trace).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IllegalStateException e) {
            exchange.sendResponseHeaders(500, -1);
        }
    }

    private String answer(String path, @Nullable String trace) throws IOException, InterruptedException {
        String answer = work.answer(path);
        for (URI call : calls) {
            HttpRequest.Builder request = HttpRequest.newBuilder(call).timeout(PATIENCE);
            if (trace != null) {
                // As services do that pass on whose request they work on, without a tracer of their own.
                request.header(TRACE, trace);
            }
            answer += client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
        return answer;
    }
}
