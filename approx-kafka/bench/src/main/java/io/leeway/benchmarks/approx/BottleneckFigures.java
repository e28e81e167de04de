package io.leeway.benchmarks.approx;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Half of the trips of an hour over a bottleneck of 50 Mbit/s between network namespaces: by ATP, by TCP with early stop
 * (ES) and with sampling (SS), and by plain UDP; alone, beside exact traffic, several at once. Needs root, ip and tc. One
 * run; prints and records. With {@code trial} and names of parts as arguments only these, and nothing is recorded.
 */
public final class BottleneckFigures {

    private static final int MEGABITS = 50;
    private static final long PORT_RATE = 100_000_000;
    private static final int WARM_UPS = 6;
    private static final int TOGETHER = 6;
    private static final String COMMAND = "build/bench " + BottleneckFigures.class.getName();
    private static final Map<String, String> NAMES =
            Map.of("atp", "ATP", "es", "ES", "ss", "SS", "low", "SS in a queue of ATP's", "udp", "plain UDP");
    private static final double ALLOWED_ERROR = 0.02;

    private final Bottleneck network;
    private final @Nullable Recorder recorder;
    private final Path sinkLog;
    private final Path sourceLog;
    private final Path exactLog;
    private final Path directory;
    private final OutputStream source;
    private int answers;
    private int samples;

    private BottleneckFigures(Bottleneck network, Path directory, @Nullable Recorder recorder)
            throws IOException, InterruptedException {
        this.network = network;
        this.recorder = recorder;
        this.directory = directory;
        sinkLog = network.log("sink");
        sourceLog = network.log("source");
        exactLog = network.log("exact");
        network.start(Bottleneck.SINK, sinkLog, Sink.class, directory.toString());
        Bottleneck.await(sinkLog, "ready", 1);
        source = network.start(
                        Bottleneck.SOURCE,
                        sourceLog,
                        Source.class,
                        Bottleneck.SINK_ADDRESS,
                        directory.toString(),
                        "" + PORT_RATE)
                .getOutputStream();
        Bottleneck.await(sourceLog, "ready", 1);
    }

    /** Measures all. */
    public static void main(String[] arguments) throws Exception {
        Set<String> parts = new HashSet<>(Arrays.asList(arguments));
        boolean trial = parts.remove("trial");
        Path directory = Files.createTempDirectory("approx-bench-");
        try (Bottleneck network = new Bottleneck(directory, MEGABITS)) {
            new BottleneckFigures(network, directory, trial ? null : Recorder.of("approx", COMMAND)).measure(parts);
        }
    }

    private void measure(Set<String> parts) throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            run(1, "0.5", "atp");
            run(1, "0.5", "ss");
        }
        samples = Bottleneck.await(sinkLog, "sample", 2 * WARM_UPS).size();
        if (wanted(parts, "alone")) {
            compare("alone", List.of("atp", "es", "ss", "udp"), 1, false, 5, false);
        }
        if (wanted(parts, "bursts")) {
            compare("beside exact bursts", List.of("atp", "es", "ss", "low", "udp"), 1, true, 5, true);
        }
        network.depth(64);
        if (wanted(parts, "shallow")) {
            compare("beside exact bursts, shallow queue", List.of("atp", "es", "ss", "low"), 1, true, 5, true);
        }
        if (wanted(parts, "incast")) {
            compare(
                    TOGETHER + " at once beside exact bursts, shallow queue",
                    List.of("atp", "es", "ss", "low"),
                    TOGETHER,
                    true,
                    3,
                    true);
        }
        network.depth(Bottleneck.DEEP);
        if (wanted(parts, "together")) {
            compare(
                    TOGETHER + " at once beside exact bursts",
                    List.of("atp", "es", "ss", "low"),
                    TOGETHER,
                    true,
                    3,
                    true);
        }
        if (wanted(parts, "ablation")) {
            ablation();
        }
        if (wanted(parts, "brokers")) {
            Brokers brokers = new Brokers(network, directory, PORT_RATE);
            brokers("alone", brokers, false);
            brokers("beside exact bursts", brokers, true);
        }
    }

    private static <T> T of(Map<String, T> map, String key) {
        return Objects.requireNonNull(map.get(key), key);
    }

    private static boolean wanted(Set<String> parts, String part) {
        return parts.isEmpty() || parts.contains(part);
    }

    /** What jobs by one method were like. */
    private static final class Seen {
        final Series millis = new Series();
        final Series bursts = new Series();
        final Series megabits = new Series();
        final Series evenness = new Series();
        final Series megabytes = new Series();
        double worst;
        int hits = Trips.TOP;
        int incomplete;
    }

    private void compare(
            String situation, List<String> methods, int senders, boolean exact, int rounds, boolean congested)
            throws Exception {
        Map<String, Seen> seen = new HashMap<>();
        methods.forEach(method -> seen.put(method, new Seen()));
        // In turns, so that what else the machine does hits all alike.
        for (int round = 0; round < rounds; round++) {
            for (String method : methods) {
                job(method, senders, "0.5", exact, of(seen, method));
            }
        }
        for (String method : methods) {
            tell(situation, of(NAMES, method), of(seen, method), exact, senders);
        }
        Seen atp = of(seen, "atp");
        for (String method : methods.subList(1, methods.contains("udp") ? methods.size() - 1 : methods.size())) {
            String name = of(NAMES, method);
            double ratio = atp.millis.median() / of(seen, method).millis.median();
            String peer = name + " over TCP";
            if (congested) {
                tell(situation + ": time by ATP, of that by " + name, ratio, "", 0.8, Better.LOWER, peer);
            } else {
                tell(situation + ": speed by ATP, of that by " + name, 1 / ratio, "", 0.9, Better.HIGHER, peer);
            }
            if (exact) {
                double faster = of(seen, method).bursts.median() / atp.bursts.median();
                Double goal = method.equals("es") ? 1.5 : null;
                tell(
                        situation + ": exact burst beside ATP faster than beside " + name,
                        faster,
                        "times",
                        goal,
                        Better.HIGHER,
                        peer);
            }
        }
    }

    private void tell(String situation, String method, Seen seen, boolean exact, int senders) throws IOException {
        String of = situation + ", " + method + ": ";
        if (seen.millis.count() > 0) {
            tell(of + "completion time", seen.millis.median(), "ms", null, Better.LOWER, "");
            tell(of + "goodput of samples", seen.megabits.median(), "Mbit/s", null, Better.HIGHER, "");
        }
        if (method.equals("ATP")) {
            tell(of + "bytes through the bottleneck", seen.megabytes.median(), "MB", null, Better.LOWER, "");
        }
        if (seen.incomplete > 0) {
            tell(of + "jobs that never had half", seen.incomplete, "", null, Better.LOWER, "");
        }
        if (exact) {
            tell(of + "exact burst of 125 kB beside it", seen.bursts.median(), "ms", null, Better.LOWER, "");
            tell(of + "99th percentile of exact bursts", seen.bursts.quantile(0.99), "ms", null, Better.LOWER, "");
        }
        Double bound = method.equals("ATP") ? 100 * ALLOWED_ERROR : null;
        tell(of + "worst error of the mean", 100 * seen.worst, "%", bound, Better.LOWER, "");
        tell(of + "least of the true top 15 found", seen.hits, "zones", null, Better.HIGHER, "");
        if (senders > 1) {
            tell(of + "evenness between jobs (Jain)", seen.evenness.median(), "", null, Better.HIGHER, "");
        }
    }

    private void tell(String name, double value, String unit, @Nullable Double goal, Better better, String peer)
            throws IOException {
        System.out.printf("%s: %.3f %s%s%n", name, value, unit, goal == null ? "" : " (goal " + goal + ")");
        if (recorder != null) {
            recorder.record(name, value, unit, goal, better, peer);
        }
    }

    private void job(String method, int senders, String msr, boolean exact, Seen seen) throws Exception {
        Process bursts =
                exact ? network.start(Bottleneck.SOURCE, exactLog, Exact.class, Bottleneck.SINK_ADDRESS) : null;
        try {
            if (bursts != null) {
                Bottleneck.await(exactLog, "", 5);
            }
            long before = network.passed(true);
            long[] micros = run(senders, msr, method);
            seen.megabytes.add((network.passed(true) - before) / 1e6);
            double sum = 0;
            double squares = 0;
            for (int i = 1; i < micros.length; i++) {
                if (micros[i] < 0) {
                    seen.incomplete++;
                    continue;
                }
                seen.millis.add(micros[i] / 1e3);
                sum += 1.0 / micros[i];
                squares += 1.0 / micros[i] / micros[i];
            }
            seen.evenness.add(sum * sum / senders / squares);
            long last = Arrays.stream(micros).skip(1).max().orElseThrow();
            judge(senders, seen, last);
            if (bursts != null) {
                long end = micros[0] + Math.max(last, 1_000_000);
                bursts(seen, micros[0], end);
            }
            System.out.println("  " + situation(method, micros));
        } finally {
            if (bursts != null) {
                bursts.destroy();
                bursts.waitFor();
            }
        }
    }

    private static String situation(String method, long[] micros) {
        StringBuilder text = new StringBuilder(method);
        for (int i = 1; i < micros.length; i++) {
            text.append(' ').append(micros[i] / 1_000);
        }
        return text.toString();
    }

    /** Compares what arrived with the truth. */
    private void judge(int senders, Seen seen, long lastMicros) throws Exception {
        List<String> lines = Bottleneck.await(sinkLog, "sample", samples + senders);
        long bytes = 0;
        for (String line : lines.subList(samples, samples + senders)) {
            String[] words = line.split(" ");
            Trips.Summary truth =
                    truths.computeIfAbsent(words[1], name -> Trips.truth(Trips.records(name, Source.RECORDS)));
            double mean = Double.parseDouble(words[3]);
            seen.worst = Math.max(seen.worst, Math.abs(mean / truth.mean() - 1));
            List<String> top = Arrays.asList(words[4].split(","));
            seen.hits = (int) Math.min(
                    seen.hits,
                    truth.top().stream().filter(zone -> top.contains("" + zone)).count());
            bytes += Long.parseLong(words[2]) * RECORD_BYTES;
        }
        samples += senders;
        if (lastMicros > 0) {
            seen.megabits.add(bytes * 8.0 / lastMicros);
        }
    }

    private static final long RECORD_BYTES = Trips.bytes();
    private final Map<String, Trips.Summary> truths = new HashMap<>();

    /** The bursts that were due while the job ran. */
    private void bursts(Seen seen, long from, long to) throws Exception {
        List<String> lines;
        do {
            Thread.sleep(20);
            lines = Files.readAllLines(exactLog, StandardCharsets.UTF_8);
        } while (due(lines.get(lines.size() - 1)) < to);
        for (String line : lines) {
            if (due(line) >= from && due(line) < to) {
                seen.bursts.add(Long.parseLong(line.split(" ")[1]) / 1e3);
            }
        }
    }

    private static long due(String line) {
        return line.contains(" ") ? Long.parseLong(line.split(" ")[0]) : 0;
    }

    /** When it began, and how long each sender took. */
    private long[] run(int senders, String msr, String method) throws Exception {
        source.write((method + " " + senders + " " + msr + "\n").getBytes(StandardCharsets.US_ASCII));
        source.flush();
        answers++;
        List<String> lines = Bottleneck.await(sourceLog, "done", answers);
        return Arrays.stream(lines.get(answers - 1).substring(5).split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /** What each part of the protocol is good for, beside exact bursts. */
    private void ablation() throws Exception {
        List<String> variants = List.of(
                "atp",
                "fixed-target",
                "fixed-priority",
                "fixed-both",
                "no-pauses",
                "no-rate-control",
                "any-sample",
                "plain-queues",
                "losses-given-back");
        Map<String, Seen> seen = new HashMap<>();
        for (String variant : variants) {
            run(1, "0.5", variant);
            samples = Bottleneck.await(sinkLog, "sample", samples + 1).size();
            seen.put(variant, new Seen());
        }
        for (int round = 0; round < 3; round++) {
            for (String variant : variants) {
                job(variant, 1, "0.5", true, of(seen, variant));
            }
        }
        List<String> names = new ArrayList<>(variants);
        for (String variant : names) {
            String of = "beside exact bursts, ATP with "
                    + (variant.equals("atp") ? "all its parts" : variant.replace('-', ' '));
            tell(of + ": completion time", of(seen, variant).millis.median(), "ms", null, Better.LOWER, "");
        }
    }

    /** Through a real broker, with an ordinary producer. */
    private void brokers(String situation, Brokers brokers, boolean exact) throws Exception {
        Map<String, Brokers.Seen> seen = Brokers.nothingSeen();
        for (int i = 0; i < WARM_UPS; i++) {
            for (String mode : Brokers.MODES) {
                brokers.hour(mode, new Brokers.Seen());
            }
        }
        Map<String, Seen> beside = new HashMap<>();
        for (int round = 0; round < 5; round++) {
            for (String mode : Brokers.MODES) {
                Process bursts =
                        exact ? network.start(Bottleneck.SOURCE, exactLog, Exact.class, Bottleneck.SINK_ADDRESS) : null;
                if (bursts != null) {
                    Bottleneck.await(exactLog, "", 5);
                }
                long[] times = brokers.hour(mode, of(seen, mode));
                if (bursts != null) {
                    bursts(beside.computeIfAbsent(mode, unused -> new Seen()), times[0], times[0] + times[1]);
                    bursts.destroy();
                    bursts.waitFor();
                }
            }
        }
        Map<String, String> names = Map.of(
                "approx",
                "approximate topic",
                "sampled",
                "half by Kafka's own protocol",
                "exact",
                "all by Kafka's own protocol");
        for (String mode : Brokers.MODES) {
            String of = "through a broker, " + situation + ", " + of(names, mode) + ": ";
            tell(of + "completion time", of(seen, mode).millis.median(), "ms", null, Better.LOWER, "");
            tell(
                    of + "CPU of the application a record",
                    of(seen, mode).application.median(),
                    "us",
                    null,
                    Better.LOWER,
                    "");
            tell(
                    of + "CPU of broker and gateway a record",
                    of(seen, mode).servers.median(),
                    "us",
                    null,
                    Better.LOWER,
                    "");
            if (exact) {
                tell(
                        of + "exact burst of 125 kB beside it",
                        of(beside, mode).bursts.median(),
                        "ms",
                        null,
                        Better.LOWER,
                        "");
            }
        }
        double approx = of(seen, "approx").application.median()
                + of(seen, "approx").servers.median();
        double kafka = of(seen, "exact").application.median()
                + of(seen, "exact").servers.median();
        tell(
                "through a broker, " + situation + ": CPU a byte, of that of Kafka's own path",
                approx / kafka,
                "times",
                1.5,
                Better.LOWER,
                "Kafka's own protocol");
        tell(
                "through a broker, " + situation
                        + ": time of an approximate topic, of that of half by Kafka's own protocol",
                of(seen, "approx").millis.median() / of(seen, "sampled").millis.median(),
                "times",
                null,
                Better.LOWER,
                "Kafka's own protocol");
    }
}
