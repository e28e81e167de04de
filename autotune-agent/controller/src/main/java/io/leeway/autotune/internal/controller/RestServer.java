package io.leeway.autotune.internal.controller;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.ZipException;

/** The API and the page over HTTP, on loopback, with a token that is kept in a file that only its user can read. */
public final class RestServer implements AutoCloseable {

    private static final int MOST_BYTES = 1_000_000;
    private static final int THREADS = 8;

    private final HttpServer server;
    private final ExecutorService executor;
    private final InstanceStore instances;
    private final StudyApi studies;
    private final Api api;
    private final Traces traces;
    private final String token;

    private RestServer(
            HttpServer server, InstanceStore instances, StudyApi studies, Api api, Traces traces, String token) {
        this.server = server;
        this.executor = Executors.newFixedThreadPool(THREADS);
        this.instances = instances;
        this.studies = studies;
        this.api = api;
        this.traces = traces;
        this.token = token;
    }

    /** See {@link io.leeway.autotune.AutoTuneController#start}. */
    public static RestServer start(int port, Path directory, Path agents) throws IOException {
        Files.createDirectories(directory);
        String token = token(directory.resolve("controller.token"));
        InstanceStore instances = InstanceStore.open(directory.resolve("instances.mv"));
        StudyApi studies = StudyApi.open(directory.resolve("studies.mv"));
        HttpServer http;
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 64);
        } catch (IOException e) {
            instances.close();
            studies.close();
            throw e;
        }
        var traces = new Traces(agents);
        String holder = "controller " + ProcessHandle.current().pid();
        var api = new Api(instances, studies, agents, traces, holder);
        var server = new RestServer(http, instances, studies, api, traces, token);
        http.setExecutor(server.executor);
        http.createContext("/v1/", server::handle);
        http.createContext("/v1/traces", server::receive);
        http.createContext("/api/v2/spans", server::receive);
        // Exporters that can be given an address and no header have the token in it.
        http.createContext("/traces/" + token + "/", server::receiveWithTokenInPath);
        http.createContext("/", server::page);
        http.start();
        return server;
    }

    private static String token(Path file) throws IOException {
        if (!Files.exists(file)) {
            byte[] bytes = new byte[16];
            new SecureRandom().nextBytes(bytes);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, HexFormat.of().formatHex(bytes));
        }
        return Files.readString(file).strip();
    }

    /** Where it listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** What requests have to bring. */
    public String token() {
        return token;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            int status = 200;
            JsonObject answer;
            try {
                check(exchange);
                byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES);
                answer = api.answer(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getPath(),
                        new String(body, StandardCharsets.UTF_8));
            } catch (AutoTuneException e) {
                status = status(e.error());
                answer = failed(e.error().code(), String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                status = 400;
                answer = failed(AutoTuneError.BAD_REQUEST.code(), e.toString());
            }
            send(exchange, status, "application/json", answer.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        receive(exchange, true);
    }

    private void receiveWithTokenInPath(HttpExchange exchange) throws IOException {
        receive(exchange, false);
    }

    /** Spans as exporters send them, OTLP in either form or Zipkin's JSON: for the critical path and for suspects. */
    private void receive(HttpExchange exchange, boolean header) throws IOException {
        try (exchange) {
            int status = 200;
            var answer = new JsonObject();
            try {
                if (header) {
                    check(exchange);
                }
                byte[] body = Traces.body(exchange);
                String type = exchange.getRequestHeaders().getFirst("Content-Type");
                boolean isProtobuf = type != null && type.contains("protobuf");
                answer.addProperty("spans", studies.traces(body, isProtobuf));
                traces.receive(body, isProtobuf);
            } catch (AutoTuneException e) {
                status = status(e.error());
                answer = failed(e.error().code(), String.valueOf(e.getMessage()));
            } catch (ZipException | RuntimeException e) {
                status = 400;
                answer = failed(AutoTuneError.BAD_REQUEST.code(), e.toString());
            }
            send(exchange, status, "application/json", answer.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static int status(AutoTuneError error) {
        return switch (error) {
            case WRONG_TOKEN -> 401;
            case UNKNOWN_NAME -> 404;
            case LEASED, STALE_REWARD -> 409;
            case NO_ANSWER -> 504;
            default -> 400;
        };
    }

    private static JsonObject failed(String code, String message) {
        var answer = new JsonObject();
        answer.addProperty("error", code);
        answer.addProperty("message", message);
        return answer;
    }

    private void check(HttpExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        byte[] expected = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        if (given == null || !MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected)) {
            throw AutoTuneError.WRONG_TOKEN.because("refused");
        }
    }

    /** The page itself holds nothing; it asks for the token and calls the API. */
    private void page(HttpExchange exchange) throws IOException {
        try (exchange;
                InputStream in = RestServer.class.getResourceAsStream("page.html")) {
            if (in == null || !"/".equals(exchange.getRequestURI().getPath())) {
                send(exchange, 404, "text/plain", new byte[0]);
            } else {
                send(exchange, 200, "text/html; charset=utf-8", in.readAllBytes());
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders()
                .set(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
        instances.close();
        studies.close();
    }
}
