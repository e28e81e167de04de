package io.leeway.benchmarks.autotune;

import io.leeway.autotune.AutoTuneOptions;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.internal.tune.Outcome;
import io.leeway.autotune.internal.tune.Plan;
import io.leeway.autotune.internal.tune.Tuner;
import io.leeway.autotune.services.JdkService;
import io.leeway.autotune.services.Load;
import io.leeway.autotune.services.TomcatService;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Takes the figures of AutoTune: {@code agents}, {@code starts}, {@code tuning}, {@code third-party}, {@code learners},
 * {@code real-servers}, {@code servers}, {@code scope}, or all of them. The last two are simulations.
 */
public final class AutoTuneFigures {

    private static final Recorder RECORDER =
            Recorder.of("autotune", "build/bench io.leeway.benchmarks.autotune.AutoTuneFigures");

    private AutoTuneFigures() {}

    /** Measures what is named. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, Part> parts = new LinkedHashMap<>();
        parts.put("agents", AutoTuneFigures::agents);
        parts.put("starts", AutoTuneFigures::starts);
        parts.put("tuning", AutoTuneFigures::tuning);
        parts.put("third-party", AutoTuneFigures::thirdParty);
        parts.put("learners", () -> LearnerFigures.take(RECORDER));
        parts.put("real-servers", () -> ServerFigures.real(RECORDER));
        parts.put("servers", () -> ServerFigures.simulated(RECORDER));
        parts.put("scope", () -> ScopeFigures.take(RECORDER));
        for (String name : arguments.length == 0 ? parts.keySet() : List.of(arguments)) {
            Part part = parts.get(name);
            if (part == null) {
                throw new IllegalArgumentException("no part " + name + ": " + parts.keySet());
            }
            System.out.println("== " + name);
            part.take();
        }
    }

    /** What is measured under one name. */
    @FunctionalInterface
    private interface Part {
        void take() throws IOException, InterruptedException;
    }

    /** A chain of two services on real servers, poorly configured, under an open loop. */
    private static void tuning() throws IOException, InterruptedException {
        try (var back = ServiceProcess.start(
                        List.of(), false, TomcatService.class.getName(), "threads=100", "connections=20", "held=3");
                var front = ServiceProcess.start(
                        List.of(),
                        true,
                        JdkService.class.getName(),
                        "threads=4",
                        "connections=2",
                        "held=25",
                        "calls=" + back.uri());
                var load = new Load(front.uri(), 60, 1)) {
            tuned("two services", front, load);
        }
    }

    /** A server that nobody here wrote, with its default of ten threads, too few for what its answers wait. */
    private static void thirdParty() throws IOException, InterruptedException {
        try (var server = ServiceProcess.start(
                List.of(),
                true,
                "wiremock.Run",
                "--port",
                "0",
                "--bind-address",
                "127.0.0.1",
                "--container-threads",
                "10",
                "--jetty-acceptor-threads",
                "1",
                "--no-request-journal")) {
            String stub = "{\"request\":{\"urlPath\":\"/work\"},\"response\":{\"status\":200,\"body\":\"done\","
                    + "\"fixedDelayMilliseconds\":100}}";
            HttpResponse<String> made = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(server.uri().resolve("/__admin/mappings"))
                                    .POST(HttpRequest.BodyPublishers.ofString(stub))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            if (made.statusCode() != 201) {
                throw new IOException("no stub: " + made.body());
            }
            try (var load = new Load(server.uri().resolve("/work"), 95, 1)) {
                tuned("WireMock 3.13.2", server, load);
            }
        }
    }

    private static void tuned(String what, ServiceProcess process, Load load) throws IOException, InterruptedException {
        TimeUnit.SECONDS.sleep(20);
        RemoteService service = process.service();
        var options = AutoTuneOptions.defaults()
                .with(AutoTuneOptions.WINDOW, "5s")
                .with(AutoTuneOptions.SETTLE, "1s")
                .with(AutoTuneOptions.ROUNDS, "6");
        load.take();
        Outcome outcome = new Tuner(
                        service,
                        Plan.of(options),
                        round -> System.out.println(round.line()),
                        () -> false,
                        () -> System.nanoTime() / 1e9,
                        1)
                .run();
        double during = load.take().p95();
        var before = new ArrayList<Double>();
        var after = new ArrayList<Double>();
        var cpuBefore = new ArrayList<Double>();
        var cpuAfter = new ArrayList<Double>();
        Setting changes = outcome.last().changedFrom(outcome.first());
        Setting undo = outcome.first().changedFrom(outcome.last());
        for (int i = 0; i < 3; i++) {
            service.apply(undo);
            observe(load, process, before, cpuBefore);
            service.apply(changes);
            observe(load, process, after, cpuAfter);
        }
        service.keep();
        double was = median(before);
        double is = median(after);
        System.out.println(
                what + ": " + before + " " + after + ", " + outcome.last().changesFrom(outcome.first()));
        RECORDER.record("p95 of " + what + ", poorly configured", was, "ms", null, Better.LOWER, "")
                .record("p95 of " + what + ", tuned", is, "ms", null, Better.LOWER, "")
                .record("p95 of " + what + " saved by tuning", 100 * (1 - is / was), "%", 35.0, Better.HIGHER, "")
                .record(
                        "p95 of " + what + " over the whole run, warm-up and first setting included",
                        during,
                        "ms",
                        null,
                        Better.LOWER,
                        "")
                .record(
                        "CPU time a request of " + what + ", poorly configured",
                        median(cpuBefore),
                        "ms",
                        null,
                        Better.LOWER,
                        "")
                .record("CPU time a request of " + what + ", tuned", median(cpuAfter), "ms", null, Better.LOWER, "");
    }

    private static void observe(Load load, ServiceProcess service, List<Double> p95, List<Double> cpu)
            throws InterruptedException {
        // The queue that the other setting left is none of this one's.
        TimeUnit.SECONDS.sleep(4);
        load.take();
        double cpuThen = service.cpuMillis();
        TimeUnit.SECONDS.sleep(6);
        Load.Seen seen = load.take();
        p95.add(seen.p95());
        cpu.add((service.cpuMillis() - cpuThen) / seen.requests());
    }

    /** Start, memory and CPU time of a service with no agent, with this one, with OpenTelemetry's. */
    private static void agents() throws IOException, InterruptedException {
        List<String> quiet = openTelemetry();
        double[][] none = new double[3][];
        double[][] ours = new double[3][];
        double[][] theirs = new double[3][];
        for (int i = 0; i < 3; i++) {
            none[i] = cost(List.of(), false);
            ours[i] = cost(List.of(), true);
            theirs[i] = cost(quiet, false);
        }
        String[] names = {"start", "memory", "CPU time a request"};
        String[] units = {"ms", "MB", "ms"};
        Double[] goals = {1_000.0, 40.0, null};
        for (int k = 0; k < names.length; k++) {
            double base = median(none, k);
            RECORDER.record(names[k] + ", no agent", base, units[k], null, Better.LOWER, "")
                    .record(
                            names[k] + " that the agent adds",
                            median(ours, k) - base,
                            units[k],
                            goals[k],
                            Better.LOWER,
                            "")
                    .record(
                            names[k] + " that the OpenTelemetry agent adds",
                            median(theirs, k) - base,
                            units[k],
                            null,
                            Better.LOWER,
                            "OpenTelemetry agent 2.33.1, without exporters");
        }
    }

    private static List<String> openTelemetry() throws IOException {
        return List.of(
                "-javaagent:" + ServiceProcess.agent("opentelemetry-javaagent-"),
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none");
    }

    /** CPU time until a service serves: what else runs on the machine changes it little. */
    private static void starts() throws IOException, InterruptedException {
        var none = new ArrayList<Double>();
        var ours = new ArrayList<Double>();
        var theirs = new ArrayList<Double>();
        for (int i = 0; i < 3; i++) {
            none.add(start(List.of(), false));
            ours.add(start(List.of(), true));
            theirs.add(start(openTelemetry(), false));
        }
        double base = median(none);
        RECORDER.record("CPU time of the start, no agent", base, "ms", null, Better.LOWER, "")
                .record(
                        "CPU time of the start that the agent adds",
                        median(ours) - base,
                        "ms",
                        1_000.0,
                        Better.LOWER,
                        "")
                .record(
                        "CPU time of the start that the OpenTelemetry agent adds",
                        median(theirs) - base,
                        "ms",
                        null,
                        Better.LOWER,
                        "OpenTelemetry agent 2.33.1, without exporters");
    }

    private static double start(List<String> jvm, boolean ours) throws IOException, InterruptedException {
        try (var process =
                ServiceProcess.start(jvm, ours, TomcatService.class.getName(), "threads=50", "connections=20")) {
            return process.cpuMillis();
        }
    }

    private static double[] cost(List<String> jvm, boolean ours) throws IOException, InterruptedException {
        try (var process = ServiceProcess.start(
                        jvm, ours, TomcatService.class.getName(), "threads=50", "connections=20", "held=1");
                var load = new Load(process.uri(), 200, 1)) {
            TimeUnit.SECONDS.sleep(5);
            load.take();
            double cpu = process.cpuMillis();
            TimeUnit.SECONDS.sleep(6);
            double each = (process.cpuMillis() - cpu) / load.take().requests();
            return new double[] {process.startMillis(), process.memoryMegabytes(), each};
        }
    }

    private static double median(double[][] rows, int column) {
        var values = new ArrayList<Double>();
        for (double[] row : rows) {
            values.add(row[column]);
        }
        return median(values);
    }

    static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
