package io.leeway.lazytables.internal.sim;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Combine;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.client.ClientSettings;
import io.leeway.lazytables.internal.client.ClientTable;
import io.leeway.lazytables.internal.client.WorkerCore;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ServerCore;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Counts the bytes of answers and the CPU time they cost, with clients that say which version of a row they have and with clients that do not, for rows that are used as applications use them. No test: run its main
 * method.
 */
public final class AnswerBytes {

    private static final int PROCESSES = 4;
    private static final int CLOCKS = 20;
    /** The first clocks, in which rows are read for the first time. */
    private static final int WARM = 5;

    private static final int TOPICS = 100;

    private final ServerCore server = new ServerCore(PROCESSES, CombineOps.of(List.of()));
    private final List<ClientCore> clients = new ArrayList<>();
    private final List<ClientTable> tables = new ArrayList<>();
    private final List<byte[]> frames = new ArrayList<>();
    private final Pattern pattern;
    private final boolean versions;
    private long bytes;
    private long serverNanos;
    private long clientNanos;

    private AnswerBytes(Pattern pattern, boolean versions) {
        this.pattern = pattern;
        this.versions = versions;
        for (int p = 0; p < PROCESSES; p++) {
            var client = new ClientCore(ClientSettings.of(p, PROCESSES, 1, 1, p + 1));
            clients.add(client);
            tables.add(client.define("t", pattern.spec()));
            server.onOpen(p);
            client.onOpen(0);
        }
    }

    /** Prints a table. */
    public static void main(String[] args) {
        System.out.println("pattern           versions  bytes/clock  server ms/clock  client ms/clock");
        for (Pattern pattern : Pattern.values()) {
            for (boolean versions : new boolean[] {false, true, false, true}) {
                var run = new AnswerBytes(pattern, versions);
                run.run();
                int clocks = CLOCKS - WARM;
                System.out.printf(
                        "%-16s  %8s  %11d  %15.2f  %15.2f%n",
                        pattern,
                        versions,
                        run.bytes / clocks,
                        run.serverNanos / 1e6 / clocks,
                        run.clientNanos / 1e6 / clocks);
            }
        }
    }

    private void run() {
        var random = new Random(1);
        for (int clock = 0; clock < CLOCKS; clock++) {
            if (clock == WARM) {
                bytes = 0;
                serverNanos = 0;
                clientNanos = 0;
            }
            for (int p = 0; p < PROCESSES; p++) {
                work(p, random);
            }
        }
    }

    private void work(int process, Random random) {
        ClientCore client = clients.get(process);
        ClientTable table = tables.get(process);
        WorkerCore worker = client.worker(0);
        int[] rows = pattern.batch(random);
        for (int row : rows) {
            client.refresh(table, row, worker.required(0));
        }
        exchange();
        for (int row : rows) {
            if (worker.cached(table, row, worker.required(0)) == null && client.read(worker, table, row, 0) == null) {
                throw new AssertionError("Row " + row + " did not come");
            }
            pattern.update(worker, table, row, random);
        }
        client.clock(worker);
        exchange();
    }

    /** Has all sides send until none has anything to say. */
    private void exchange() {
        boolean quiet = false;
        while (!quiet) {
            quiet = true;
            for (int p = 0; p < PROCESSES; p++) {
                frames.clear();
                clients.get(p).flush(CopyingSender.into(frames));
                for (byte[] frame : frames) {
                    quiet = false;
                    byte[] sent = versions ? frame : withoutVersions(frame);
                    long before = cpu();
                    server.onFrame(p, sent, 0, sent.length);
                    serverNanos += cpu() - before;
                }
            }
            answer();
        }
    }

    private void answer() {
        frames.clear();
        var peers = new ArrayList<Integer>();
        var sender = new CopyingSender((peer, frame) -> {
            peers.add(peer);
            frames.add(frame);
        });
        long before = cpu();
        server.flush(sender);
        serverNanos += cpu() - before;
        for (int i = 0; i < frames.size(); i++) {
            byte[] frame = frames.get(i);
            bytes += frame.length;
            before = cpu();
            clients.get(peers.get(i)).onFrame(0, frame, 0, frame.length);
            clientNanos += cpu() - before;
        }
    }

    /** The frame of a client that never says which version it has. */
    private static byte[] withoutVersions(byte[] frame) {
        var in = new WireReader();
        var message = new WireReader();
        in.open(frame, 0, frame.length);
        var outbox = new Outbox();
        var collected = new ArrayList<byte[]>();
        while (in.more()) {
            int kind = in.getByte();
            in.slice(in.getInt(), message);
            WireBuffer out = outbox.begin(kind);
            if (kind == Protocol.READ) {
                out.putVar(message.getVar());
                out.putVar(message.getVar());
                out.putVar(message.getVar());
                while (message.more()) {
                    out.putVar(message.getVar());
                    message.getVar();
                    out.putVar(0);
                }
            } else {
                while (message.more()) {
                    out.putByte(message.getByte());
                }
            }
            outbox.end();
        }
        outbox.sendTo(CopyingSender.into(collected), 0);
        var joined = new WireBuffer(frame.length);
        collected.forEach(part -> joined.putBytes(part, 0, part.length));
        return Arrays.copyOf(joined.array(), joined.size());
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** How an application uses rows in a clock. */
    private enum Pattern {
        /** Topic models: rows of words, by their frequency, in which a third of the tokens change their topic; the clock is a pass, or a tenth of one. */
        LDA(8_000, 60_000, 1.0),
        LDA_TENTH(8_000, 6_000, 1.0),
        LDA_HUNDREDTH(8_000, 600, 1.0),
        /** Matrix factorisation: rows of items, of which each rating changes all columns. */
        MF(2_000, 5_000, 0.6),
        MF_TENTH(2_000, 500, 0.6),
        /** Shortest paths: all rows are read, and few of their cells change. */
        PATHS(1_000, 1_000, 0);

        private final int rows;
        private final int uses;
        /** Rows by their number: the chance of the i-th is like 1 / i to this power. */
        private final double skew;

        Pattern(int rows, int uses, double skew) {
            this.rows = rows;
            this.uses = uses;
            this.skew = skew;
        }

        TableSpec spec() {
            return switch (this) {
                case MF, MF_TENTH -> TableSpec.dense(CellType.FLOAT, 32);
                case PATHS -> TableSpec.dense(CellType.LONG, 64).op(Combine.MIN);
                default -> TableSpec.dense(CellType.INT, TOPICS);
            };
        }

        int[] batch(Random random) {
            var batch = new int[uses];
            for (int i = 0; i < uses; i++) {
                batch[i] = skew == 0 ? i % rows : skewed(random);
            }
            return batch;
        }

        private int skewed(Random random) {
            double u = random.nextDouble();
            double place = skew == 1 ? Math.pow(rows, u) : Math.pow(u, 1 / (1 - skew)) * rows;
            return Math.min(rows - 1, (int) place);
        }

        void update(WorkerCore worker, ClientTable table, int row, Random random) {
            switch (this) {
                case MF, MF_TENTH -> {
                    var step = new double[table.spec().columns()];
                    for (int i = 0; i < step.length; i++) {
                        step[i] = random.nextGaussian() * 0.01;
                    }
                    worker.updateRow(table, row, step);
                }
                case PATHS -> {
                    if (random.nextInt(10) == 0) {
                        worker.updateLong(
                                table, row, random.nextInt(table.spec().columns()), random.nextInt(1 << 20));
                    }
                }
                default -> {
                    if (random.nextInt(3) == 0) {
                        // A word has few topics.
                        worker.updateLong(table, row, topic(row, random), -1);
                        worker.updateLong(table, row, topic(row, random), 1);
                    }
                }
            }
        }

        private int topic(int word, Random random) {
            double spread = random.nextGaussian() * 3;
            return Math.floorMod(word * 37 + (int) spread, TOPICS);
        }
    }
}
