package io.leeway.approx;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Three network namespaces, source, router and destination, with the queues that {@code bin/approx queues} prints on the
 * router's way to the destination. Needs root, ip and tc; see {@link #missing}.
 */
final class Namespaces implements AutoCloseable {

    static final String DESTINATION = "10.78.2.2";

    private static final int MEGABITS = 100;

    private final Path directory;
    private final String prefix = "apt" + ProcessHandle.current().pid() % 100_000;
    private final List<Process> processes = new ArrayList<>();

    Namespaces(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        try {
            for (String namespace : List.of("s", "r", "d")) {
                shell("ip netns add " + prefix + namespace);
                shell("ip -n " + prefix + namespace + " link set lo up");
            }
            shell("ip link add a0 netns " + prefix + "s type veth peer name a1 netns " + prefix + "r");
            shell("ip link add a2 netns " + prefix + "r type veth peer name a3 netns " + prefix + "d");
            address("s", "a0", "10.78.1.2");
            address("r", "a1", "10.78.1.1");
            address("r", "a2", "10.78.2.1");
            address("d", "a3", DESTINATION);
            shell("ip -n " + prefix + "s route add default via 10.78.1.1");
            shell("ip -n " + prefix + "d route add default via 10.78.2.1");
            shell("ip netns exec " + prefix + "r sysctl -qw net.ipv4.ip_forward=1");
            Path script = directory.resolve("queues.sh");
            Files.writeString(script, Queues.script("a2", MEGABITS));
            shell("ip netns exec " + prefix + "r sh -e " + script);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Why there can be no namespaces here; empty if there can. */
    static String missing() {
        try {
            String name = "aptry" + ProcessHandle.current().pid() % 100_000;
            shell("command -v tc");
            shell("ip netns add " + name);
            shell("ip netns del " + name);
            return "";
        } catch (IOException e) {
            return "network namespaces need root, ip and tc: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private void address(String namespace, String device, String address) throws IOException, InterruptedException {
        shell("ip -n " + prefix + namespace + " addr add " + address + "/24 dev " + device);
        shell("ip -n " + prefix + namespace + " link set " + device + " up");
    }

    /** Changes the router's way to the destination: {@code down}, {@code up}, {@code mtu 600}. */
    void link(String change) throws IOException, InterruptedException {
        shell("ip -n " + prefix + "r link set a2 " + change);
        if (change.startsWith("mtu")) {
            // Else what the far end sends would be dropped, and nobody told.
            shell("ip -n " + prefix + "d link set a3 " + change);
        }
    }

    /** Has the router's way to the source reorder, double and damage; an {@code IOException} if the kernel cannot. */
    void weather(String netem) throws IOException, InterruptedException {
        shell("ip netns exec " + prefix + "s tc qdisc add dev a0 root netem " + netem);
    }

    private static void shell(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + ": " + said.strip());
        }
    }

    /** A program of the tests' class path in a namespace, "s" or "d". */
    Program start(String namespace, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", prefix + namespace));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dio.netty.leakDetection.level=paranoid",
                "-Dio.leeway.approx.shaded.io.netty.leakDetection.level=paranoid",
                "-cp",
                KafkaServer.classPath(),
                main.getName()));
        command.addAll(List.of(arguments));
        Path log = Files.createTempFile(directory, "log-", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        processes.add(process);
        return new Program(process, log);
    }

    /** A process in a namespace, and what it said. */
    record Program(Process process, Path log) {

        void tell(String line) throws IOException {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }

        /** Waits for so many lines that begin so; the last of them. */
        String await(String begin, int count) throws IOException, InterruptedException {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (System.nanoTime() < until && process.isAlive()) {
                List<String> lines = Files.readAllLines(log).stream()
                        .filter(line -> line.startsWith(begin))
                        .toList();
                if (lines.size() >= count) {
                    return lines.get(count - 1);
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
            throw new IOException("no " + count + " lines \"" + begin + "\": " + Files.readString(log));
        }

        /** As kill -9 would; ip netns exec has become the program. */
        void kill() throws InterruptedException {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            process.waitFor();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (Process process : processes) {
            new Program(process, directory).kill();
        }
        for (String namespace : List.of("s", "r", "d")) {
            new ProcessBuilder("ip", "netns", "del", prefix + namespace)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }
}
