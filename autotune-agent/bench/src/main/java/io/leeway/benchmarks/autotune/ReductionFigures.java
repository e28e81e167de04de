package io.leeway.benchmarks.autotune;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.lab.Lab;
import io.leeway.autotune.lab.Reduction;
import io.leeway.autotune.lab.Trial;
import io.leeway.autotune.services.LabFiles;
import io.leeway.autotune.services.Mesh;
import io.leeway.autotune.services.RunningMesh;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What reductions keep of the gain, on a real application: the social network of fifteen services with two parameters
 * each, which the lab changes while they run, 15 trials for each reduction and without one, all by the same traces; then the best of each and the
 * configuration without tuning are measured afresh, in turn. What was measured is kept in {@code LAB_RUNS}, if it is set,
 * and gone on with.
 */
final class ReductionFigures {

    private static final int TRIALS = 15;
    private static final int ROUNDS = 3;
    private static final String LOAD = "  rate: 30\n  warm-up: 1s\n  measure: 5s\n";
    private static final Map<String, Integer> KINDS = Map.of("compose", 10, "home", 30, "user", 60);

    private final Recorder recorder;
    private final Mesh mesh = Mesh.social();

    ReductionFigures(Recorder recorder) {
        this.recorder = recorder;
    }

    /** What a search found. */
    private record Found(Map<String, String> setting, int services) {}

    void measure() throws IOException, InterruptedException {
        String given = System.getenv("LAB_RUNS");
        Path directory = given == null ? Files.createTempDirectory("autotune-runs-") : Path.of(given);
        int tracePort = LabFiles.port();
        HttpServer configurator = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        try (var running = RunningMesh.start(mesh, "http://127.0.0.1:" + tracePort + "/api/v2/spans")) {
            configurator.createContext("/", exchange -> configure(running, exchange));
            configurator.start();
            int port = configurator.getAddress().getPort();
            String rest = "deploy: [sh, -c, 'curl -sSf --data-binary @$LAB_CONFIGURATION/setting.json http://127.0.0.1:"
                    + port + "/']\nload:\n"
                    + LabFiles.requests(running.uri(mesh.front().name()).toString(), KINDS) + LOAD;
            measure(directory, rest, tracePort);
        } finally {
            configurator.stop(0);
        }
    }

    /** What the lab's command for a deployment calls: the services go on with another configuration. */
    private void configure(RunningMesh running, HttpExchange exchange) throws IOException {
        try (exchange) {
            Setting setting = Json.setting(
                    Json.object(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            for (Mesh.Member member : mesh.members()) {
                running.configure(
                        member.name(),
                        (int) setting.get(member.name() + ".threads").number(),
                        (int) setting.get(member.name() + ".connections").number());
            }
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private void measure(Path directory, String rest, int tracePort) throws IOException {
        var found = new LinkedHashMap<String, Found>();
        Path traces = directory.resolve(Reduction.CRITICAL_PATH.key()).resolve("lab-application/traces.jsonl");
        // JVMs that have just begun are slower: nothing of this counts.
        fresh(directory, rest, "warm", 0, Map.of());
        for (Reduction reduction : Reduction.values()) {
            boolean isFirst = reduction == Reduction.CRITICAL_PATH;
            String from = isFirst ? "trace-port: " + tracePort + "\n" : "traces: [" + traces + "]\n";
            found.put(reduction.key(), search(directory, rest + from, reduction.key()));
        }
        found.put("none", search(directory, rest, "none"));
        var values = new TreeMap<String, List<Double>>();
        for (int round = 0; round < ROUNDS; round++) {
            add(values, "standard", fresh(directory, rest, "standard", round, Map.of()));
            for (var one : found.entrySet()) {
                add(
                        values,
                        one.getKey(),
                        fresh(
                                directory,
                                rest,
                                one.getKey(),
                                round,
                                one.getValue().setting()));
            }
        }
        record(found, values);
    }

    private static void add(Map<String, List<Double>> values, String name, double value) {
        values.computeIfAbsent(name, none -> new ArrayList<>()).add(value);
    }

    private void record(Map<String, Found> found, Map<String, List<Double>> values) throws IOException {
        double before = median(values.getOrDefault("standard", List.of()));
        double whole = 1 - median(values.getOrDefault("none", List.of())) / before;
        recorder.record("p95 without tuning, social network", before, "ms", null, Better.LOWER, "");
        for (var one : found.entrySet()) {
            double after = median(values.getOrDefault(one.getKey(), List.of()));
            double gain = 1 - after / before;
            boolean isReduced = !one.getKey().equals("none");
            String what = ", social network, " + (isReduced ? one.getKey() : "without reduction");
            System.out.println(
                    what + ": " + values.get(one.getKey()) + " gain " + gain + " of " + whole + ", " + one.getValue());
            recorder.record("p95 after 15 trials" + what, after, "ms", null, Better.LOWER, "")
                    .record("gain after 15 trials" + what, gain, "share", null, Better.HIGHER, "");
            if (isReduced) {
                recorder.record("part of the gain that is kept" + what, gain / whole, "share", 0.9, Better.HIGHER, "")
                        .record(
                                "part of the services that is tuned" + what,
                                (double) one.getValue().services()
                                        / mesh.members().size(),
                                "share",
                                0.4,
                                Better.LOWER,
                                "");
            }
        }
    }

    private Found search(Path directory, String rest, String reduction) throws IOException {
        Path home = Files.createDirectories(directory.resolve(reduction));
        String more = "reduce: " + reduction + "\nobjective: p95\nlimits: [error-share <= 0.01]\nbudget: " + TRIALS
                + "\nverify: 0\nseed: 1\n";
        Path app = LabFiles.write(home, mesh, Map.of(), rest + more);
        Lab.Result result = Lab.run(app, false, text -> System.out.println(reduction + ": " + text));
        Trial best = result.study().bestTrial().orElseThrow();
        var setting = new TreeMap<String, String>();
        best.setting().values().forEach((name, value) -> setting.put(name, value.toString()));
        int services = (int) result.study().space().parameters().stream()
                .filter(parameter -> parameter.size() > 1)
                .map(parameter -> parameter.service())
                .distinct()
                .count();
        return new Found(setting, services);
    }

    /** One measurement of a configuration: a search of a single trial. */
    private double fresh(Path directory, String rest, String name, int round, Map<String, String> setting)
            throws IOException {
        Path home = Files.createDirectories(directory.resolve("fresh-" + name + "-" + round));
        String more = "objective: p95\nbudget: 1\nverify: 0\nseed: " + (100 + round) + "\n";
        Lab.Result result = Lab.run(
                LabFiles.write(home, mesh, setting, rest + more),
                false,
                text -> System.out.println("fresh " + name + ": " + text));
        return result.study().trials().get(0).value();
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }
}
