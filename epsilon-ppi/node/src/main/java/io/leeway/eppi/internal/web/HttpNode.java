package io.leeway.eppi.internal.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A small HTTP server with the JDK's. */
final class HttpNode implements AutoCloseable {

    private static final Logger LOG = System.getLogger(HttpNode.class.getName());
    private static final int THREADS = 64;
    private static final int REQUEST_SECONDS = 10;
    private static final int RESPONSE_SECONDS = 3_700;
    private static final int MOST_BODY = 1 << 16;

    /**
     * A request.
     *
     * @param method GET or POST
     * @param query parameters of the address, and of a form
     * @param cookies by name
     * @param isOfAnotherPage whether a browser sends it on behalf of a page that is not of this node
     */
    record Request(String method, Map<String, String> query, Map<String, String> cookies, boolean isOfAnotherPage) {}

    /**
     * An answer.
     *
     * @param status of HTTP
     * @param type of the body
     * @param body bytes
     * @param headers more of them
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    record Response(int status, String type, byte[] body, Map<String, String> headers) {

        static Response of(int status, String type, String body) {
            return new Response(status, type, body.getBytes(StandardCharsets.UTF_8), Map.of());
        }

        static Response html(String page) {
            return of(200, "text/html; charset=utf-8", page);
        }

        static Response json(Object value) {
            return of(200, "application/json", Json.of(value));
        }

        static Response binary(byte[] body) {
            return new Response(200, "application/octet-stream", body, Map.of());
        }

        static Response error(EppiException e) {
            int status = switch (e.code()) {
                case UNKNOWN_PERSON -> 404;
                case NO_INDEX -> 503;
                case EPSILON, MALFORMED, CONFIGURATION -> 400;
                case DENIED -> 403;
                default -> 500;
            };
            Map<String, Object> body = new TreeMap<>();
            body.put("code", e.code().id());
            body.put("error", String.valueOf(e.getMessage()));
            return of(status, "application/json", Json.of(body));
        }
    }

    /** What answers requests to a path. */
    interface Route {
        Response answer(Request request);
    }

    static {
        // The JDK's server sends head and body apart; without this the body waits 40 ms for the other side's receipt.
        preset("sun.net.httpserver.nodelay", "true");
        // A request that comes byte by byte, or an answer that nobody takes, has a thread until it ends.
        preset("sun.net.httpserver.maxReqTime", Integer.toString(REQUEST_SECONDS));
        preset("sun.net.httpserver.maxRspTime", Integer.toString(RESPONSE_SECONDS));
    }

    private static void preset(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "eppi-http");
        thread.setDaemon(true);
        return thread;
    });

    HttpNode(String address, boolean mayBeReachedFromElsewhere, Map<String, Route> routes) {
        int colon = address.lastIndexOf(':');
        try {
            InetAddress host = InetAddress.getByName(address.substring(0, Math.max(0, colon)));
            if (!mayBeReachedFromElsewhere && !host.isLoopbackAddress()) {
                throw EppiException.of(
                        Code.CONFIGURATION,
                        "eppi.http of this node must be an address of this machine only, not " + address);
            }
            server =
                    HttpServer.create(new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1))), 128);
        } catch (IOException | NumberFormatException e) {
            throw EppiException.of(Code.LISTEN, "eppi.http=" + address + " cannot be listened at", e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> serve(exchange, routes));
        server.start();
    }

    /** Where it answers. */
    String url() {
        InetSocketAddress address = server.getAddress();
        return "http://" + address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private static void serve(HttpExchange exchange, Map<String, Route> routes) throws IOException {
        try (exchange) {
            Response response =
                    answer(exchange, routes.get(exchange.getRequestURI().getPath()));
            exchange.getResponseHeaders().set("Content-Type", response.type);
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
            exchange.getResponseHeaders()
                    .set(
                            "Content-Security-Policy",
                            "default-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline';"
                                    + " frame-ancestors 'none'");
            response.headers.forEach(
                    (name, value) -> exchange.getResponseHeaders().set(name, value));
            exchange.sendResponseHeaders(response.status, response.body.length == 0 ? -1 : response.body.length);
            exchange.getResponseBody().write(response.body);
        }
    }

    private static Response answer(HttpExchange exchange, @Nullable Route route) throws IOException {
        if (route == null) {
            return Response.of(404, "text/plain", "there is nothing here\n");
        }
        try {
            return route.answer(request(exchange));
        } catch (EppiException e) {
            return Response.error(e);
        } catch (IllegalArgumentException e) {
            return Response.error(EppiException.of(Code.MALFORMED, String.valueOf(e.getMessage()), e));
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a fault while answering", e);
            return Response.error(EppiException.of(Code.INTERNAL, "a fault of this node"));
        }
    }

    private static Request request(HttpExchange exchange) throws IOException {
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        parse(raw == null ? "" : raw, query);
        if (exchange.getRequestMethod().equals("POST")) {
            byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY);
            parse(new String(body, StandardCharsets.UTF_8), query);
        }
        Map<String, String> cookies = new HashMap<>();
        String cookie = exchange.getRequestHeaders().getFirst("Cookie");
        for (String each : cookie == null ? new String[0] : cookie.split(";")) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                cookies.put(
                        each.substring(0, equals).strip(),
                        each.substring(equals + 1).strip());
            }
        }
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        boolean isOfAnotherPage = origin != null
                && !origin.equals("http://" + exchange.getRequestHeaders().getFirst("Host"));
        return new Request(exchange.getRequestMethod(), query, cookies, isOfAnotherPage);
    }

    private static void parse(String text, Map<String, String> into) {
        for (String pair : text.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                into.put(
                        URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
