package io.leeway.benchmarks.autotune;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpServer;
import io.leeway.autotune.lab.internal.trace.Span;
import io.leeway.autotune.lab.internal.trace.Trace;
import io.leeway.autotune.lab.internal.trace.TraceReader;
import io.leeway.autotune.lab.internal.trace.Traces;
import io.leeway.autotune.services.Load;
import io.leeway.autotune.services.Mesh;
import io.leeway.autotune.services.RunningMesh;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Injects faults into the services of real applications, one after the other, and records the traces with what is true of
 * them, as {@code autotune train --recordings} reads them. A fault that does not slow its service by a fifth is no
 * bottleneck and is left out, as is one that stops everything; callers that become slow by themselves make it a cascade.
 */
final class FaultRecorder implements AutoCloseable {

    private static final double RATE = 40;
    private static final int WARM = 120;
    private static final int WARM_WINDOWS = 12;
    private static final double AGREE = 0.15;
    private static final int USUAL = 250;
    private static final int NORMAL = 150;
    private static final int FAULTY = 50;
    private static final int SETTLE_MILLIS = 400;
    private static final int DRAIN_MILLIS = 500;
    /** Every service sends its spans twice a second: after this, all of a request are here. */
    private static final long SENT_MICROS = 1_000_000;

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration JAM = Duration.ofSeconds(8);

    private static final double SLOWER = 1.2;
    private static final double CASCADES = 1.5;

    private final Path directory;
    private final Mesh mesh;
    private final Random random;
    private final HttpServer sink;
    private final TraceReader reader = new TraceReader();
    private final JsonArray cases = new JsonArray();
    private Map<String, Double> usualOwn = Map.of();
    private Map<String, Double> usualWhole = Map.of();
    private int written;
    private int without;
    private int jammed;

    private FaultRecorder(Path directory, Mesh mesh, long seed) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.mesh = mesh;
        this.random = new Random(seed);
        this.sink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        sink.createContext("/", exchange -> {
            try (exchange) {
                take(exchange.getRequestBody().readAllBytes());
                exchange.sendResponseHeaders(200, -1);
            }
        });
        sink.start();
    }

    /** Records one application, if that was not done before; about a minute. */
    static void record(Path directory, Mesh mesh, long seed) throws IOException, InterruptedException {
        if (Files.exists(directory.resolve("labels.json"))) {
            return;
        }
        if (Files.exists(directory)) {
            // Of an attempt that was broken off.
            Recordings.remove(directory);
        }
        try (var recorder = new FaultRecorder(directory, mesh, seed)) {
            recorder.run();
        }
    }

    private synchronized void take(byte[] body) {
        reader.json(new String(body, StandardCharsets.UTF_8));
    }

    private synchronized List<Span> taken() {
        return reader.take();
    }

    private void run() throws IOException, InterruptedException {
        String traces = "http://127.0.0.1:" + sink.getAddress().getPort() + "/";
        try (RunningMesh running = RunningMesh.start(mesh, traces);
                var load = new Load(running.uri(mesh.front().name()), RATE, 1)) {
            warmUp();
            List<Trace> usual = requests(USUAL);
            write("usual.jsonl", usual);
            usualOwn = medians(usual, Trace.Node::selfMicros);
            usualWhole = medians(usual, Trace.Node::micros);
            add("normal", List.of(), "none", requests(NORMAL));
            for (String kind : List.of("cpu", "memory", "disk", "network", "lock", "pool", "misconfiguration")) {
                for (Mesh.Member member : affected(kind)) {
                    inject(running, Map.of(member, kind), 0);
                }
            }
            for (Mesh.Member caller : callers()) {
                inject(running, Map.of(called(caller), "network"), cascading(caller));
            }
            for (List<Mesh.Member> pair : chosen(2, 4)) {
                inject(running, Map.of(pair.get(0), any(), pair.get(1), any()), 0);
            }
            System.out.printf(
                    "%s: %d services, %d cases, %d without effect, %d jammed%n",
                    directory.getFileName(), mesh.members().size(), cases.size(), without, jammed);
        }
        var labels = new JsonObject();
        labels.addProperty("usual", "usual.jsonl");
        labels.add("cases", cases);
        Files.writeString(directory.resolve("labels.json"), labels + "\n");
    }

    /** Until two windows agree: what JVMs do at first, and the queue that they leave, is not what is usual. */
    private void warmUp() throws IOException, InterruptedException {
        double before = Double.MAX_VALUE;
        for (int i = 0; i < WARM_WINDOWS; i++) {
            double now = medians(requests(WARM), Trace.Node::micros)
                    .getOrDefault(mesh.front().name(), 0.0);
            if (Math.abs(now / before - 1) < AGREE) {
                return;
            }
            before = now;
        }
    }

    private String any() {
        return List.of("cpu", "disk", "network", "lock").get(random.nextInt(4));
    }

    /** So many lists of so many different services. */
    private List<List<Mesh.Member>> chosen(int size, int lists) {
        return IntStream.range(0, lists)
                .mapToObj(i -> {
                    var members = new ArrayList<>(mesh.members());
                    Collections.shuffle(members, random);
                    return List.copyOf(members.subList(0, size));
                })
                .toList();
    }

    /** Two services; of a pool or of threads that are too few, those that would be the busiest then. */
    private List<Mesh.Member> affected(String kind) {
        List<Mesh.Member> any = chosen(mesh.members().size(), 1).get(0);
        ToDoubleFunction<Mesh.Member> busy = kind.equals("pool")
                ? member -> held(member) / (member.connections() - amount(member, kind))
                : kind.equals("misconfiguration") ? member -> busy(member) / amount(member, kind) : member -> 0;
        return any.stream()
                .sorted(Comparator.comparingDouble(busy).reversed())
                .limit(2)
                .toList();
    }

    /** Connections that are held on average. */
    private static double held(Mesh.Member member) {
        return member.held() * RATE / 1e3;
    }

    /** Threads that are at work on average. */
    private double busy(Mesh.Member member) {
        return usualWhole.getOrDefault(member.name(), 5_000.0) / 1e6 * RATE;
    }

    /** Services whose threads are soon all waiting for what they call. */
    private List<Mesh.Member> callers() {
        return mesh.members().stream()
                .filter(member -> !member.calls().isEmpty())
                .sorted(Comparator.comparingDouble(member -> member.threads() - busy(member)))
                .limit(3)
                .toList();
    }

    private Mesh.Member called(Mesh.Member caller) {
        List<String> names = List.of(caller.calls().getOrDefault("", "").split("[,;]"));
        String name = names.get(random.nextInt(names.size()));
        return mesh.members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** So many milliseconds that four of five threads of the caller wait. */
    private int cascading(Mesh.Member caller) {
        return (int) Math.max(10, 1e3 * (0.8 * caller.threads() - busy(caller)) / RATE);
    }

    /** Faults, of an amount that is given, or one that suits them. */
    private void inject(RunningMesh running, Map<Mesh.Member, String> faults, int given)
            throws IOException, InterruptedException {
        for (var fault : faults.entrySet()) {
            String kind = fault.getValue();
            int amount = given > 0 ? given : amount(fault.getKey(), kind);
            running.fault(fault.getKey().name(), kind, amount);
        }
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        List<Trace> traces = requests(FAULTY, JAM);
        for (Mesh.Member member : faults.keySet()) {
            running.fault(member.name(), "none", 0);
        }
        if (traces.size() < FAULTY) {
            // On a busy machine a fault may stop everything: what is left of its queues is let go.
            requests(WARM, PATIENCE);
            jammed++;
            return;
        }
        TimeUnit.MILLISECONDS.sleep(DRAIN_MILLIS);
        List<String> culprits =
                faults.keySet().stream().map(Mesh.Member::name).sorted().toList();
        Map<String, Double> own = medians(traces, Trace.Node::selfMicros);
        if (culprits.stream().anyMatch(culprit -> slower(own, culprit) < SLOWER)) {
            without++;
            return;
        }
        boolean isCascading = own.keySet().stream()
                .anyMatch(service -> !culprits.contains(service) && slower(own, service) > CASCADES);
        String anomaly = culprits.size() > 1 ? "multiple" : isCascading ? "cascading" : "single";
        add(faults.values().stream().distinct().sorted().collect(Collectors.joining("+")), culprits, anomaly, traces);
    }

    private double slower(Map<String, Double> own, String service) {
        return (own.getOrDefault(service, 0.0) + 500) / (usualOwn.getOrDefault(service, 1.0) + 500);
    }

    /** So much that the service takes two to five times as long, as far as its kind allows. */
    private int amount(Mesh.Member member, String kind) {
        double millis =
                Math.max(5, usualOwn.getOrDefault(member.name(), 5_000.0) / 1e3 * (1 + 3 * random.nextDouble()));
        return switch (kind) {
            // A step is about a nanosecond.
            case "cpu" -> (int) (1_000 * Math.min(12, millis));
            case "memory" -> (int) Math.min(40, 8 + 2 * millis);
            case "disk" -> (int) (100 + 300 * random.nextDouble());
            // What needs the lock longer than requests are apart would let the queue grow without end.
            case "lock" -> (int) Math.min(millis, 0.75 * 1_000 / RATE);
            // All but those that are just enough.
            case "pool" -> member.connections() - (int) Math.ceil(held(member) / 0.95);
            case "misconfiguration" -> (int) Math.max(1, Math.ceil(busy(member) / 0.95));
            default -> (int) millis;
        };
    }

    /** Whole requests that begin from now on, as soon as there are so many: a busy machine needs longer. */
    private List<Trace> requests(int count) throws IOException, InterruptedException {
        List<Trace> whole = requests(count, PATIENCE);
        if (whole.size() < count) {
            throw new IOException("only " + whole.size() + " requests of " + count + " in " + PATIENCE);
        }
        return whole;
    }

    private List<Trace> requests(int count, Duration patience) throws InterruptedException {
        long from = System.currentTimeMillis() * 1_000;
        long limit = System.nanoTime() + patience.toNanos();
        var spans = new ArrayList<Span>();
        List<Trace> whole = List.of();
        while (whole.size() < count && System.nanoTime() - limit < 0) {
            TimeUnit.MILLISECONDS.sleep(250);
            spans.addAll(taken());
            long sent = System.currentTimeMillis() * 1_000 - SENT_MICROS;
            whole = Traces.of(spans, List.of()).traces().stream()
                    .filter(trace -> trace.root().span().parent() == null
                            && trace.root().span().startMicros() >= from
                            && trace.root().span().endMicros() < sent
                            && trace.mended().stream().noneMatch(what -> what.contains("missing")))
                    .toList();
        }
        return whole;
    }

    private static Map<String, Double> medians(List<Trace> traces, ToLongFunction<Trace.Node> time) {
        var all = new TreeMap<String, List<Long>>();
        for (Trace trace : traces) {
            for (Trace.Node node : trace.nodes()) {
                all.computeIfAbsent(node.service(), name -> new ArrayList<>()).add(time.applyAsLong(node));
            }
        }
        var medians = new TreeMap<String, Double>();
        all.forEach((service, times) -> {
            long[] sorted = times.stream().mapToLong(Long::longValue).toArray();
            Arrays.sort(sorted);
            medians.put(service, (double) sorted[sorted.length / 2]);
        });
        return medians;
    }

    private void add(String fault, List<String> culprits, String anomaly, List<Trace> traces) throws IOException {
        String file = cases.size() + "-" + fault.replace('+', '-') + ".jsonl";
        write(file, traces);
        var json = new JsonObject();
        json.addProperty("traces", file);
        json.addProperty("fault", fault);
        json.addProperty("anomaly", anomaly);
        var names = new JsonArray();
        culprits.forEach(names::add);
        json.add("culprits", names);
        cases.add(json);
    }

    /** Ids are numbered anew: random ones would be most of what is kept. */
    private void write(String file, List<Trace> traces) throws IOException {
        var lines = new ArrayList<String>();
        for (Trace trace : traces) {
            String id = Integer.toString(++written);
            for (Trace.Node node : trace.nodes()) {
                Trace.Node parent = node.parent();
                Span span = node.span();
                lines.add(TraceReader.line(new Span(
                        id,
                        id + "-" + node.place(),
                        parent == null ? null : id + "-" + parent.place(),
                        span.service(),
                        span.operation(),
                        span.startMicros(),
                        span.endMicros(),
                        span.isAsync())));
            }
        }
        Files.write(directory.resolve(file), lines);
    }

    @Override
    public void close() {
        sink.stop(0);
    }
}
