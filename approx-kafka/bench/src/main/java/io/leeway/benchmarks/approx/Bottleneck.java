package io.leeway.benchmarks.approx;

import io.leeway.approx.ApproxCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Three network namespaces, source, router and sink, with a bottleneck on the router's way to the sink, whose queues are
 * those that {@code bin/approx queues} prints. Needs root, ip and tc.
 */
final class Bottleneck implements AutoCloseable {

    static final String SOURCE = "apxs";
    static final String ROUTER = "apxr";
    static final String SINK = "apxd";
    static final String SINK_ADDRESS = "10.77.2.2";
    static final int DEEP = 500;

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
            "ip -n apxs link set lo up",
            "ip -n apxd link set lo up",
            // A queue counts what comes as one packet, so none must come in one piece that is many.
            "ip -n apxs link set apx0 up gso_max_segs 1",
            "ip -n apxr link set apx1 up",
            "ip -n apxr link set apx2 up",
            "ip -n apxd link set apx3 up gso_max_segs 1",
            "ip -n apxs route add default via 10.77.1.1 congctl cubic",
            "ip -n apxd route add default via 10.77.2.1 congctl cubic",
            "ip netns exec apxr sysctl -qw net.ipv4.ip_forward=1");

    private final Path directory;
    private final List<Process> processes = new ArrayList<>();

    Bottleneck(Path directory, int megabits) throws IOException, InterruptedException {
        this.directory = directory;
        remove();
        for (String command : NETWORK) {
            shell(command);
        }
        rate(megabits);
        approx("keys --directory=" + directory + " --names=ip:" + SINK_ADDRESS + " --password=changeit");
    }

    /** What the link carries; its queues are those that the command line prints. */
    void rate(int megabits) throws IOException, InterruptedException {
        Path queues = directory.resolve("queues.sh");
        approx("queues --interface=apx2 --rate=" + megabits + " > " + queues);
        shell("ip netns exec apxr sh -ec 'tc qdisc del dev apx2 root 2> /dev/null || true; . " + queues + "'");
    }

    /** How many packets the queue of exact traffic holds. */
    void depth(int packets) throws IOException, InterruptedException {
        shell("ip netns exec apxr tc qdisc change dev apx2 parent 1:10 handle 10: pfifo limit " + packets);
    }

    private void approx(String arguments) throws IOException, InterruptedException {
        shell(System.getProperty("java.home") + "/bin/java -cp " + System.getProperty("java.class.path") + " "
                + ApproxCommand.class.getName() + " " + arguments);
    }

    static void shell(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-ec", command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + command);
        }
    }

    /** A program of this class path in a namespace. */
    Process start(String namespace, Path log, Class<?> main, String... arguments) throws IOException {
        return start(namespace, log, main.getName(), arguments);
    }

    /** The same, by its name. */
    Process start(String namespace, Path log, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "ip",
                "netns",
                "exec",
                namespace,
                // What else the machine does would hold up a sender in user space, and hardly TCP in the kernel.
                "chrt",
                "-r",
                "5",
                System.getProperty("java.home") + "/bin/java",
                "-Xmx800m",
                // Else the type of service of a TCP socket is that of IPv6.
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                System.getProperty("java.class.path"),
                main));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        processes.add(process);
        return process;
    }

    Path log(String name) {
        return directory.resolve(name + ".txt");
    }

    /** The lines of a log, once there are so many that begin so. */
    static List<String> await(Path log, String begin, int count) throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        while (System.nanoTime() < until) {
            if (Files.exists(log)) {
                List<String> lines = Files.readAllLines(log).stream()
                        .filter(line -> line.startsWith(begin))
                        .toList();
                if (lines.size() >= count) {
                    return lines;
                }
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        throw new IOException("no " + count + " lines \"" + begin + "\" in " + Files.readString(log));
    }

    /** Bytes that have passed the bottleneck in the queues of approximate traffic, or in that of other traffic. */
    long passed(boolean approximate) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder("ip", "netns", "exec", ROUTER, "tc", "-s", "class", "show", "dev", "apx2").start();
        long bytes = 0;
        int leaf = -1;
        for (String line : new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
            if (line.startsWith("class htb 1:1") && line.charAt(13) != ' ') {
                leaf = line.charAt(13) - '0';
            } else if (line.startsWith("class")) {
                leaf = -1;
            } else if (line.startsWith(" Sent") && leaf >= 0 && leaf > 0 == approximate) {
                bytes += Long.parseLong(line.split(" ")[2]);
            }
        }
        process.waitFor();
        return bytes;
    }

    private static void remove() throws IOException, InterruptedException {
        for (String name : List.of(SOURCE, ROUTER, SINK)) {
            new ProcessBuilder("ip", "netns", "del", name)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            process.waitFor();
        }
        remove();
    }
}
