package io.leeway.benchmarks.lazytables;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/**
 * What the transport carries: small messages that are answered, and large ones, each with both ends in one process and in two. CPU time is that of all processes that take
 * part. Without arguments the figures go to the results; with {@code try} they are only printed.
 */
public final class TransportFigures {

    private static final String COMMAND = "benchmarks/run io.leeway.benchmarks.lazytables.TransportFigures";
    private static final int SMALL = 32;
    private static final int WINDOW = 256;
    private static final int KEYS = 10_000;
    /** A key of eight bytes and a value of four, as the peer's. */
    private static final int BYTES_PER_KEY = 12;

    private static final int LARGE_WINDOW = 16;
    private static final int ROUNDS = 7;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration ROUND = Duration.ofSeconds(2);

    private TransportFigures() {}

    /** Answers per second of wall time and CPU nanoseconds per answer. */
    private record Rate(double perSecond, double cpuNanos) {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Rate within;
        Rate withinLarge;
        try (EchoServer server = new EchoServer()) {
            within = measure(server.port(), ProcessHandle.current(), SMALL, WINDOW);
            withinLarge = measure(server.port(), ProcessHandle.current(), KEYS * BYTES_PER_KEY, LARGE_WINDOW);
        }
        Rate between;
        Rate betweenLarge;
        try (PortProcess server = PortProcess.start(EchoServer.class)) {
            between = measure(server.port(), server.handle(), SMALL, WINDOW);
            betweenLarge = measure(server.port(), server.handle(), KEYS * BYTES_PER_KEY, LARGE_WINDOW);
        }
        if (args.length > 0 && args[0].equals("try")) {
            System.out.printf("one process:   %s%n               %s%n", within, withinLarge);
            System.out.printf("two processes: %s%n               %s%n", between, betweenLarge);
            return;
        }
        record(within, between, withinLarge, betweenLarge);
    }

    private static void record(Rate within, Rate between, Rate withinLarge, Rate betweenLarge) throws IOException {
        String peer = "ps-lite: 202,000 one-key pushes/s with a window of 64, 92 M keys/s with 10,000 keys";
        Recorder.of("lazytables", COMMAND)
                .record(
                        "small messages answered, window 256, two processes",
                        between.perSecond,
                        "/s",
                        600_000.0,
                        Better.HIGHER,
                        peer)
                .record(
                        "CPU time per small message answered, two processes",
                        between.cpuNanos,
                        "ns",
                        null,
                        Better.LOWER,
                        "")
                .record(
                        "small messages answered, window 256, one process",
                        within.perSecond,
                        "/s",
                        600_000.0,
                        Better.HIGHER,
                        peer)
                .record(
                        "CPU time per small message answered, one process",
                        within.cpuNanos,
                        "ns",
                        null,
                        Better.LOWER,
                        "")
                .record(
                        "keys carried in messages of 10,000, two processes",
                        betweenLarge.perSecond * KEYS / 1e6,
                        "M/s",
                        90.0,
                        Better.HIGHER,
                        peer)
                .record(
                        "CPU time per key carried, two processes",
                        betweenLarge.cpuNanos / KEYS,
                        "ns",
                        null,
                        Better.LOWER,
                        "")
                .record(
                        "keys carried in messages of 10,000, one process",
                        withinLarge.perSecond * KEYS / 1e6,
                        "M/s",
                        90.0,
                        Better.HIGHER,
                        peer)
                .record(
                        "CPU time per key carried, one process",
                        withinLarge.cpuNanos / KEYS,
                        "ns",
                        null,
                        Better.LOWER,
                        "");
    }

    /** The medians of some rounds. */
    private static Rate measure(int port, ProcessHandle server, int bytes, int window) throws InterruptedException {
        try (EchoClient client = new EchoClient(port, bytes, window)) {
            Thread.sleep(WARM_UP.toMillis());
            double[] rates = new double[ROUNDS];
            double[] cpus = new double[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                long answers = client.answers();
                long cpu = CpuTime.with(server);
                long time = System.nanoTime();
                Thread.sleep(ROUND.toMillis());
                double passed = System.nanoTime() - time;
                long done = client.answers() - answers;
                rates[i] = done * 1e9 / passed;
                cpus[i] = (CpuTime.with(server) - cpu) / (double) Math.max(1, done);
            }
            Arrays.sort(rates);
            Arrays.sort(cpus);
            return new Rate(rates[ROUNDS / 2], cpus[ROUNDS / 2]);
        }
    }
}
