package io.leeway.benchmarks.approx;

import io.leeway.approx.ApproxOptions;
import io.leeway.approx.WindowReport;
import io.leeway.approx.internal.gateway.GatewayServer;
import io.leeway.approx.internal.gateway.Sink;
import io.leeway.approx.internal.net.FlowClient;
import io.leeway.approx.internal.net.FlowState;
import io.leeway.approx.internal.wire.RecordData;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** What the processes in the namespaces do. */
public final class Roles {

    private static final int PORT = 7_000;
    private static final int WARM_UPS = 8;
    private static final String GATEWAY = "9096";
    private static final int BURST = 125_000;
    private static final long BETWEEN_MILLIS = 50;

    private Roles() {}

    /** Runs one: sink, exact, tcp or atp, and its arguments. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "sink" -> sink(arguments[1]);
            case "exact" -> exact(arguments[1]);
            case "tcp" -> tcp(arguments[1], Long.parseLong(arguments[2]));
            default -> atp(arguments[1], arguments[2], Integer.parseInt(arguments[3]), arguments[4]);
        }
    }

    /** A gateway that writes nowhere, and a server that answers each block of bytes with one. */
    private static void sink(String directory) throws IOException {
        ApproxOptions options = ApproxOptions.of(Map.of(
                "approx.gateway.listen",
                "0.0.0.0:" + GATEWAY,
                "approx.keystore",
                directory + "/keys.p12",
                "approx.keystore.password",
                "changeit",
                "approx.token",
                "a token of enough length"));
        GatewayServer gateway = new GatewayServer(options, new Sink() {
            @Override
            public void write(RecordData record, Runnable done) {
                done.run();
            }

            @Override
            public void report(WindowReport report) {
                System.out.println(report.toJson());
            }
        });
        try (ServerSocket server = new ServerSocket(PORT)) {
            System.out.println("ready " + gateway.port());
            while (true) {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> answer(socket));
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void answer(Socket socket) {
        try (socket;
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            byte[] buffer = new byte[1 << 16];
            while (true) {
                for (long left = in.readLong(); left > 0; ) {
                    int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                    if (read < 0) {
                        return;
                    }
                    left -= read;
                }
                socket.getOutputStream().write(1);
            }
        } catch (IOException e) {
            // The other side is done.
        }
    }

    /** Bursts of exact traffic until it is stopped; each line is how long one took, in microseconds. */
    private static void exact(String host) throws Exception {
        try (Socket socket = new Socket(host, PORT)) {
            socket.setTcpNoDelay(true);
            while (true) {
                System.out.println(block(socket, BURST) / 1_000);
                Thread.sleep(BETWEEN_MILLIS);
            }
        }
    }

    private static long block(Socket socket, long bytes) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        byte[] buffer = new byte[1 << 16];
        long begin = System.nanoTime();
        out.writeLong(bytes);
        for (long left = bytes; left > 0; left -= buffer.length) {
            out.write(buffer, 0, (int) Math.min(left, buffer.length));
        }
        out.flush();
        if (socket.getInputStream().read() < 0) {
            throw new IOException("the sink is gone");
        }
        return System.nanoTime() - begin;
    }

    /** The sample over TCP: with early stop and with sampling it is the same number of bytes. */
    private static void tcp(String host, long bytes) throws IOException {
        try (Socket socket = new Socket(host, PORT)) {
            System.out.println("jct " + block(socket, bytes) / 1_000);
        }
    }

    /** The same by ATP. */
    private static void atp(String host, String directory, int records, String rate) throws Exception {
        ApproxOptions options = ApproxOptions.of(Map.of(
                "approx.gateway", host + ":" + GATEWAY,
                "approx.trust", directory + "/trust.p12",
                "approx.trust.password", "changeit",
                "approx.token", "a token of enough length",
                "approx.topics", "trips(msr=0.5;window=1h)",
                "approx.rate.max", rate,
                "approx.deadline", "10m",
                "approx.mode", "atp"));
        try (FlowClient flow = new FlowClient(options, report -> {})) {
            flow.start();
            while (!(flow.state() instanceof FlowState.Up up && up.datagrams())) {
                Thread.sleep(10);
            }
            List<RecordData> all = new ArrayList<>();
            byte[] value = new byte[1_000];
            Arrays.fill(value, (byte) 'x');
            for (int i = 0; i < records; i++) {
                all.add(new RecordData("trips", 0, 1_000, new byte[0], value, List.of()));
            }
            // A producer runs for days: the first jobs warm the process up.
            for (int i = 0; i < WARM_UPS; i++) {
                System.out.println("warm-up " + job(flow, all));
            }
            System.out.println("jct " + job(flow, all));
            io.leeway.approx.atp.FlowState numbers = flow.numbers();
            System.out.println(numbers);
        }
    }

    private static long job(FlowClient flow, List<RecordData> records) throws InterruptedException {
        long begin = System.nanoTime();
        CountDownLatch taken = new CountDownLatch(1);
        flow.submit(records, done -> taken.countDown());
        taken.await();
        if (!flow.drain(120_000)) {
            throw new IllegalStateException("the job is not complete");
        }
        return (System.nanoTime() - begin) / 1_000;
    }
}
