package io.leeway.benchmarks.approx;

import io.leeway.approx.ApproxCommand;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Half of 8,000 records of 1,000 bytes over a bottleneck of 50 Mbit/s between network namespaces, by ATP and by TCP
 * (cubic), with and without bursts of exact traffic beside it. Needs root, ip and tc. One run; prints and records.
 */
public final class BottleneckFigures {

    private static final int RECORDS = 8_000;
    private static final int MEGABITS = 50;
    private static final int ROUNDS = 5;
    private static final String SINK = "10.77.2.2";

    private static final List<String> NETWORK = List.of(
            "ip netns add apxs",
            "ip netns add apxr",
            "ip netns add apxd",
            "ip link add apx0 netns apxs type veth peer name apx1 netns apxr",
            "ip link add apx2 netns apxr type veth peer name apx3 netns apxd",
            "ip -n apxs addr add 10.77.1.2/24 dev apx0",
            "ip -n apxr addr add 10.77.1.1/24 dev apx1",
            "ip -n apxr addr add 10.77.2.1/24 dev apx2",
            "ip -n apxd addr add 10.77.2.2/24 dev apx3",
            "ip -n apxs link set apx0 up gso_max_segs 1",
            "ip -n apxr link set apx1 up",
            "ip -n apxr link set apx2 up",
            "ip -n apxd link set apx3 up gso_max_segs 1",
            "ip -n apxs route add default via 10.77.1.1 congctl cubic",
            "ip -n apxd route add default via 10.77.2.1 congctl cubic",
            "ip netns exec apxr sysctl -qw net.ipv4.ip_forward=1");

    private final Path directory;

    private BottleneckFigures(Path directory) {
        this.directory = directory;
    }

    /** Measures all. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory("approx-bench-");
        BottleneckFigures figures = new BottleneckFigures(directory);
        try {
            figures.measure(arguments.length > 0 && arguments[0].equals("trial"));
        } finally {
            for (String name : List.of("apxs", "apxr", "apxd")) {
                new ProcessBuilder("ip", "netns", "del", name).start().waitFor();
            }
        }
    }

    private void shell(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-ec", command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + command);
        }
    }

    private Process role(String namespace, Path log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "ip",
                "netns",
                "exec",
                namespace,
                // What else the machine does would hold up a sender in user space, and hardly TCP in the kernel.
                "nice",
                "-n",
                "-15",
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Roles.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private void measure(boolean trial) throws Exception {
        for (String command : NETWORK) {
            shell(command);
        }
        Path queues = directory.resolve("queues.sh");
        Process made = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ApproxCommand.class.getName(),
                        "queues",
                        "--interface=apx2",
                        "--rate=" + MEGABITS)
                .redirectOutput(queues.toFile())
                .start();
        made.waitFor();
        shell("ip netns exec apxr sh -e " + queues);
        shell(System.getProperty("java.home") + "/bin/java -cp " + System.getProperty("java.class.path") + " "
                + ApproxCommand.class.getName() + " keys --directory=" + directory + " --names=ip:" + SINK
                + " --password=changeit");
        Path sinkLog = directory.resolve("sink.txt");
        Process sink = role("apxd", sinkLog, "sink", directory.toString());
        try {
            waitFor(sinkLog, "ready");
            String command = "build/bench " + BottleneckFigures.class.getName();
            Recorder recorder = trial ? null : Recorder.of("approx", command);
            for (boolean congested : new boolean[] {false, true}) {
                compare(congested, recorder);
            }
        } finally {
            sink.destroy();
        }
    }

    private void compare(boolean congested, @org.jspecify.annotations.Nullable Recorder recorder) throws Exception {
        Series atp = new Series();
        Series tcp = new Series();
        Series whole = new Series();
        Series besideAtp = new Series();
        Series besideTcp = new Series();
        Series besideWhole = new Series();
        // In turns, so that what else the machine does hits both alike.
        for (int round = 0; round < ROUNDS; round++) {
            atp.add(job(
                    congested, besideAtp, "atp", SINK, directory.toString(), "" + RECORDS, "" + 2_000_000 * MEGABITS));
            tcp.add(job(congested, besideTcp, "tcp", SINK, "" + RECORDS / 2 * 1_000L));
            whole.add(job(congested, besideWhole, "tcp", SINK, "" + RECORDS * 1_000L));
        }
        String traffic = congested ? "beside bursts of exact traffic" : "alone";
        tell(recorder, "job completion time of half of 8 MB over 50 Mbit/s, " + traffic + ", ATP", atp.median());
        tell(recorder, "job completion time of half of 8 MB over 50 Mbit/s, " + traffic + ", TCP", tcp.median());
        tell(
                recorder,
                "job completion time of half of 8 MB over 50 Mbit/s, " + traffic + ", all 8 MB by TCP",
                whole.median());
        if (congested) {
            tell(recorder, "time of a burst of 125 kB of exact traffic, beside ATP", besideAtp.median());
            tell(recorder, "time of a burst of 125 kB of exact traffic, beside TCP", besideTcp.median());
            tell(recorder, "time of a burst of 125 kB of exact traffic, beside all 8 MB by TCP", besideWhole.median());
            tell(
                    recorder,
                    "99th percentile of a burst of 125 kB of exact traffic, beside ATP",
                    besideAtp.quantile(0.99));
            tell(
                    recorder,
                    "99th percentile of a burst of 125 kB of exact traffic, beside TCP",
                    besideTcp.quantile(0.99));
        }
    }

    private static void tell(@org.jspecify.annotations.Nullable Recorder recorder, String name, double millis)
            throws IOException {
        System.out.printf("%s: %.1f ms%n", name, millis);
        if (recorder != null) {
            recorder.record(name, millis, "ms", null, Better.LOWER, "");
        }
    }

    private double job(boolean congested, Series bursts, String... role) throws Exception {
        Path exactLog = directory.resolve("exact.txt");
        Process exact = congested ? role("apxs", exactLog, "exact", SINK) : null;
        try {
            if (exact != null) {
                waitFor(exactLog, "\n");
            }
            int before = exact == null ? 0 : Files.readAllLines(exactLog).size();
            Path log = directory.resolve("job.txt");
            Process job = role("apxs", log, role);
            if (!job.waitFor(150, TimeUnit.SECONDS)) {
                job.destroyForcibly();
            }
            String text = Files.readString(log, StandardCharsets.UTF_8);
            if (!text.contains("jct ")) {
                throw new IOException(text);
            }
            System.out.print(role[0] + ": " + text);
            double millis =
                    Long.parseLong(text.substring(text.indexOf("jct ") + 4).split("\\s")[0]) / 1e3;
            if (exact != null) {
                List<String> lines = Files.readAllLines(exactLog);
                // Those while the job ran: its process starts and ends beside it.
                int during = (int) Math.min(lines.size() - before, millis / 40);
                for (String line : lines.subList(Math.max(before, lines.size() - during), lines.size())) {
                    bursts.add(Long.parseLong(line) / 1e3);
                }
            }
            return millis;
        } finally {
            if (exact != null) {
                exact.destroy();
                exact.waitFor();
            }
        }
    }

    private static void waitFor(Path log, String text) throws Exception {
        long until = System.nanoTime() + 60_000_000_000L;
        while (!Files.exists(log) || !Files.readString(log).contains(text)) {
            if (System.nanoTime() > until) {
                throw new IOException("nothing from " + log);
            }
            Thread.sleep(20);
        }
    }
}
