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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Half of the trips of an hour over a bottleneck of 50 Mbit/s between network namespaces: by ATP, by TCP with early stop
 * (ES) and with sampling (SS), and by plain UDP; alone, beside exact traffic, several at once. Needs root, ip and tc. One
 * run; prints and records. With names of parts as arguments only these; with {@code trial} nothing is recorded.
 */
public final class BottleneckFigures {

    private static final int MEGABITS = 50;
    private static final long PORT_RATE = 100_000_000;
    private static final int WARM_UPS = 6;
    private static final int TOGETHER = 6;
    private static final int SHALLOW = 64;
    /** Mbit/s of a link where a time-out of TCP, at least 200 ms, is longer than a window of many producers takes. */
    private static final int FASTER = 250;
    /** Mbit/s of a link that is nobody's bottleneck. */
    private static final int FAST = 1_000;
    /** Hours at a stretch where CPU time is measured, so that neither the compiler nor the steps of the clock count. */
    private static final int LONG = 10;
    /** Of one window: producers whose part of it begins to travel at the same time. */
    private static final int PRODUCERS = 32;
    /** Trips of one producer in a window. */
    private static final int WINDOW = 2_000;
    /** Trips of one producer in shorter windows: the shorter, the more a time-out of TCP weighs. */
    private static final List<Integer> SHORT_WINDOWS = List.of(500, 1_000);
    /** Milliseconds that background traffic is in one queue before it moves to the next higher. */
    private static final String STAGE = "1500";
    /** Trips of a job that lasts through these stages. */
    private static final int LINE_TRIPS = 240_000;
    /** Seconds between moments of the time line that are told. */
    private static final double LINE_STEP = 0.25;
    /** How much of the link exact flows take. */
    private static final double FLOWS_LOAD = 0.6;

    private static final String COMMAND = "build/bench " + BottleneckFigures.class.getName();
    private static final Map<String, String> NAMES =
            Map.of("atp", "ATP", "es", "ES", "ss", "SS", "low", "SS in a queue of ATP's", "udp", "plain UDP");
    private static final Map<String, String> TOPICS = Map.of(
            "approx",
            "approximate topic",
            "sampled",
            "half by Kafka's own protocol",
            "exact",
            "all by Kafka's own protocol");
    private static final int FLINK_ROUNDS = 4;
    private static final double ALLOWED_ERROR = 0.02;

    private final Bottleneck network;
    private final @Nullable Recorder recorder;
    private final Path sinkLog;
    private final Path sourceLog;
    private final Path exactLog;
    private final Path directory;
    private final OutputStream source;
    private int megabits = MEGABITS;
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
            String command = (COMMAND + " " + String.join(" ", arguments)).strip();
            new BottleneckFigures(network, directory, trial ? null : Recorder.of("approx", command)).measure(parts);
        }
    }

    private void measure(Set<String> parts) throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            run(1, Source.RECORDS, "atp");
            run(1, Source.RECORDS, "ss");
        }
        samples = Bottleneck.await(sinkLog, "sample", 2 * WARM_UPS).size();
        if (wanted(parts, "fast-windows")) {
            rate(FASTER);
            network.depth(SHALLOW);
            for (int trips : SHORT_WINDOWS) {
                windows(trips, " with " + trips + " trips each", ", " + FASTER + " Mbit/s");
            }
            windows(WINDOW, "", ", " + FASTER + " Mbit/s");
            rate(MEGABITS);
            network.depth(Bottleneck.DEEP);
        }
        if (wanted(parts, "alone")) {
            compare(new Situation("alone", 1, Source.RECORDS, Beside.NOTHING, 5), List.of("atp", "es", "ss", "udp"));
        }
        if (wanted(parts, "bursts")) {
            compare(
                    new Situation("beside exact bursts", 1, Source.RECORDS, Beside.BURSTS, 5),
                    List.of("atp", "es", "ss", "low", "udp"));
        }
        network.depth(SHALLOW);
        if (wanted(parts, "shallow")) {
            compare(
                    new Situation("beside exact bursts, shallow queue", 1, Source.RECORDS, Beside.BURSTS, 5),
                    List.of("atp", "es", "ss", "low"));
        }
        if (wanted(parts, "incast")) {
            compare(
                    new Situation(
                            TOGETHER + " at once beside exact bursts, shallow queue",
                            TOGETHER,
                            Source.RECORDS,
                            Beside.BURSTS,
                            3),
                    List.of("atp", "es", "ss", "low"));
        }
        if (wanted(parts, "flows")) {
            compare(
                    new Situation("beside exact flows, shallow queue", 1, Source.RECORDS, Beside.FLOWS, 5),
                    List.of("atp", "es", "ss", "low"));
        }
        if (wanted(parts, "windows")) {
            windows(WINDOW, "", "");
        }
        network.depth(Bottleneck.DEEP);
        if (wanted(parts, "together")) {
            compare(
                    new Situation(
                            TOGETHER + " at once beside exact bursts", TOGETHER, Source.RECORDS, Beside.BURSTS, 3),
                    List.of("atp", "es", "ss", "low"));
        }
        if (wanted(parts, "ablation")) {
            ablation();
        }
        // The last of its process, since it leaves little of the memory.
        if (wanted(parts, "line")) {
            line();
        }
        if (parts.contains("flink")) {
            Brokers brokers = new Brokers(network, directory, PORT_RATE);
            for (String mode : Brokers.MODES) {
                brokers.hours(mode, 2, new Brokers.Seen());
            }
            flink("alone", brokers, false);
            flink("beside exact bursts", brokers, true);
        }
        if (parts.contains("cpu")) {
            network.rate(FAST);
            cpu(new Brokers(network, directory, PORT_RATE));
        }
        if (wanted(parts, "brokers")) {
            Brokers brokers = new Brokers(network, directory, PORT_RATE);
            brokers("alone", brokers, false);
            brokers("beside exact bursts", brokers, true);
            flink("alone", brokers, false);
            flink("beside exact bursts", brokers, true);
            network.rate(FAST);
            cpu(brokers);
        }
    }

    private void rate(int link) throws Exception {
        megabits = link;
        network.rate(link);
    }

    /** Windows of many producers whose parts begin to travel at the same time, alone and beside exact flows. */
    private void windows(int trips, String size, String where) throws Exception {
        String name = "a window of " + PRODUCERS + " producers" + size;
        List<String> methods = List.of("atp", "es", "ss");
        compare(new Situation(name + ", shallow queue" + where, PRODUCERS, trips, Beside.NOTHING, 5), methods);
        compare(
                new Situation(name + " beside exact flows, shallow queue" + where, PRODUCERS, trips, Beside.FLOWS, 5),
                methods);
    }

    private static <T> T of(Map<String, T> map, String key) {
        return Objects.requireNonNull(map.get(key), key);
    }

    private static double mean(Series series) {
        double sum = 0;
        for (int i = 0; i < series.count(); i++) {
            sum += series.quantile(i / Math.max(1.0, series.count() - 1));
        }
        return sum / series.count();
    }

    private static boolean wanted(Set<String> parts, String part) {
        return parts.isEmpty() || parts.contains(part);
    }

    /** What exact traffic there is beside the jobs. */
    private enum Beside {
        NOTHING,
        /** One connection with bursts that are due at fixed times, the next when the one before is through. */
        BURSTS,
        /** Flows that come when they come. */
        FLOWS
    }

    /** Jobs that begin at once, each of so many trips. */
    private record Situation(String name, int senders, int trips, Beside beside, int rounds) {
        /** Windows of many producers, which are complete when all parts are. */
        boolean window() {
            return trips != Source.RECORDS;
        }
    }

    /** What jobs by one method were like. */
    private static final class Seen {
        /** From the beginning until the last of those that began at once was complete. */
        final Series last = new Series();
        /** The error of the mean of all samples of those that began at once. */
        double worstTogether;

        final Series millis = new Series();
        final Series bursts = new Series();
        final Series megabits = new Series();
        final Series evenness = new Series();
        final Series megabytes = new Series();
        double worst;
        int hits = Trips.TOP;
        int incomplete;
    }

    private void compare(Situation situation, List<String> methods) throws Exception {
        Map<String, Seen> seen = new HashMap<>();
        methods.forEach(method -> seen.put(method, new Seen()));
        if (situation.window()) {
            // Connections and sessions of these producers are there before anything is measured.
            for (String method : methods) {
                run(situation.senders, situation.trips, method);
                samples += situation.senders;
            }
        }
        // In turns, so that what else the machine does hits all alike.
        for (int round = 0; round < situation.rounds; round++) {
            for (String method : methods) {
                job(method, situation, round, of(seen, method));
            }
        }
        for (String method : methods) {
            tell(situation, of(NAMES, method), of(seen, method));
        }
        Seen atp = of(seen, "atp");
        for (String method : methods) {
            if (!method.equals("atp") && !method.equals("udp")) {
                ratios(situation, of(NAMES, method), atp, of(seen, method));
            }
        }
    }

    private void ratios(Situation situation, String name, Seen atp, Seen other) throws IOException {
        String peer = name + " over TCP";
        boolean window = situation.window();
        // A window is complete when all its producers' samples are there.
        double ratio = window ? atp.last.median() / other.last.median() : atp.millis.median() / other.millis.median();
        if (situation.beside == Beside.NOTHING && !window) {
            tell(situation.name + ": speed by ATP, of that by " + name, 1 / ratio, "", 0.9, Better.HIGHER, peer);
        } else {
            tell(situation.name + ": time by ATP, of that by " + name, ratio, "", 0.8, Better.LOWER, peer);
        }
        if (situation.beside == Beside.BURSTS) {
            Double goal = name.equals(NAMES.get("es")) ? 1.5 : null;
            String faster = situation.name + ": exact burst beside ATP faster than beside " + name;
            tell(faster, other.bursts.median() / atp.bursts.median(), "times", goal, Better.HIGHER, peer);
        } else if (situation.beside == Beside.FLOWS) {
            Double goal = name.equals(NAMES.get("es")) ? 1.5 : null;
            String faster = situation.name + ": exact flows beside ATP faster than beside " + name + ", ";
            tell(faster + "mean", mean(other.bursts) / mean(atp.bursts), "times", goal, Better.HIGHER, peer);
            double tail = other.bursts.quantile(0.99) / atp.bursts.quantile(0.99);
            tell(faster + "99th percentile", tail, "times", null, Better.HIGHER, peer);
        }
    }

    private void tell(Situation situation, String method, Seen seen) throws IOException {
        String of = situation.name + ", " + method + ": ";
        boolean window = situation.window();
        if (seen.millis.count() > 0) {
            tell(of + "completion time", seen.millis.median(), "ms", null, Better.LOWER, "");
            tell(of + "goodput of samples", seen.megabits.median(), "Mbit/s", null, Better.HIGHER, "");
        }
        if (window) {
            tell(of + "time until all had it", seen.last.median(), "ms", null, Better.LOWER, "");
        }
        if (method.equals("ATP")) {
            tell(of + "bytes through the bottleneck", seen.megabytes.median(), "MB", null, Better.LOWER, "");
        }
        if (seen.incomplete > 0) {
            tell(of + "jobs that never had half", seen.incomplete, "", null, Better.LOWER, "");
        }
        if (situation.beside == Beside.BURSTS) {
            tell(of + "exact burst of 125 kB beside it", seen.bursts.median(), "ms", null, Better.LOWER, "");
            tell(of + "99th percentile of exact bursts", seen.bursts.quantile(0.99), "ms", null, Better.LOWER, "");
        } else if (situation.beside == Beside.FLOWS) {
            tell(of + "exact flows beside it, mean", mean(seen.bursts), "ms", null, Better.LOWER, "");
            tell(of + "99th percentile of exact flows", seen.bursts.quantile(0.99), "ms", null, Better.LOWER, "");
        }
        Double bound = method.equals("ATP") ? 100 * ALLOWED_ERROR : null;
        double worst = window ? seen.worstTogether : seen.worst;
        tell(of + "worst error of the mean", 100 * worst, "%", bound, Better.LOWER, "");
        if (!window) {
            tell(of + "least of the true top 15 found", seen.hits, "zones", null, Better.HIGHER, "");
        }
        if (situation.senders > 1) {
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

    private void job(String method, Situation situation, int round, Seen seen) throws Exception {
        Process exact = switch (situation.beside) {
            case NOTHING -> null;
            case BURSTS -> network.start(Bottleneck.SOURCE, exactLog, Exact.class, Bottleneck.SINK_ADDRESS);
            // The same flows at the same times beside each method.
            case FLOWS ->
                network.start(
                        Bottleneck.SOURCE,
                        exactLog,
                        Open.class,
                        Bottleneck.SINK_ADDRESS,
                        "" + (long) (FLOWS_LOAD * megabits * 1e6),
                        "" + round);
        };
        try {
            if (exact != null) {
                Bottleneck.await(exactLog, "", situation.beside == Beside.FLOWS ? 100 : 5);
            }
            long before = network.passed(true);
            long[] micros = run(situation.senders, situation.trips, method);
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
            seen.evenness.add(sum * sum / situation.senders / squares);
            long last = Arrays.stream(micros).skip(1).max().orElseThrow();
            seen.last.add(last / 1e3);
            judge(situation, seen, last);
            if (exact != null) {
                beside(situation, seen, micros[0], micros[0] + Math.max(last, 1_000_000));
            }
            System.out.println("  " + situation(method, micros));
        } finally {
            if (exact != null) {
                exact.destroy();
                exact.waitFor();
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
    private void judge(Situation situation, Seen seen, long lastMicros) throws Exception {
        int senders = situation.senders;
        List<String> lines = Bottleneck.await(sinkLog, "sample", samples + senders);
        long bytes = 0;
        double all = 0;
        double truthOfAll = 0;
        for (String line : lines.subList(samples, samples + senders)) {
            String[] words = line.split(" ");
            Trips.Summary truth =
                    truths.computeIfAbsent(words[1], name -> Trips.truth(Trips.records(name, situation.trips)));
            double mean = Double.parseDouble(words[3]);
            all += mean;
            truthOfAll += truth.mean();
            seen.worst = Math.max(seen.worst, Math.abs(mean / truth.mean() - 1));
            List<String> top = Arrays.asList(words[4].split(","));
            seen.hits = (int) Math.min(
                    seen.hits,
                    truth.top().stream().filter(zone -> top.contains("" + zone)).count());
            bytes += Long.parseLong(words[2]) * RECORD_BYTES;
        }
        // All have as many trips, and samples of one size.
        seen.worstTogether = Math.max(seen.worstTogether, Math.abs(all / truthOfAll - 1));
        samples += senders;
        if (lastMicros > 0) {
            seen.megabits.add(bytes * 8.0 / lastMicros);
        }
    }

    private static final long RECORD_BYTES = Trips.bytes();
    private final Map<String, Trips.Summary> truths = new HashMap<>();

    /** The exact traffic that was due while the job ran. */
    private void beside(Situation situation, Seen seen, long from, long to) throws Exception {
        List<String> lines;
        do {
            Thread.sleep(20);
            lines = Files.readAllLines(exactLog, StandardCharsets.UTF_8);
        } while (due(lines.get(lines.size() - 1)) < to);
        if (situation.beside == Beside.FLOWS) {
            // Those that are due in time may be through long after others.
            Thread.sleep(2_000);
            lines = Files.readAllLines(exactLog, StandardCharsets.UTF_8);
        }
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
    private long[] run(int senders, int trips, String method) throws Exception {
        source.write((method + " " + senders + " 0.5 " + trips + "\n").getBytes(StandardCharsets.US_ASCII));
        source.flush();
        answers++;
        List<String> lines = Bottleneck.await(sourceLog, "done", answers);
        return Arrays.stream(lines.get(answers - 1).substring(5).split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /** How a job finds its queue while background traffic follows it upwards, as in figure 12 of the paper. */
    private void line() throws Exception {
        List<String> stages = List.of("4", STAGE, "3", STAGE, "2", STAGE);
        List<String> arguments = new ArrayList<>(List.of(Bottleneck.SINK_ADDRESS, "" + (long) (1.2e6 * megabits)));
        arguments.addAll(stages);
        run(1, Source.RECORDS, "line");
        samples++;
        Path log = network.log("flood");
        Process flood = network.start(Bottleneck.SOURCE, log, Flood.class, arguments.toArray(String[]::new));
        Bottleneck.await(log, "queue", 1);
        int before = Bottleneck.await(sourceLog, "at ", 0).size();
        long[] micros = run(1, LINE_TRIPS, "line");
        samples = Bottleneck.await(sinkLog, "sample", samples + 1).size();
        flood.destroy();
        flood.waitFor();
        List<String> moments = Bottleneck.await(sourceLog, "at ", before);
        double next = 0;
        for (String moment : moments.subList(before, moments.size())) {
            String[] words = moment.split(" ");
            double seconds = Long.parseLong(words[1]) / 1e3;
            if (seconds >= next) {
                next += LINE_STEP;
                String of = String.format(
                        Locale.ROOT,
                        "a job that background traffic follows, after %.2f s: ",
                        Math.rint(seconds * 20) / 20);
                tell(of + "queue", Double.parseDouble(words[2]), "", null, Better.LOWER, "");
                tell(of + "loss", 100 * Double.parseDouble(words[3]), "%", null, Better.LOWER, "");
                tell(of + "loss that it can afford", 100 * Double.parseDouble(words[4]), "%", null, Better.HIGHER, "");
                tell(of + "rate", 8e-6 * Double.parseDouble(words[5]), "Mbit/s", null, Better.HIGHER, "");
            }
        }
        tell("a job that background traffic follows: completion time", micros[1] / 1e3, "ms", null, Better.LOWER, "");
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
                "losses-given-back",
                "no-cap");
        Map<String, Seen> seen = new HashMap<>();
        for (String variant : variants) {
            run(1, Source.RECORDS, variant);
            samples = Bottleneck.await(sinkLog, "sample", samples + 1).size();
            seen.put(variant, new Seen());
        }
        Situation bursts = new Situation("", 1, Source.RECORDS, Beside.BURSTS, 2);
        for (int round = 0; round < bursts.rounds; round++) {
            for (String variant : variants) {
                job(variant, bursts, round, of(seen, variant));
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
                brokers.hours(mode, 1, new Brokers.Seen());
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
                long[] times = brokers.hours(mode, 1, of(seen, mode));
                if (bursts != null) {
                    beside(
                            new Situation("", 1, Source.RECORDS, Beside.BURSTS, 1),
                            beside.computeIfAbsent(mode, unused -> new Seen()),
                            times[0],
                            times[0] + times[1]);
                    bursts.destroy();
                    bursts.waitFor();
                }
            }
        }
        for (String mode : Brokers.MODES) {
            String of = "through a broker, " + situation + ", " + of(TOPICS, mode) + ": ";
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

    /** From the first record until a job of Flink behind the brokers has told the mean of the hour. */
    private void flink(String situation, Brokers brokers, boolean exact) throws Exception {
        double truth =
                Trips.truth(Trips.records(Producing.TOPIC, Source.RECORDS)).mean();
        Map<String, Series> millis = new HashMap<>();
        Map<String, Double> worst = new HashMap<>();
        for (int round = 0; round < FLINK_ROUNDS; round++) {
            for (String mode : Brokers.MODES) {
                Process bursts =
                        exact ? network.start(Bottleneck.SOURCE, exactLog, Exact.class, Bottleneck.SINK_ADDRESS) : null;
                if (bursts != null) {
                    Bottleneck.await(exactLog, "", 5);
                }
                Brokers.Told told = brokers.toldByFlink(mode);
                if (bursts != null) {
                    bursts.destroy();
                    bursts.waitFor();
                }
                // The first is a warm-up.
                if (round > 0) {
                    millis.computeIfAbsent(mode, unused -> new Series()).add(told.micros() / 1e3);
                    worst.merge(mode, 100 * Math.abs(told.mean() / truth - 1), Math::max);
                }
            }
        }
        for (String mode : Brokers.MODES) {
            String of = "through Flink, " + situation + ", " + of(TOPICS, mode) + ": ";
            tell(of + "time until the mean is told", of(millis, mode).median(), "ms", null, Better.LOWER, "");
            Double bound = mode.equals("approx") ? 100 * ALLOWED_ERROR : null;
            tell(of + "worst error of the mean", of(worst, mode), "%", bound, Better.LOWER, "");
        }
        double approx = of(millis, "approx").median();
        String ratio = "through Flink, " + situation + ": time of an approximate topic, of that of ";
        tell(ratio + "all", approx / of(millis, "exact").median(), "times", null, Better.LOWER, "Kafka's own protocol");
        tell(
                ratio + "half",
                approx / of(millis, "sampled").median(),
                "times",
                null,
                Better.LOWER,
                "Kafka's own protocol");
    }

    /** CPU times over a link that holds nobody up, by processes that have run for a while. */
    private void cpu(Brokers brokers) throws Exception {
        Map<String, Brokers.Seen> seen = Brokers.nothingSeen();
        for (int round = 0; round < 4; round++) {
            for (String mode : Brokers.MODES) {
                // The first round is a warm-up.
                brokers.hours(mode, LONG, round == 0 ? new Brokers.Seen() : of(seen, mode));
            }
            brokers.hours(Brokers.UNCAPPED, LONG, round == 0 ? new Brokers.Seen() : of(seen, Brokers.UNCAPPED));
        }
        double approx = cpu(of(seen, "approx"), "approximate topic");
        double uncapped = cpu(of(seen, Brokers.UNCAPPED), "approximate topic with no cap");
        double sampled = cpu(of(seen, "sampled"), "half by Kafka's own protocol");
        double kafka = cpu(of(seen, "exact"), "all by Kafka's own protocol");
        tell(
                "through a broker, long: CPU a byte, of that of Kafka's own path",
                approx / kafka,
                "times",
                1.5,
                Better.LOWER,
                "Kafka's own protocol");
        tell(
                "through a broker, long: CPU of an approximate topic, of that with no cap of the loss aimed at",
                approx / uncapped,
                "times",
                null,
                Better.LOWER,
                "no cap");
        tell(
                "through a broker, long: CPU of an approximate topic, of that of half by Kafka's own protocol",
                approx / sampled,
                "times",
                null,
                Better.LOWER,
                "Kafka's own protocol");
    }

    private double cpu(Brokers.Seen seen, String name) throws IOException {
        String of = "through a broker, long, " + name + ": ";
        double application = seen.application.median();
        double servers = seen.servers.median();
        tell(of + "CPU of the application a record", application, "us", null, Better.LOWER, "");
        tell(of + "CPU of broker and gateway a record", servers, "us", null, Better.LOWER, "");
        tell(of + "completion time", seen.millis.median() / LONG, "ms an hour of trips", null, Better.LOWER, "");
        return application + servers;
    }
}
