package io.leeway.lazybase.internal.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.LazyBaseMetrics;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.pg.Users;
import io.leeway.lazybase.internal.pipeline.Pipeline;
import io.leeway.lazybase.internal.pipeline.RunInfo;
import io.leeway.lazybase.internal.pipeline.Snapshot;
import io.leeway.lazybase.internal.pipeline.Stage;
import io.leeway.lazybase.internal.pipeline.StageMeter;
import io.leeway.lazybase.internal.pipeline.State;
import io.leeway.lazybase.internal.query.Reading;
import io.leeway.lazybase.internal.sql.Engine;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * The page for people at {@code /}, what it shows as JSON at {@code /status}, and the metrics for Prometheus at {@code /metrics}, and
 * the box for queries at {@code /sql}. On the loopback address only, and it changes nothing. Thread-safe.
 */
public final class WebPage implements AutoCloseable {

    private static final int BACKLOG = 16;

    private final Engine engine;
    private final Pipeline pipeline;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HttpServer server;
    private final ExecutorService threads;
    private final byte[] page;

    /** Begins to listen. */
    public WebPage(Engine engine, Users users, int port, IntSupplier connections) throws IOException {
        this.engine = engine;
        this.pipeline = engine.pipeline();
        try (InputStream in = WebPage.class.getResourceAsStream("page.html")) {
            if (in == null) {
                throw new IOException("the page is not in the jar");
            }
            page = in.readAllBytes();
        }
        register(connections);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        } catch (IOException e) {
            throw new LazyBaseException(Code.LISTEN, "Port " + port + " for the page: " + e.getMessage() + ".", e);
        }
        threads = Executors.newFixedThreadPool(2, task -> {
            Thread thread = new Thread(task, "lazybase-web");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, "/", "text/html; charset=utf-8", page));
        var box = new SqlBox(engine, users);
        server.createContext("/sql", exchange -> sql(exchange, box));
        server.createContext("/status", exchange -> answer(exchange, "/status", "application/json", json()));
        server.createContext(
                "/metrics",
                exchange -> answer(
                        exchange,
                        "/metrics",
                        "text/plain; version=0.0.4; charset=utf-8",
                        registry.scrape().getBytes(StandardCharsets.UTF_8)));
        server.start();
    }

    private byte[] json() {
        return status().getBytes(StandardCharsets.UTF_8);
    }

    /** Where it listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    private static boolean isLocal(HttpExchange exchange) {
        // A page of another site must not read this one through a name that leads here.
        String host = exchange.getRequestHeaders().getFirst("Host");
        return host != null && (host.startsWith("127.") || host.startsWith("localhost") || host.startsWith("[::1]"));
    }

    private static void sql(HttpExchange exchange, SqlBox box) throws IOException {
        try (exchange) {
            boolean own = exchange.getRequestHeaders().getFirst(SqlBox.HEADER) != null;
            if (!isLocal(exchange) || !own || !exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(exchange.getRequestMethod().equals("POST") ? 403 : 405, -1);
                return;
            }
            String answer = box.answer(exchange);
            if (answer == null) {
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void answer(HttpExchange exchange, String path, String type, byte[] body) throws IOException {
        try (exchange) {
            boolean found = exchange.getRequestURI().getPath().equals(path);
            boolean get = exchange.getRequestMethod().equals("GET");
            boolean local = isLocal(exchange);
            if (!found || !get || !local) {
                exchange.sendResponseHeaders(!local ? 403 : found ? 405 : 404, -1);
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders()
                    .set("Content-Security-Policy", "default-src 'self' 'unsafe-inline'; frame-ancestors 'none'");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void register(IntSupplier connections) {
        for (Stage stage : Stage.values()) {
            StageMeter meter = pipeline.meter(stage);
            Tags tags = Tags.of(LazyBaseMetrics.TAG_STAGE, word(stage));
            FunctionCounter.builder(LazyBaseMetrics.STAGE_ROWS, meter, StageMeter::rows)
                    .tags(tags)
                    .register(registry);
            FunctionCounter.builder(LazyBaseMetrics.STAGE_BYTES, meter, StageMeter::bytesOut)
                    .tags(tags)
                    .register(registry);
            FunctionCounter.builder(LazyBaseMetrics.STAGE_CPU, meter, each -> each.cpuNanos() / 1e9)
                    .tags(tags)
                    .register(registry);
            FunctionCounter.builder(LazyBaseMetrics.STAGE_TASKS, meter, StageMeter::tasks)
                    .tags(tags)
                    .register(registry);
            FunctionCounter.builder(LazyBaseMetrics.STAGE_FAILURES, meter, StageMeter::failures)
                    .tags(tags)
                    .register(registry);
            FunctionCounter.builder(LazyBaseMetrics.STAGE_HELPED, meter, StageMeter::byOthers)
                    .tags(tags)
                    .register(registry);
        }
        Gauge.builder(LazyBaseMetrics.BACKLOG, pipeline, Pipeline::backlog).register(registry);
        Gauge.builder(
                        LazyBaseMetrics.RUNS,
                        pipeline,
                        each -> each.state().flights().size())
                .register(registry);
        Gauge.builder(LazyBaseMetrics.CONNECTIONS, connections, IntSupplier::getAsInt)
                .strongReference(true)
                .register(registry);
        for (Stage stage : List.of(Stage.SORT, Stage.AUTHORITY)) {
            Gauge.builder(LazyBaseMetrics.STAGE_AGE, this, page -> page.ages()[stage == Stage.SORT ? 1 : 0] / 1e3)
                    .tags(LazyBaseMetrics.TAG_STAGE, word(stage))
                    .register(registry);
        }
        Timer ok = Timer.builder(LazyBaseMetrics.QUERY)
                .tag(LazyBaseMetrics.TAG_OUTCOME, "ok")
                .register(registry);
        Timer error = Timer.builder(LazyBaseMetrics.QUERY)
                .tag(LazyBaseMetrics.TAG_OUTCOME, "error")
                .register(registry);
        engine.listen(ran -> (ran.failed() ? error : ok).record(ran.micros(), TimeUnit.MICROSECONDS));
    }

    private static String word(Stage stage) {
        return stage.name().toLowerCase(Locale.ROOT);
    }

    /** How stale an answer of the authority is, and one of all that is sorted, in milliseconds. */
    private long[] ages() {
        try (Snapshot snapshot = pipeline.snapshot()) {
            List<Reading> all = Reading.all(snapshot);
            int sorted =
                    snapshot.unsorted().isEmpty() ? snapshot.state().flights().size() : sortedUnits(snapshot);
            return new long[] {all.get(0).age(), all.get(sorted).age()};
        }
    }

    /** Flights before the first SCU that is not sorted. */
    private static int sortedUnits(Snapshot snapshot) {
        long first = snapshot.unsorted().get(0).number();
        return (int) snapshot.state().flights().stream()
                .filter(flight -> flight.last() < first)
                .count();
    }

    /** Everything that the page shows. */
    private String status() {
        State state = pipeline.state();
        long[] ages = ages();
        var json = new Json();
        json.open('{').number("now", System.currentTimeMillis());
        json.number("backlog", pipeline.backlog())
                .number("ageAuthority", ages[0])
                .number("ageSorted", ages[1]);
        json.number("flights", state.flights().size())
                .number("unsorted", state.unsorted().size());
        json.number("authority", state.authority());
        json.key("stages").open('[');
        for (Stage stage : Stage.values()) {
            StageMeter meter = pipeline.meter(stage);
            json.open('{').text("name", word(stage)).number("rows", meter.rows());
            json.number("bytes", meter.bytesOut()).number("cpuNanos", meter.cpuNanos());
            json.number("tasks", meter.tasks())
                    .number("failures", meter.failures())
                    .close('}');
        }
        json.close(']').key("tables").open('[');
        for (Table table : state.catalog().tables()) {
            List<RunInfo> parts = state.partsOf(table.primary().id());
            json.open('{')
                    .text("name", table.name())
                    .number("columns", table.columns().size());
            json.number("views", table.views().size() - 1L);
            json.number("rows", parts.stream().mapToLong(RunInfo::rows).sum());
            json.number("bytes", parts.stream().mapToLong(RunInfo::bytes).sum()).close('}');
        }
        json.close(']').key("running").open('[');
        for (Engine.Running running : engine.running()) {
            json.open('{').text("sql", cut(running.sql())).text("freshness", running.freshness());
            json.number("began", running.beganMillis()).close('}');
        }
        json.close(']').key("ran").open('[');
        for (Engine.Ran ran : engine.ran().stream().limit(20).toList()) {
            json.open('{').text("sql", cut(ran.sql())).text("freshness", ran.freshness());
            json.number("age", ran.ageMillis()).text("stages", ran.stages()).number("rows", ran.rows());
            json.number("read", ran.rowsRead()).number("micros", ran.micros());
            json.text("outcome", ran.failed() ? "error" : "ok").close('}');
        }
        return json.close(']').close('}').toString();
    }

    private static String cut(String sql) {
        return sql.length() > 200 ? sql.substring(0, 200) + "…" : sql;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        registry.close();
    }
}
