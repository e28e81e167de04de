package io.leeway.benchmarks.approx;

import io.leeway.approx.ApproxCommand;
import io.leeway.approx.ApproxConfigProvider;
import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The same hours through a real broker behind the bottleneck, with a gateway beside it. */
final class Brokers {

    static final List<String> MODES = List.of("approx", "sampled", "exact");

    /** An approximate topic, by a rate that aims at any loss. */
    static final String UNCAPPED = "no-cap";

    private static final int GATEWAY = 9_097;
    private static final String BROKER = Bottleneck.SINK_ADDRESS + ":9092";

    /** What the hours by one mode took. */
    static final class Seen {
        final Series millis = new Series();
        final Series application = new Series();
        final Series servers = new Series();
    }

    private final Process broker;
    private final Process gateway;
    private final OutputStream application;
    private final Path answers;
    private final Path directory;
    private final Bottleneck network;
    private final Map<String, Integer> produced = new HashMap<>();
    private int count;
    private int later;
    private @Nullable Path flink;

    Brokers(Bottleneck network, Path directory, long portRate) throws IOException, InterruptedException {
        this.network = network;
        this.directory = directory;
        Path properties = directory.resolve("server.properties");
        Files.writeString(
                properties,
                String.join(
                        "\n",
                        "process.roles=broker,controller",
                        "node.id=1",
                        "controller.quorum.voters=1@127.0.0.1:9093",
                        "listeners=PLAINTEXT://" + BROKER + ",CONTROLLER://127.0.0.1:9093",
                        "advertised.listeners=PLAINTEXT://" + BROKER,
                        "controller.listener.names=CONTROLLER",
                        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "log.dirs=" + directory.resolve("data"),
                        "offsets.topic.replication.factor=1",
                        "transaction.state.log.replication.factor=1",
                        "transaction.state.log.min.isr=1",
                        "log.retention.ms=-1",
                        "log.cleaner.dedupe.buffer.size=4194304",
                        ""));
        network.start(
                        Bottleneck.SINK,
                        network.log("format"),
                        "kafka.tools.StorageTool",
                        "format",
                        "-t",
                        "MkU3OEVBNTcwNTJENDM2Qk",
                        "-c",
                        properties.toString())
                .waitFor();
        broker = network.start(Bottleneck.SINK, network.log("broker"), "kafka.Kafka", properties.toString());
        gateway = network.start(
                Bottleneck.SINK,
                network.log("gateway"),
                ApproxCommand.class.getName(),
                "gateway",
                "--bootstrap=" + BROKER,
                "--gateway.listen=0.0.0.0:" + GATEWAY,
                "--keystore=" + directory.resolve("keys.p12"),
                "--keystore.password=changeit",
                "--token=" + Sink.TOKEN);
        Bottleneck.await(network.log("gateway"), "gateway", 1);
        answers = network.log("producing");
        application = network.start(
                        Bottleneck.SOURCE,
                        answers,
                        Producing.class.getName(),
                        BROKER,
                        Bottleneck.SINK_ADDRESS + ":" + GATEWAY,
                        directory.toString(),
                        "" + portRate)
                .getOutputStream();
        Bottleneck.await(answers, "ready", 1);
    }

    /** Some hours at a stretch; when they began and how long they took, in microseconds. */
    long[] hours(String mode, int hours, Seen seen) throws IOException, InterruptedException {
        return hours(mode, hours, 0, seen);
    }

    private long[] hours(String mode, int hours, int later, Seen seen) throws IOException, InterruptedException {
        long before = servers();
        produced.merge(mode, hours, Integer::sum);
        application.write((mode + " " + hours + " " + later + "\n").getBytes(StandardCharsets.US_ASCII));
        application.flush();
        count++;
        String line = Bottleneck.await(answers, "done", count).get(count - 1);
        long[] words = Arrays.stream(line.substring(5).split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
        seen.millis.add(words[1] / 1e3);
        seen.application.add(words[2] / 1e3 / Source.RECORDS / hours);
        seen.servers.add((servers() - before) / 1e3 / Source.RECORDS / hours);
        return new long[] {words[0], words[1]};
    }

    /** What Flink told of an hour: when after its first record was produced, in microseconds, and the mean distance. */
    record Told(long micros, double mean) {}

    /** One hour until a job of Flink has told its mean. */
    Told toldByFlink(String mode) throws IOException, InterruptedException {
        Path log = flink();
        later++;
        long begin = hours(mode, 1, later, new Seen())[0];
        // Windows of exact topics are numbered; those of the approximate one are told by their hour, once all of it is
        // there.
        boolean approximate = mode.equals("approx");
        String which = approximate
                ? "approx " + (Trips.MIDNIGHT + later * Trips.HOUR) + " " + Source.RECORDS + " "
                : mode + " ";
        int number = approximate ? 1 : produced.getOrDefault(mode, 0);
        String[] words = Bottleneck.await(log, which, number).get(number - 1).split(" ");
        return new Told(Long.parseLong(words[4]) - begin, Double.parseDouble(words[3]));
    }

    private Path flink() throws IOException, InterruptedException {
        if (flink == null) {
            Path properties = directory.resolve("flink.properties");
            String parameter = "config.providers.approx.param.";
            Files.writeString(
                    properties,
                    String.join(
                            "\n",
                            "config.providers=approx",
                            "config.providers.approx.class=" + ApproxConfigProvider.class.getName(),
                            parameter + "upstream=" + BROKER,
                            parameter + "gateway=" + Bottleneck.SINK_ADDRESS + ":" + GATEWAY,
                            parameter + "topics=trips(msr=0.5;window=1h;value=json:distance)",
                            parameter + "token=" + Sink.TOKEN,
                            parameter + "trust=" + directory.resolve("trust.p12"),
                            parameter + "trust.password=changeit",
                            "bootstrap.servers=${approx:bootstrap}",
                            ""));
            flink = network.log("flink");
            network.start(Bottleneck.SINK, flink, Flinking.class, properties.toString(), BROKER);
            Bottleneck.await(flink, "running", 1);
        }
        return flink;
    }

    private long servers() {
        return cpu(broker) + cpu(gateway);
    }

    private static long cpu(Process process) {
        return process.info().totalCpuDuration().orElseThrow().toNanos();
    }

    static Map<String, Seen> nothingSeen() {
        Map<String, Seen> seen = new HashMap<>();
        MODES.forEach(mode -> seen.put(mode, new Seen()));
        seen.put(UNCAPPED, new Seen());
        return seen;
    }
}
