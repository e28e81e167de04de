package io.leeway.benchmarks.lazytables;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/**
 * What the transport carries: small messages that are answered, and large ones, each with both ends in one process and in two. CPU time is that of all processes that take
 * part.
 */
record TransportFigures(Measuring measuring) {

    /** Its own figures of one day on the same kind of machine: tables took them, where ours are messages alone. */
    private static final String PEER = "ps-lite, measured apart, with tables that take what is carried:"
            + " 202,000 one-key pushes/s with a window of 64, 92 M keys/s with 10,000 keys";

    private static final int SMALL = 32;
    private static final int WINDOW = 256;
    private static final int KEYS = 10_000;
    /** A key of eight bytes and a value of four, as the peer's. */
    private static final int BYTES_PER_KEY = 12;

    private static final int LARGE_WINDOW = 16;
    private static final int ROUNDS = 5;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration ROUND = Duration.ofSeconds(1);

    /** Answers per second of wall time and CPU nanoseconds per answer. */
    private record Rate(double perSecond, double cpuNanos) {}

    void run() throws IOException, InterruptedException {
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
        record(", two processes", between, betweenLarge);
        record(", one process", within, withinLarge);
    }

    private void record(String where, Rate small, Rate large) throws IOException {
        measuring.higher("small messages answered, window 256" + where, small.perSecond, "/s", 600_000.0, PEER);
        measuring.lower("CPU time per small message answered" + where, small.cpuNanos, "ns", null, "");
        measuring.higher("keys carried in messages of 10,000" + where, large.perSecond * KEYS / 1e6, "M/s", 90.0, PEER);
        measuring.lower("CPU time per key carried" + where, large.cpuNanos / KEYS, "ns", null, "");
    }

    /** The medians of some rounds. */
    private Rate measure(int port, ProcessHandle server, int bytes, int window) throws InterruptedException {
        try (EchoClient client = new EchoClient(port, bytes, window)) {
            Thread.sleep(measuring.time(WARM_UP).toMillis());
            double[] rates = new double[ROUNDS];
            double[] cpus = new double[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                long answers = client.answers();
                long cpu = CpuTime.with(server);
                long time = System.nanoTime();
                Thread.sleep(measuring.time(ROUND).toMillis());
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
