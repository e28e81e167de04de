package io.leeway.benchmarks.approx;

import io.leeway.approx.ApproxOptions;
import io.leeway.approx.atp.AtpConfig;
import io.leeway.approx.atp.GroupSpec;
import io.leeway.approx.internal.net.FlowClient;
import io.leeway.approx.internal.net.FlowState;
import io.leeway.approx.internal.wire.RecordData;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * The near end: on each line of input, {@code method senders rate trips}, as many senders as that move the sample of their
 * hour of so many trips by that method, all at once: es, ss, low (ss in the highest queue of approximate traffic), udp, line (ATP, with a line {@code at} for each moment: the time, queue, loss, target, rate, round trip), or a variant of ATP. The answer is {@code done}, when they began, and how long each took, in microseconds; -1 if
 * it never came to the rate.
 */
public final class Source {

    static final int RECORDS = 40_000;

    private static final int DATAGRAM = 1_400;
    private static final int HIGHEST_OF_APPROXIMATE = 0xE8;
    private static final long TICK_MILLIS = 50;
    private static final long PATIENCE_MILLIS = 60_000;

    private final String host;
    private final String directory;
    private final String portRate;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, FlowClient> flows = new HashMap<>();
    private final Map<String, List<RecordData>> records = new HashMap<>();

    private Source(String host, String directory, String portRate) {
        this.host = host;
        this.directory = directory;
        this.portRate = portRate;
    }

    /** Arguments: the host, where the keys are, the rate of the port in bits a second. Ends when its input ends. */
    public static void main(String[] arguments) throws Exception {
        Source source = new Source(arguments[0], arguments[1], arguments[2]);
        System.out.println("ready");
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                source.jobs(words[0], Integer.parseInt(words[1]), words[2], Integer.parseInt(words[3]));
            }
        }
        System.exit(0);
    }

    /** One sender's job; the answer is how long it took, in nanoseconds. */
    private interface Job {
        long run() throws Exception;
    }

    private void jobs(String method, int senders, String msr, int count) throws Exception {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            jobs.add(prepare(method, i, msr, count));
        }
        long begin = System.nanoTime();
        List<Future<Long>> running = new ArrayList<>();
        for (Job job : jobs) {
            running.add(threads.submit(job::run));
        }
        StringBuilder line = new StringBuilder("done " + begin / 1_000);
        for (Future<Long> each : running) {
            long nanos = each.get();
            line.append(' ').append(nanos < 0 ? -1 : nanos / 1_000);
        }
        System.out.println(line);
    }

    /** What the flow is like, every tick, while the job runs. */
    private Job watched(Job job, String flow) {
        return () -> {
            long begin = System.nanoTime();
            Future<Long> running = threads.submit(job::run);
            while (!running.isDone()) {
                Thread.sleep(TICK_MILLIS);
                io.leeway.approx.atp.FlowState now = of(flow).numbers();
                if (now != null && now.openJobs() > 0) {
                    System.out.printf(
                            java.util.Locale.ROOT,
                            "at %d %d %.4f %.4f %d %d%n",
                            (System.nanoTime() - begin) / 1_000_000,
                            now.queue(),
                            now.loss(),
                            now.target(),
                            (long) now.rate(),
                            now.rtt() / 1_000);
                }
            }
            return running.get();
        };
    }

    private FlowClient of(String flow) {
        return java.util.Objects.requireNonNull(flows.get(flow), flow);
    }

    private Job prepare(String method, int sender, String msr, int count) throws Exception {
        String name = method + "-" + sender + "-" + count;
        List<RecordData> all = records.computeIfAbsent(name, unused -> Trips.records(name, count));
        int need = (int) GroupSpec.need(Double.parseDouble(msr), count);
        return switch (method) {
            case "es" -> tcp(name, all, need, 0);
            case "ss" -> tcp(name, sample(all, need, sender), need, 0);
            case "low" -> tcp(name, sample(all, need, sender), need, HIGHEST_OF_APPROXIMATE);
            case "udp" -> udp(name, all, need);
            case "line" -> watched(atp(method, name, all, msr), name + msr);
            default -> atp(method, name, all, msr);
        };
    }

    private static List<RecordData> sample(List<RecordData> all, int need, int sender) {
        List<RecordData> sample = new ArrayList<>(all);
        Collections.shuffle(sample, new Random(sender));
        return sample.subList(0, need);
    }

    private Job tcp(String name, List<RecordData> sent, int need, int typeOfService) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(
                sent.stream().mapToInt(record -> 2 + record.encode().length).sum());
        sent.forEach(record -> {
            byte[] encoded = record.encode();
            bytes.putShort((short) encoded.length).put(encoded);
        });
        Socket socket = new Socket(host, Sink.PORT);
        socket.setTrafficClass(typeOfService);
        socket.setTcpNoDelay(true);
        // What was sent beyond the sample is not worth a place in the queue.
        socket.setSoLinger(true, 0);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeUTF("sample");
        out.writeUTF(name);
        out.writeInt(need);
        return () -> {
            long begin = System.nanoTime();
            Future<?> writing = threads.submit(() -> {
                try {
                    out.write(bytes.array());
                } catch (IOException e) {
                    // It was stopped early.
                }
            });
            try (socket) {
                if (socket.getInputStream().read() != 1) {
                    throw new IOException("the sink is gone");
                }
                return System.nanoTime() - begin;
            } finally {
                socket.close();
                writing.get();
            }
        };
    }

    /** At the rate of the port, once, come what may. */
    private Job udp(String name, List<RecordData> all, int need) throws IOException {
        List<byte[]> datagrams = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.allocate(DATAGRAM);
        byte[] of = name.getBytes(StandardCharsets.US_ASCII);
        for (RecordData record : all) {
            byte[] encoded = record.encode();
            if (buffer.position() > 0 && buffer.remaining() < 2 + encoded.length) {
                datagrams.add(java.util.Arrays.copyOf(buffer.array(), buffer.position()));
                buffer.clear();
            }
            if (buffer.position() == 0) {
                buffer.put((byte) of.length).put(of);
            }
            buffer.putShort((short) encoded.length).put(encoded);
        }
        datagrams.add(java.util.Arrays.copyOf(buffer.array(), buffer.position()));
        Socket socket = new Socket(host, Sink.PORT);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeUTF("udp");
        out.writeUTF(name);
        out.writeInt(need);
        socket.getInputStream().read();
        socket.setSoTimeout(500);
        double pace = 8e9 * DATAGRAM / Double.parseDouble(portRate);
        return () -> {
            try (socket;
                    DatagramSocket datagram = new DatagramSocket()) {
                InetAddress to = InetAddress.getByName(host);
                long begin = System.nanoTime();
                Future<Long> told = threads.submit(() -> {
                    while (System.nanoTime() - begin < PATIENCE_MILLIS * 1_000_000) {
                        try {
                            return socket.getInputStream().read() == 1 ? System.nanoTime() - begin : -1L;
                        } catch (java.net.SocketTimeoutException e) {
                            if (datagram.isClosed()) {
                                return -1L;
                            }
                        }
                    }
                    return -1L;
                });
                for (int i = 0; i < datagrams.size() && !told.isDone(); i++) {
                    long due = begin + (long) (i * pace);
                    while (System.nanoTime() < due) {
                        LockSupport.parkNanos(due - System.nanoTime());
                    }
                    byte[] each = datagrams.get(i);
                    datagram.send(new DatagramPacket(each, each.length, to, Sink.PORT));
                }
                datagram.close();
                return told.get();
            }
        };
    }

    private Job atp(String method, String name, List<RecordData> all, String msr) throws InterruptedException {
        CountDownLatch[] latch = {new CountDownLatch(1)};
        FlowClient flow = flows.get(name + msr);
        if (flow == null) {
            flow = new FlowClient(options(method, name, msr), report -> finished(name), variant(method));
            flow.start();
            flows.put(name + msr, flow);
            while (!(flow.state() instanceof FlowState.Up up && up.datagrams())) {
                Thread.sleep(5);
            }
        }
        latches.put(name, latch[0]);
        FlowClient ready = flow;
        return () -> {
            long begin = System.nanoTime();
            CountDownLatch taken = new CountDownLatch(1);
            ready.submit(all, done -> taken.countDown());
            taken.await();
            Future<Boolean> drained = threads.submit(() -> ready.drain(PATIENCE_MILLIS));
            latch[0].await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            long end = System.nanoTime();
            if (!drained.get()) {
                throw new IllegalStateException("the job is not complete: " + ready.numbers());
            }
            return end - begin;
        };
    }

    private final Map<String, CountDownLatch> latches = new java.util.concurrent.ConcurrentHashMap<>();

    private void finished(String name) {
        CountDownLatch latch = latches.get(name);
        if (latch != null) {
            latch.countDown();
        }
    }

    private ApproxOptions options(String method, String topic, String msr) {
        Map<String, String> options = new HashMap<>(Map.of(
                "approx.gateway",
                host + ":" + Sink.GATEWAY,
                "approx.trust",
                directory + "/trust.p12",
                "approx.trust.password",
                "changeit",
                "approx.token",
                Sink.TOKEN,
                "approx.topics",
                topic + "(msr=" + msr + ";window=1h)",
                "approx.rate.max",
                portRate,
                "approx.deadline",
                "10m",
                "approx.mode",
                "atp"));
        if (method.equals("no-cap")) {
            options.put("approx.loss.max", "1");
        }
        return ApproxOptions.of(options);
    }

    /** The protocol without one of its parts, or others for them. */
    private static UnaryOperator<AtpConfig> variant(String method) {
        return switch (method) {
            case "fixed-target" -> config -> config.fixedTarget(true);
            case "fixed-priority" -> config -> config.fixedPriority(true);
            case "fixed-both" -> config -> config.fixedTarget(true).fixedPriority(true);
            case "no-pauses" -> config -> config.rateLaw(AtpConfig.RateLaw.ADDITIVE);
            case "no-rate-control" -> config -> config.rateLaw(AtpConfig.RateLaw.NONE);
            case "any-sample" -> config -> config.selection(AtpConfig.Selection.ANY);
            case "plain-queues" -> config -> config.hysteresis(false);
            case "losses-given-back" -> config -> config.lossCount(AtpConfig.LossCount.PRESUMED_LOST);
            default -> UnaryOperator.identity();
        };
    }
}
