package io.leeway.demo.autotune;

import com.sun.net.httpserver.HttpServer;
import io.leeway.autotune.lab.Bottlenecks;
import io.leeway.autotune.lab.Lab;
import io.leeway.autotune.services.Load;
import io.leeway.autotune.services.MeshService;
import io.leeway.demo.DemoContext;
import io.leeway.demo.Teller;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An application of seven services before deployment: from traces to a configuration; then a fault that is found. */
final class LabDemo {

    private static final List<String> LEAN = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /**
     * A service of the application: what it calls, what a request costs it, and its poor configuration.
     *
     * @param name its name
     * @param calls names, with a comma for those at the same time and a semicolon for those after each other
     * @param held milliseconds with a connection
     * @param threads without tuning
     * @param connections without tuning
     */
    private record Member(String name, String calls, int held, int threads, int connections) {}

    private static final List<Member> MEMBERS = List.of(
            new Member("storage", "", 25, 8, 1),
            new Member("graph", "", 3, 8, 8),
            new Member("index", "", 3, 8, 8),
            new Member("timeline", "storage,graph", 4, 8, 8),
            new Member("search", "index", 3, 8, 8),
            new Member("auth", "", 2, 8, 8),
            new Member("gateway", "auth;timeline,search", 2, 16, 16));

    private LabDemo() {}

    static void show(DemoContext context) throws IOException, InterruptedException {
        Teller teller = context.teller();
        teller.heading("Before deployment: the lab");
        teller.text(
                "Seven services in JVMs of their own; one of them, the storage, has a single connection. The lab knows their"
                        + " parameters and nothing else. Traces of the first measurement say which services are worth tuning.");
        Path directory = Files.createTempDirectory(context.directory(), "autotune-lab-");
        Path app = write(directory, context);
        teller.code("bin/autotune lab " + app.getFileName());
        Lab.Result result = Lab.run(app, true, teller::text);
        teller.page("The lab's report", result.output().resolve("report.html"));
        teller.heading("When something is slow: the instance that is the bottleneck");
        fault(context);
    }

    private static int port() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Path write(Path directory, DemoContext context) throws IOException {
        Path arguments = Files.write(
                directory.resolve("java.args"),
                List.of(
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        "\"" + ServiceProcess.classPath() + "\""));
        int tracePort = port();
        var ports = new LinkedHashMap<String, Integer>();
        for (Member member : MEMBERS) {
            ports.put(member.name(), port());
        }
        var app = new StringBuilder("name: shop\nparameters: parameters.yaml\nservices:\n");
        var parameters = new StringBuilder("parameters:\n");
        for (Member member : MEMBERS) {
            app.append("  ")
                    .append(member.name())
                    .append(":\n    command: [\"")
                    .append(java())
                    .append("\", \"@");
            app.append(arguments).append("\", ").append(MeshService.class.getName());
            for (String argument : arguments(member, urls(ports), "http://127.0.0.1:" + tracePort + "/api/v2/spans")) {
                app.append(", '").append(argument).append('\'');
            }
            app.append(", port=").append(ports.get(member.name())).append("]\n    ready: port ");
            app.append(ports.get(member.name())).append('\n');
            parameter(parameters, member.name(), "threads", 32, member.threads());
            parameter(parameters, member.name(), "connections", 16, member.connections());
        }
        app.append("load:\n  url: http://127.0.0.1:")
                .append(ports.get("gateway"))
                .append("/\n  rate: 25\n  warm-up: ");
        app.append(context.shortOrLong(4, 8)).append("s\n  measure: ").append(context.shortOrLong(4, 10));
        app.append("s\nobjective: p95\nlimits: [error-share <= 0.01]\nreduce: critical-path-variance\ntrace-port: ");
        app.append(tracePort)
                .append("\nbudget: ")
                .append(context.shortOrLong(3, 10))
                .append("\nverify: 1\n");
        Files.writeString(directory.resolve("parameters.yaml"), parameters);
        return Files.writeString(directory.resolve("app.yaml"), app);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static void parameter(StringBuilder text, String service, String name, int max, int standard) {
        text.append("  - {name: ")
                .append(service)
                .append('.')
                .append(name)
                .append(", service: ")
                .append(service);
        text.append(", type: integer, range: 1..")
                .append(max)
                .append(", scale: log, default: ")
                .append(standard);
        text.append(", apply: {argument: \"").append(name).append("={value}\"}}\n");
    }

    private static Map<String, String> urls(Map<String, Integer> ports) {
        var urls = new LinkedHashMap<String, String>();
        ports.forEach((name, port) -> urls.put(name, "http://127.0.0.1:" + port + "/"));
        return urls;
    }

    private static List<String> arguments(Member member, Map<String, String> urls, String traces) {
        String calls = member.calls();
        for (var url : urls.entrySet()) {
            calls = calls.replaceAll("\\b" + url.getKey() + "\\b(?!/)", url.getValue());
        }
        return List.of(
                "name=" + member.name(), "work=10", "held=" + member.held(), "calls=" + calls, "traces=" + traces);
    }

    /** The same application, well configured; the storage gets a lock that every request needs. */
    static void fault(DemoContext context) throws IOException, InterruptedException {
        Bottlenecks bottlenecks = Bottlenecks.standard();
        HttpServer sink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        sink.createContext("/", exchange -> {
            try (exchange) {
                bottlenecks.take(exchange.getRequestBody().readAllBytes(), false);
                exchange.sendResponseHeaders(200, -1);
            }
        });
        sink.start();
        var urls = new LinkedHashMap<String, String>();
        var running = new ArrayList<ServiceProcess>();
        try {
            for (Member member : MEMBERS) {
                var arguments = new ArrayList<>(arguments(
                        member, urls, "http://127.0.0.1:" + sink.getAddress().getPort() + "/"));
                arguments.addAll(List.of("threads=16", "connections=16"));
                ServiceProcess process = ServiceProcess.start(
                        LEAN, false, MeshService.class.getName(), arguments.toArray(new String[0]));
                running.add(process);
                urls.put(member.name(), process.uri().toString());
            }
            watch(context, bottlenecks, urls);
        } finally {
            for (ServiceProcess process : running) {
                process.close();
            }
            sink.stop(0);
        }
    }

    private static void watch(DemoContext context, Bottlenecks bottlenecks, Map<String, String> urls)
            throws IOException, InterruptedException {
        Teller teller = context.teller();
        try (var load = new Load(URI.create(urls.getOrDefault("gateway", "")), 20, 1)) {
            // What JVMs do at first is not what is usual.
            await(bottlenecks, context.shortOrLong(60, 150));
            bottlenecks.learnUsual();
            await(bottlenecks, context.shortOrLong(100, 250));
            teller.text(
                    bottlenecks.learnUsual() + " requests say what is usual. Now the storage holds a lock for 30 ms.");
            call(URI.create(urls.get("storage") + "fault?kind=lock&amount=30"));
            await(bottlenecks, context.shortOrLong(100, 250));
            List<Bottlenecks.Suspect> suspects = bottlenecks.live();
            teller.text("p95 is now " + Math.round(load.take().p95()) + " ms. Suspects, by the model trained on "
                    + bottlenecks.model() + ":");
            suspects.forEach(suspect -> teller.text(suspect.instance() + ": " + suspect.reason() + "."));
            if (suspects.isEmpty()) {
                teller.text("None.");
            }
        }
    }

    /** Until so many requests were seen: a busy machine needs longer. */
    private static void await(Bottlenecks bottlenecks, int requests) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (bottlenecks.requests() < requests && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private static void call(URI uri) throws IOException {
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(5_000);
        connection.setReadTimeout(5_000);
        if (connection.getResponseCode() != 200) {
            throw new IOException(uri + " answered " + connection.getResponseCode());
        }
    }
}
