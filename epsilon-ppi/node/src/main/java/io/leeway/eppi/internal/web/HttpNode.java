package io.leeway.eppi.internal.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.json.Json;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A small HTTP server with the JDK's. */
final class HttpNode implements AutoCloseable {

    private static final Logger LOG = System.getLogger(HttpNode.class.getName());
    private static final int THREADS = 64;
    private static final int REQUEST_SECONDS = 5;
    private static final int RESPONSE_SECONDS = 3_700;
    private static final int MOST_BODY = 1 << 16;
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST");
    private static final byte[] NO_METHOD = "use GET or POST\n".getBytes(StandardCharsets.US_ASCII);

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
                case ABORTED -> 409;
                default -> 500;
            };
            Map<String, Object> body = new TreeMap<>();
            body.put("code", e.code().id());
            body.put("error", String.valueOf(e.getMessage()));
            body.put("detail", e.detail());
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
    private final Set<String> hosts;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "eppi-http");
        thread.setDaemon(true);
        return thread;
    });

    HttpNode(String address, boolean mayBeReachedFromElsewhere, Map<String, Route> routes) {
        int colon = address.lastIndexOf(':');
        String name = address.substring(0, colon);
        try {
            InetAddress host = InetAddress.getByName(name);
            if (!mayBeReachedFromElsewhere && !host.isLoopbackAddress()) {
                throw EppiException.of(
                        Code.CONFIGURATION,
                        "eppi.http of this node must be an address of this machine only, not " + address);
            }
            server =
                    HttpServer.create(new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1))), 128);
        } catch (UnknownHostException e) {
            throw EppiException.of(Code.LISTEN, "eppi.http=" + address + " has a host that is not known", e);
        } catch (IOException e) {
            throw EppiException.of(
                    Code.LISTEN, "eppi.http=" + address + " cannot be listened at: " + e.getMessage(), e);
        }
        hosts = mayBeReachedFromElsewhere ? Set.of() : hosts(name);
        server.setExecutor(threads);
        server.createContext("/", exchange -> serve(exchange, routes));
        server.start();
    }

    /**
     * Names under which a node is asked that only this machine may ask. A page that makes a name of its own mean this
     * machine would otherwise be no other page than the node's.
     */
    private static Set<String> hosts(String name) {
        return Stream.of(name.toLowerCase(Locale.ROOT), "localhost", "127.0.0.1", "[::1]")
                .collect(Collectors.toUnmodifiableSet());
    }

    private boolean isAskedByItsName(HttpExchange exchange) {
        String host = exchange.getRequestHeaders().getFirst("Host");
        if (hosts.isEmpty()) {
            return true;
        }
        if (host == null) {
            return false;
        }
        String name = host.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
        return hosts.contains(name);
    }

    /** Where it answers. */
    String url() {
        InetSocketAddress address = server.getAddress();
        return "http://" + address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private void serve(HttpExchange exchange, Map<String, Route> routes) throws IOException {
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
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(response.body.length));
                exchange.sendResponseHeaders(response.status, -1);
                return;
            }
            exchange.sendResponseHeaders(response.status, response.body.length == 0 ? -1 : response.body.length);
            exchange.getResponseBody().write(response.body);
        }
    }

    private Response answer(HttpExchange exchange, @Nullable Route route) throws IOException {
        if (!isAskedByItsName(exchange)) {
            return Response.of(403, "text/plain", "this node is asked as localhost or by the address of eppi.http\n");
        }
        if (!METHODS.contains(exchange.getRequestMethod())) {
            return new Response(405, "text/plain", NO_METHOD, Map.of("Allow", String.join(", ", METHODS)));
        }
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
            byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY + 1);
            if (body.length > MOST_BODY) {
                throw new IllegalArgumentException("a request of more than " + MOST_BODY + " bytes");
            }
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
