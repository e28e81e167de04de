package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesServer;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a worker pushes to a server over TCP, through all of the client and the server: it updates cells and completes a clock, again and again, and in the end waits until the server has applied all. A push
 * is a clock. CPU time is that of all processes that take part.
 */
record PushFigures(Measuring measuring) {

    /** Its own figures of one day on the same kind of machine: it sends a key for each value, and had a window of 64 messages, where ours is 1 MB and dense rows send no keys. */
    private static final String PEER = "ps-lite, measured apart, by messages with a key for each value:"
            + " 202,000 one-key pushes/s (window 64; 20,000 with window 1), 92 M keys/s with 10,000 keys";

    /** Keys of a large push: as the peer's. */
    private static final int KEYS = 10_000;

    private static final int ROWS = 1 << 10;
    private static final int ROUNDS = 5;

    /** CPU time of this process: on a busy machine compilers are not done after as long a time. */
    private static final Duration WARM_UP = Duration.ofSeconds(6);

    private static final Duration MOST_WARM_UP = Duration.ofMinutes(1);
    private static final Duration STRETCH = Duration.ofMillis(200);
    private static final Duration ROUND = Duration.ofSeconds(1);

    /** CPU time of a server that is a process of its own, in a round and in each stretch of its warm-up: steps of 10 ms are 2 % of it. */
    private static final Duration SERVER_ROUND = Duration.ofMillis(500);

    private static final Duration MOST_ROUND = Duration.ofSeconds(10);
    /** A server is warm when so many stretches, one after the other, were hardly faster than the fastest before them. */
    private static final int NOT_FASTER = 3;

    private static final double HARDLY = 1.03;

    /** Per second of wall time, per second of CPU time of all that take part, and, of a server that is a process of its own, of its CPU time. */
    private record Rate(double perSecond, double perCpuSecond, double perServerCpuSecond) {}

    /** What is done for one push, up to its clock. */
    private interface Push {

        void update(Worker worker, Table table, int number);
    }

    /**
     * What is pushed.
     *
     * @param window how much may be under way
     * @param keys of a push
     */
    private record Kind(String name, TableSpec spec, Push push, String window, int keys) {

        /** A cell of one of many rows. */
        static final Kind ONE_KEY =
                new Kind("one key", TableSpec.dense(CellType.FLOAT, 1).rows(ROWS), oneKey(), "1MB", 1);
        /** The same, each waited for before the next. */
        static final Kind ONE_KEY_WAITED = new Kind(
                "one key, waited for", TableSpec.dense(CellType.FLOAT, 1).rows(ROWS), oneKeyWaited(), "1MB", 1);
        /** All cells of a dense row. */
        static final Kind DENSE =
                new Kind("a dense row", TableSpec.dense(CellType.FLOAT, KEYS).rows(ROWS), dense(), "16MB", KEYS);
        /** As many cells of a sparse row, by a list of keys that ascend, as the peer wants them. */
        static final Kind SPARSE =
                new Kind("a sparse row", TableSpec.sparse(CellType.FLOAT).rows(ROWS), sparse(), "16MB", KEYS);
        /** As many, each updated by itself, in any order. */
        static final Kind SPARSE_SINGLY = new Kind(
                "a sparse row, cell by cell",
                TableSpec.sparse(CellType.FLOAT).rows(ROWS),
                sparseSingly(),
                "16MB",
                KEYS);

        static final List<Kind> ALL = List.of(ONE_KEY, ONE_KEY_WAITED, DENSE, SPARSE, SPARSE_SINGLY);

        private static Push oneKey() {
            return (worker, table, number) -> worker.increment(table, number % ROWS, 0, 1.0);
        }

        private static Push oneKeyWaited() {
            return (worker, table, number) -> {
                worker.read(table, number % ROWS, 0);
                worker.increment(table, number % ROWS, 0, 1.0);
            };
        }

        private static Push dense() {
            double[] values = new double[KEYS];
            Arrays.fill(values, 0.5);
            return (worker, table, number) -> worker.incrementRow(table, number % 16, values);
        }

        private static Push sparse() {
            int[] keys = distinctKeys();
            Arrays.sort(keys);
            double[] values = new double[KEYS];
            Arrays.fill(values, 0.5);
            return (worker, table, number) -> worker.increment(table, number % 16, keys, values);
        }

        private static int[] distinctKeys() {
            return new SplittableRandom(1)
                    .ints(0, Integer.MAX_VALUE)
                    .distinct()
                    .limit(KEYS)
                    .toArray();
        }

        private static Push sparseSingly() {
            int[] keys = distinctKeys();
            return (worker, table, number) -> {
                for (int key : keys) {
                    worker.increment(table, number % 16, key, 0.5);
                }
            };
        }
    }

    void run() throws IOException {
        for (boolean apart : new boolean[] {true, false}) {
            for (Kind kind : Kind.ALL) {
                measuring.progress().say("pushes: " + kind.name);
                Rate rate = apart ? between(kind) : within(kind);
                record(kind, apart ? ", two processes" : ", one process", rate);
                if (apart && kind.keys > 1) {
                    measuring.higher(
                            "keys that a server takes in a CPU-second, from pushes of " + kind.name,
                            rate.perServerCpuSecond / 1e6,
                            "M/s",
                            90.0,
                            PEER);
                }
            }
        }
    }

    private void record(Kind kind, String where, Rate rate) throws IOException {
        if (kind.equals(Kind.ONE_KEY)) {
            measuring.higher("pushes of one key" + where, rate.perSecond, "/s", 606_000.0, PEER);
            measuring.higher("pushes of one key per CPU-second" + where, rate.perCpuSecond, "/s", null, "");
        } else if (kind.equals(Kind.ONE_KEY_WAITED)) {
            measuring.higher(
                    "pushes of one key, each applied before the next" + where, rate.perSecond, "/s", null, PEER);
        } else if (kind.equals(Kind.DENSE)) {
            keys("keys pushed in dense rows of 10,000", where, rate, 90.0);
        } else if (kind.equals(Kind.SPARSE)) {
            keys("keys pushed in sparse rows of 10,000", where, rate, 90.0);
        } else {
            keys("keys pushed in sparse rows of 10,000, cell by cell", where, rate, null);
        }
    }

    private void keys(String name, String where, Rate rate, @Nullable Double goal) throws IOException {
        measuring.higher(name + where, rate.perSecond / 1e6, "M/s", goal, PEER);
        measuring.higher(name + " per CPU-second" + where, rate.perCpuSecond / 1e6, "M/s", null, "");
    }

    private Rate within(Kind kind) {
        try (LazyTablesServer server = PushServer.start()) {
            return measure(kind, server.address().port(), ProcessHandle.current());
        }
    }

    private Rate between(Kind kind) throws IOException {
        try (PortProcess server = PortProcess.start(PushServer.class)) {
            return measure(kind, server.port(), server.handle());
        }
    }

    /** The medians of some rounds. */
    private Rate measure(Kind kind, int port, ProcessHandle server) {
        try (LazyTables tables = LazyTables.builder()
                .option("lazytables.servers", "127.0.0.1:" + port)
                .option("lazytables.kept.limit", kind.window)
                .connect()) {
            Table table = tables.table("pushed", kind.spec);
            Worker worker = tables.worker(0);
            warmUp(worker, table, kind.push, server);
            double[] perSecond = new double[ROUNDS];
            double[] perCpuSecond = new double[ROUNDS];
            double[] perServerCpuSecond = new double[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                Rate rate = round(worker, table, kind.push, server);
                perSecond[i] = rate.perSecond;
                perCpuSecond[i] = rate.perCpuSecond;
                perServerCpuSecond[i] = rate.perServerCpuSecond;
            }
            return new Rate(
                    median(perSecond) * kind.keys,
                    median(perCpuSecond) * kind.keys,
                    median(perServerCpuSecond) * kind.keys);
        }
    }

    /** Pushes for a time in which steps of CPU time do not matter; rates are of pushes. */
    private Rate round(Worker worker, Table table, Push push, ProcessHandle server) {
        long own = CpuTime.own();
        long cpu = CpuTime.with(server);
        long time = System.nanoTime();
        long end = time + measuring.time(MOST_ROUND).toNanos();
        boolean isApart = !server.equals(ProcessHandle.current());
        long leastServer = measuring.time(SERVER_ROUND).toNanos();
        long pushes = 0;
        long used;
        long usedByServer;
        do {
            pushes += pushFor(measuring.time(ROUND), worker, table, push);
            used = CpuTime.with(server) - cpu;
            usedByServer = used - (CpuTime.own() - own);
        } while (isApart && usedByServer < leastServer && System.nanoTime() < end);
        return new Rate(
                pushes * 1e9 / (System.nanoTime() - time),
                pushes * 1e9 / Math.max(1, used),
                pushes * 1e9 / Math.max(1, usedByServer));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    /**
     * Until compilers are done on both sides: this process has had its CPU time, and a server of its own, which may have far less to do, does not get faster any more.
     */
    private void warmUp(Worker worker, Table table, Push push, ProcessHandle server) {
        long cpu = CpuTime.own() + measuring.time(WARM_UP).toNanos();
        long end = System.nanoTime() + measuring.time(MOST_WARM_UP).toNanos();
        while (CpuTime.own() < cpu && System.nanoTime() < end) {
            pushFor(STRETCH, worker, table, push);
        }
        double fastest = 0;
        int notFaster = server.equals(ProcessHandle.current()) ? NOT_FASTER : 0;
        while (notFaster < NOT_FASTER && System.nanoTime() < end) {
            double rate = round(worker, table, push, server).perServerCpuSecond;
            notFaster = rate > fastest * HARDLY ? 0 : notFaster + 1;
            fastest = Math.max(fastest, rate);
        }
        if (notFaster < NOT_FASTER) {
            measuring.progress().say("  the warm-up ended at its limit; the server may still get faster");
        }
    }

    private static long pushFor(Duration time, Worker worker, Table table, Push push) {
        long end = System.nanoTime() + time.toNanos();
        int pushes = 0;
        while (System.nanoTime() < end) {
            push.update(worker, table, pushes++);
            worker.clock();
        }
        // Holds what was pushed last, and so all.
        worker.read(table, 0, 0);
        return pushes;
    }
}
