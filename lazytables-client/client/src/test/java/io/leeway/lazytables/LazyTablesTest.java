package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.spi.CombineOp;
import io.leeway.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Instances with servers inside the process: real threads, the real protocol, no sockets. */
class LazyTablesTest {

    private static final int PATIENCE_SECONDS = 120;
    private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_SECONDS);

    @Test
    void aWorkerReadsItsOwnWritesAtOnce() {
        try (LazyTables tables = LazyTables.connect()) {
            Table dense = tables.table("dense", TableSpec.dense(CellType.DOUBLE, 4));
            Table sparse = tables.table("sparse", TableSpec.sparse(CellType.INT));
            Worker worker = tables.worker(0);

            worker.increment(dense, 5, 2, 1.5);
            assertThat(worker.get(dense, 5, 2)).isEqualTo(1.5);
            worker.increment(dense, 5, 2, 2.0);
            worker.increment(sparse, 1L << 40, 1_000_000, 7);
            assertThat(worker.get(dense, 5, 2)).isEqualTo(3.5);
            assertThat(worker.getLong(sparse, 1L << 40, 1_000_000)).isEqualTo(7);
            assertThat(worker.getLong(sparse, 1L << 40, 3)).isZero();

            worker.clock();
            worker.increment(dense, 5, 2, 1.0);
            assertThat(worker.get(dense, 5, 2)).isEqualTo(4.5);
            assertThat(worker.get(dense, 5, 1)).isZero();
        }
    }

    @Test
    void everyTypeOfRowAddsUp() {
        try (LazyTables tables = LazyTables.builder().embeddedServers(3).connect()) {
            Worker worker = tables.worker(0);
            for (CellType type : CellType.values()) {
                for (TableSpec spec : List.of(TableSpec.dense(type, 40), TableSpec.sparse(type))) {
                    Table table = tables.table(type + (spec.sparse() ? "-sparse" : "-dense"), spec);
                    for (int round = 1; round <= 3; round++) {
                        for (int row = 0; row < 10; row++) {
                            worker.increment(table, row, (row * 7) % 40, round);
                            worker.increment(table, row, 39, -1);
                        }
                        worker.clock();
                    }
                    RowView view = worker.read(table, 4);
                    assertThat(view.get(28)).as("%s", table).isEqualTo(6);
                    assertThat(view.getLong(39)).as("%s", table).isEqualTo(-3);
                    assertThat(view.get(0)).as("%s", table).isZero();
                    assertThat(view.entries()).as("%s", table).isEqualTo(spec.sparse() ? 2 : 40);
                }
            }
        }
    }

    @Test
    void minAndMaxAndOperationsOfTheProgramCombine() {
        try (LazyTables tables = LazyTables.builder().combineOp(new Product()).connect()) {
            Worker worker = tables.worker(0);
            Table min = tables.table("min", TableSpec.sparse(CellType.INT).op(Combine.MIN));
            Table max = tables.table("max", TableSpec.dense(CellType.DOUBLE, 2).op(Combine.MAX));
            Table product =
                    tables.table("product", TableSpec.dense(CellType.LONG, 2).op(new Product()));

            for (int value : new int[] {9, 4, 6}) {
                worker.update(min, 0, 0, value);
                worker.update(max, 0, 0, (double) value);
                worker.update(product, 0, 0, value);
                worker.clock();
            }

            assertThat(worker.getLong(min, 0, 0)).isEqualTo(4);
            assertThat(worker.read(min, 1).get(0)).isEqualTo(Integer.MAX_VALUE);
            assertThat(worker.get(max, 0, 0)).isEqualTo(9);
            assertThat(worker.get(max, 0, 1)).isEqualTo(Double.NEGATIVE_INFINITY);
            assertThat(worker.getLong(product, 0, 0)).isEqualTo(216);
            assertThat(worker.getLong(product, 0, 1)).isEqualTo(1);
        }
    }

    @Test
    void anOperationThatFailsInTheServerEndsAllWaits() throws Exception {
        TableSpec spec = TableSpec.dense(CellType.LONG, 1).op(new Broken());
        try (EmbeddedServers servers = EmbeddedServers.start(1, 2, new Broken());
                LazyTables first = LazyTables.builder().servers(servers, 0).connect();
                LazyTables second = LazyTables.builder().servers(servers, 1).connect()) {
            Table others = second.table("t", spec);
            second.worker(0).clock();
            ExecutorService thread = Executors.newSingleThreadExecutor();
            Future<RowView> waits = thread.submit(() -> second.worker(0).read(others, 0, 0));
            thread.shutdown();
            Worker worker = first.worker(0);
            Table table = first.table("t", spec);
            worker.update(table, 0, 0, 1);
            worker.clock();

            assertThatThrownBy(() -> worker.read(table, 0, 0))
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.FAILED))
                    .hasMessageContaining("a/class/of/the/program");
            assertThatThrownBy(() -> waits.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .hasMessageContaining("a/class/of/the/program");
        }
    }

    /** Lacks a class, as one does whose jar is not whole; where the worker logs there is nothing to combine yet. */
    private static final class Broken implements CombineOp {

        @Override
        public String name() {
            return "BROKEN";
        }

        @Override
        public long identityLong() {
            return 0;
        }

        @Override
        public double identityDouble() {
            return 0;
        }

        @Override
        public long combine(long a, long b) {
            if (Thread.currentThread().getName().contains("server")) {
                throw new NoClassDefFoundError("a/class/of/the/program");
            }
            return a + b;
        }

        @Override
        public double combine(double a, double b) {
            return a + b;
        }
    }

    @Test
    void aPutMakesEarlierUpdatesVoid() {
        try (LazyTables tables = LazyTables.connect()) {
            Table table = tables.table("t", TableSpec.dense(CellType.DOUBLE, 100));
            Worker worker = tables.worker(0);
            worker.increment(table, 0, 3, 5.0);
            worker.clock();
            worker.increment(table, 0, 3, 5.0);
            worker.put(table, 0, 3, 1.0);
            worker.increment(table, 0, 3, 0.5);
            worker.put(table, 0, 4, 0.0);

            assertThat(worker.get(table, 0, 3)).isEqualTo(1.5);
            worker.clock();
            assertThat(worker.get(table, 0, 3)).isEqualTo(1.5);
        }
    }

    @Test
    void workersOfSeveralProcessesSeeWhatTheBoundSays() throws Exception {
        int processes = 3;
        int workers = 2;
        int clocks = 40;
        for (int slack : new int[] {0, 1, 3}) {
            try (EmbeddedServers servers = EmbeddedServers.start(2, processes)) {
                List<Callable<Long>> tasks = new ArrayList<>();
                List<LazyTables> instances = new ArrayList<>();
                for (int p = 0; p < processes; p++) {
                    LazyTables tables = LazyTables.builder()
                            .servers(servers, p)
                            .workers(workers)
                            .timeout(Duration.ofSeconds(PATIENCE_SECONDS))
                            .connect();
                    instances.add(tables);
                    for (int w = 0; w < workers; w++) {
                        int number = w;
                        tasks.add(() -> countTogether(tables, number, slack, clocks, processes * workers));
                    }
                }

                for (long total : runAll(tasks)) {
                    assertThat(total).isEqualTo((long) clocks * processes * workers);
                }
                instances.forEach(LazyTables::close);
            }
        }
    }

    private static long countTogether(LazyTables tables, int number, int slack, int clocks, int all) {
        Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
        Worker worker = tables.worker(number);
        long before = 0;
        for (int clock = 0; clock < clocks; clock++) {
            long seen = worker.getLong(table, 0, 0, slack);
            long least = (long) Math.max(0, clock - slack) * (all - 1) + clock;
            assertThat(seen).isBetween(Math.max(before, least), (long) clocks * all);
            before = seen;
            worker.increment(table, 0, 0, 1);
            assertThat(worker.getLong(table, 0, 0, slack)).isGreaterThan(seen);
            worker.clock();
        }
        return worker.getLong(table, 0, 0, 0);
    }

    @Test
    void aReadThatCannotBeFreshEnoughEndsWithWhomItWaitsFor() {
        try (EmbeddedServers servers = EmbeddedServers.start(1, 2);
                LazyTables tables = LazyTables.builder()
                        .servers(servers, 0)
                        .timeout(Duration.ofSeconds(10))
                        .connect()) {
            Table table = tables.table("t", TableSpec.dense(CellType.INT, 1));
            Worker worker = tables.worker(0);
            worker.get(table, 0, 0);
            worker.clock();

            assertThatThrownBy(() -> worker.get(table, 0, 0))
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT))
                    .hasMessageContaining("held back by process 1");
            assertThat(worker.get(table, 0, 0, 1)).isZero();
        }
    }

    @Test
    void whatDoesNotFitTheTableIsRefused() {
        try (LazyTables tables = LazyTables.connect();
                LazyTables others = LazyTables.connect()) {
            Table table = tables.table("t", TableSpec.dense(CellType.INT, 2).rows(10));
            Table min = tables.table("min", TableSpec.dense(CellType.INT, 2).op(Combine.MIN));
            Worker worker = tables.worker(0);

            refused(Code.OUT_OF_RANGE, () -> worker.increment(table, 10, 0, 1));
            refused(Code.OUT_OF_RANGE, () -> worker.increment(table, -1, 0, 1));
            refused(Code.OUT_OF_RANGE, () -> worker.increment(table, 0, 2, 1));
            refused(Code.OUT_OF_RANGE, () -> worker.increment(table, 0, -1, 1));
            refused(Code.OUT_OF_RANGE, () -> worker.get(table, 0, 2));
            refused(Code.OUT_OF_RANGE, () -> worker.read(table, 10));
            refused(Code.OUT_OF_RANGE, () -> worker.incrementRow(table, 0, new long[] {1}));
            refused(Code.WRONG_TYPE, () -> worker.increment(table, 0, 0, 0.5));
            refused(Code.WRONG_TYPE, () -> worker.put(table, 0, 0, 0.5));
            refused(Code.WRONG_TYPE, () -> worker.increment(min, 0, 0, 1));
            refused(Code.BAD_ARGUMENT, () -> worker.read(table, 0, -1));
            refused(Code.BAD_ARGUMENT, () -> tables.worker(1));
            refused(Code.MISUSED, () -> others.worker(0).get(table, 0, 0));
            refused(Code.BAD_TABLE, () -> tables.table("t", TableSpec.dense(CellType.INT, 3)));
            refused(Code.BAD_TABLE, () -> TableSpec.dense(CellType.INT, 0));
            refused(Code.BAD_TABLE, () -> TableSpec.sparse(CellType.INT).slack(-1));
            refused(Code.BAD_TABLE, () -> TableSpec.sparse(CellType.INT).rows(0));
            refused(
                    Code.BAD_TABLE,
                    () -> TableSpec.sparse(CellType.INT).slack(TableSpec.ASYNC).asStrict());
        }
    }

    @Test
    void updatesOfReadAndUnreadRowsAddUpWhateverIsBetweenThem() {
        RandomGenerator random = Seeds.random("updates");
        for (TableSpec spec : List.of(
                TableSpec.sparse(CellType.INT),
                TableSpec.sparse(CellType.DOUBLE),
                TableSpec.dense(CellType.LONG, 20),
                TableSpec.dense(CellType.FLOAT, 300))) {
            try (LazyTables tables = LazyTables.builder().workers(2).connect()) {
                Table table = tables.table("t", spec);
                var workers = List.of(tables.worker(0), tables.worker(1));
                // What each worker sees: the clocks that both have completed, and its own since then.
                long[][][] seen = new long[2][5][20];
                long[][][] done = new long[2][5][20];
                for (int clock = 0; clock < 60; clock++) {
                    for (int step = random.nextInt(60); step > 0; step--) {
                        int w = random.nextInt(2);
                        int row = random.nextInt(5);
                        int column = random.nextInt(20);
                        if (random.nextInt(4) == 0) {
                            assertThat(workers.get(w).getLong(table, row, column))
                                    .as("%s, clock %s", spec, clock)
                                    .isEqualTo(seen[w][row][column]);
                        } else {
                            int by = random.nextInt(1, 9);
                            workers.get(w).increment(table, row, column, by);
                            seen[w][row][column] += by;
                            done[w][row][column] += by;
                        }
                    }
                    workers.forEach(Worker::clock);
                    for (int row = 0; row < 5; row++) {
                        for (int column = 0; column < 20; column++) {
                            seen[0][row][column] += done[1][row][column];
                            seen[1][row][column] += done[0][row][column];
                        }
                    }
                    done = new long[2][5][20];
                }
            }
        }
    }

    @Test
    void wholeRowsAddUpWithTheirCells() {
        int columns = 200;
        for (CellType type : CellType.values()) {
            try (LazyTables tables = LazyTables.connect()) {
                Table table = tables.table("t", TableSpec.dense(type, columns));
                Worker worker = tables.worker(0);
                long[] whole = new long[columns];
                double[] real = new double[columns];
                Arrays.setAll(whole, i -> i + 1);
                Arrays.setAll(real, i -> i / 4.0);
                boolean fractions = !type.integral();

                worker.increment(table, 0, 7, 5L);
                worker.incrementRow(table, 0, whole);
                worker.clock();
                assertThat(worker.getLong(table, 0, 7)).isEqualTo(13);
                worker.increment(table, 0, 8, 1L);
                worker.incrementRow(table, 0, whole);
                if (fractions) {
                    worker.incrementRow(table, 0, real);
                }
                for (int round = 0; round < 2; round++) {
                    for (int column = 0; column < columns; column++) {
                        double expected = 2.0 * (column + 1)
                                + (column == 7 ? 5 : 0)
                                + (column == 8 ? 1 : 0)
                                + (fractions ? column / 4.0 : 0);
                        assertThat(worker.get(table, 0, column))
                                .as("%s, %s", type, column)
                                .isEqualTo(expected);
                    }
                    worker.clock();
                }
            }
        }
    }

    @Test
    void manyRowsAreAskedForAtOnce() {
        int rows = 1_000;
        try (LazyTables tables = LazyTables.builder().embeddedServers(2).connect()) {
            Table table = tables.table("t", TableSpec.sparse(CellType.INT).rows(rows));
            Worker worker = tables.worker(0);
            long[] keys = LongStream.range(0, rows).toArray();
            for (long key : keys) {
                worker.increment(table, key, 3, key);
            }
            worker.clock();

            worker.refresh(table, keys, 0, Refresh.AGGRESSIVE);
            for (long key : keys) {
                assertThat(worker.getLong(table, key, 3)).isEqualTo(key);
            }

            Statistics statistics = tables.statistics();
            assertThat(statistics.prefetched()).isEqualTo(new Statistics.Prefetched(rows, 0));
            refused(Code.OUT_OF_RANGE, () -> worker.refresh(table, new long[] {1, rows}, 0, Refresh.AGGRESSIVE));
            refused(Code.BAD_ARGUMENT, () -> worker.refresh(table, keys, -1, Refresh.AGGRESSIVE));
        }
    }

    @Test
    void workersReadWithinARadiusOfWhatTheRowWillBe() throws Exception {
        int processes = 2;
        int workers = 2;
        int clocks = 60;
        int all = processes * workers;
        for (double radius : new double[] {0, 1.5, 4, Double.POSITIVE_INFINITY}) {
            try (EmbeddedServers servers = EmbeddedServers.start(2, processes)) {
                List<Callable<Boolean>> tasks = new ArrayList<>();
                List<LazyTables> instances = new ArrayList<>();
                for (int p = 0; p < processes; p++) {
                    LazyTables tables = LazyTables.builder()
                            .servers(servers, p)
                            .workers(workers)
                            .timeout(Duration.ofSeconds(PATIENCE_SECONDS))
                            .connect();
                    instances.add(tables);
                    for (int w = 0; w < workers; w++) {
                        Worker worker = tables.worker(w);
                        tasks.add(() -> countWithin(tables, worker, radius, clocks, all));
                    }
                }

                assertThat(runAll(tasks)).containsOnly(true);
                instances.forEach(LazyTables::close);
            }
        }
    }

    /** Every worker adds 0.5 to each row in each clock, so that what a row will be is known. */
    private static boolean countWithin(LazyTables tables, Worker worker, double radius, int clocks, int all) {
        Table table = tables.table("t", TableSpec.dense(CellType.DOUBLE, 2).maxStep(0.5));
        for (int clock = 0; clock < clocks; clock++) {
            for (long row = 0; row < 4; row++) {
                RowView view = worker.readWithin(table, row, radius);
                assertThat(view.radius()).isLessThanOrEqualTo(radius);
                assertThat(Math.abs(view.get(1) - 0.5 * clock * all)).isLessThanOrEqualTo(view.radius());
                worker.increment(table, row, 1, 0.5);
                assertThat(worker.readWithin(table, row, radius)).isSameAs(view);
                assertThat(Math.abs(view.get(1) - 0.5 * clock * all - 0.5)).isLessThanOrEqualTo(view.radius());
                assertThat(worker.read(table, row, TableSpec.ASYNC).radius()).isInfinite();
            }
            worker.clock();
        }
        return true;
    }

    @Test
    void aStepThatIsTooLongIsRefusedAndCanBeTakenBack() {
        try (LazyTables tables = LazyTables.connect()) {
            Table table = tables.table("t", TableSpec.sparse(CellType.FLOAT).maxStep(5));
            Worker worker = tables.worker(0);
            worker.increment(table, 1, 10, 3.0);
            worker.increment(table, 1, 20, 4.0);
            worker.increment(table, 2, 20, 4.0);
            worker.clock();
            worker.increment(table, 1, 10, 3.0);
            worker.increment(table, 1, 20, 4.5);
            assertThatThrownBy(worker::clock)
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.STEP_TOO_LONG))
                    .hasMessageContaining("row 1 of table t")
                    .hasMessageContaining("5.0 is allowed");
            assertThat(worker.clocks()).isEqualTo(1);
            assertThat(worker.get(table, 1, 20)).isEqualTo(8.5);

            worker.increment(table, 1, 20, -0.5);
            worker.clock();
            assertThat(worker.get(table, 1, 20)).isEqualTo(8);
            assertThat(worker.readWithin(table, 1, 0).get(10)).isEqualTo(6);

            refused(Code.BAD_ARGUMENT, () -> worker.increment(table, 1, 10, Double.NaN));
            worker.clock();
        }
    }

    @Test
    void aReadWithinARadiusThatCannotBeHadEndsWithWhomItWaitsFor() {
        try (EmbeddedServers servers = EmbeddedServers.start(1, 2);
                LazyTables tables = LazyTables.builder()
                        .servers(servers, 0)
                        .workers(2)
                        .timeout(Duration.ofSeconds(10))
                        .connect();
                LazyTables others = LazyTables.builder().servers(servers, 1).connect()) {
            Table table = tables.table("t", TableSpec.dense(CellType.INT, 1).maxStep(1));
            others.worker(0).read(others.table("t", table.spec()), 0);
            Worker worker = tables.worker(0);
            worker.readWithin(table, 0, 0);
            worker.clock();

            assertThatThrownBy(() -> worker.readWithin(table, 0, 0))
                    .hasMessageContaining("workers of this process are still at clock 0");
            tables.worker(1).clock();
            assertThatThrownBy(() -> worker.readWithin(table, 0, 0)).hasMessageContaining("held back by process 1");
            assertThat(worker.readWithin(table, 0, 1).radius()).isEqualTo(1);
            others.worker(0).clock();
            assertThat(worker.readWithin(table, 0, 0).radius()).isZero();
        }
    }

    @Test
    void whatHasNoLengthIsNotReadWithinARadius() {
        try (LazyTables tables = LazyTables.connect()) {
            Table plain = tables.table("plain", TableSpec.dense(CellType.INT, 2));
            Table limited = tables.table(
                    "limited", TableSpec.dense(CellType.INT, 2).rows(10).maxStep(1));
            Worker worker = tables.worker(0);

            refused(Code.WRONG_TYPE, () -> worker.readWithin(plain, 0, 1));
            refused(Code.BAD_ARGUMENT, () -> worker.readWithin(limited, 0, -0.5));
            refused(Code.BAD_ARGUMENT, () -> worker.readWithin(limited, 0, Double.NaN));
            refused(Code.OUT_OF_RANGE, () -> worker.readWithin(limited, 10, 1));
            refused(Code.WRONG_TYPE, () -> worker.put(limited, 0, 0, 1));
            refused(Code.BAD_TABLE, () -> limited.spec().maxStep(0));
            refused(Code.BAD_TABLE, () -> limited.spec().maxStep(-1));
            refused(Code.BAD_TABLE, () -> limited.spec().maxStep(Double.NaN));
            refused(Code.BAD_TABLE, () -> limited.spec().maxStep(Double.POSITIVE_INFINITY));
            refused(Code.BAD_TABLE, () -> limited.spec().asStrict());
            refused(Code.BAD_TABLE, () -> limited.spec().op(Combine.MIN));
            refused(
                    Code.BAD_TABLE,
                    () -> TableSpec.sparse(CellType.LONG).op(Combine.MAX).maxStep(1));
            refused(Code.BAD_TABLE, () -> tables.table("limited", plain.spec()));
            assertThat(worker.readWithin(limited, 0, 0).radius()).isZero();
            assertThat(worker.readWithin(limited, 0, Double.POSITIVE_INFINITY).entries())
                    .isEqualTo(2);
        }
    }

    @Test
    void processesThatDefineATableDifferentlyAreTold() {
        try (EmbeddedServers servers = EmbeddedServers.start(1, 2);
                LazyTables first = LazyTables.builder().servers(servers, 0).connect();
                LazyTables second = LazyTables.builder().servers(servers, 1).connect()) {
            Table table = first.table("t", TableSpec.dense(CellType.INT, 2));
            first.worker(0).get(table, 0, 0);
            Table other = second.table("t", TableSpec.dense(CellType.LONG, 2));

            assertThatThrownBy(() -> second.worker(0).get(other, 0, 0)).hasMessageContaining("define it alike");
            assertThat(first.worker(0).get(table, 0, 0)).isZero();
        }
    }

    @Test
    void aWorkerThatIsAheadOfItsProcessWaitsAtTheLimitAndGoesOnWithTheOthers() throws Exception {
        try (LazyTables tables = LazyTables.builder()
                .workers(2)
                .option("lazytables.kept.limit", "1MB")
                // Runs out once; all else is to be done within it, on a busy machine, too.
                .timeout(Duration.ofSeconds(5))
                .connect()) {
            Table table = tables.table("t", TableSpec.dense(CellType.DOUBLE, 10_000));
            Worker fast = tables.worker(0);
            Worker slow = tables.worker(1);
            double[] ones = new double[10_000];
            Arrays.fill(ones, 1);

            assertThatThrownBy(() -> {
                        for (int clock = 0; clock < 1_000; clock++) {
                            fast.incrementRow(table, clock, ones);
                            fast.clock();
                        }
                    })
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT))
                    .hasMessageContaining("worker 1 of this process, which has completed 0 clocks");
            int ahead = fast.clocks();
            assertThat(ahead).isBetween(5, 20);

            // The one that the others wait for never waits for them.
            while (slow.clocks() < ahead) {
                slow.increment(table, 0, 0, 1);
                slow.clock();
            }
            fast.clock();
            slow.clock();
            assertThat(slow.get(table, 0, 0)).isEqualTo(1 + ahead);
        }
    }

    @Test
    void anOperationThatFailsAtTheEndOfAClockEndsTheInstance() {
        var moody = new Moody();
        try (LazyTables tables = LazyTables.builder().combineOp(moody).connect()) {
            Table table = tables.table("t", TableSpec.dense(CellType.LONG, 1).op(moody));
            Worker worker = tables.worker(0);
            worker.read(table, 0);
            worker.update(table, 0, 0, 1);
            moody.fails = true;

            assertThatThrownBy(worker::clock).hasMessageContaining("not today");
            moody.fails = false;
            // What the worker had logged is gone: a second attempt must not pass for the whole clock.
            refused(Code.FAILED, worker::clock);
        }
    }

    @Test
    void anOperationIsKnownByItsName() {
        try (LazyTables tables =
                LazyTables.builder().workers(2).combineOp(new Moody()).connect()) {
            TableSpec spec = TableSpec.dense(CellType.LONG, 1);
            Table table = tables.table("t", spec.op(new Moody()));

            assertThat(tables.table("t", spec.op(new Moody())).spec()).isEqualTo(table.spec());
            assertThat(table.spec()).hasSameHashCodeAs(spec.op(new Moody())).isNotEqualTo(spec.op(Combine.MAX));
            refused(Code.BAD_TABLE, () -> tables.table("t", spec.op(new Product())));
        }
    }

    @Test
    void closingEndsWaits() throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(1, 2)) {
            LazyTables tables = LazyTables.builder().servers(servers, 0).connect();
            Table table = tables.table("t", TableSpec.dense(CellType.INT, 2));
            Worker worker = tables.worker(0);
            worker.clock();
            ExecutorService thread = Executors.newSingleThreadExecutor();
            Future<Double> read = thread.submit(() -> worker.get(table, 0, 0));
            // A read that begins behind the end would be told, too, without a wait.
            await().atMost(PATIENCE).until(() -> tables.statistics().waiting().askedRows() == 1);

            tables.close();

            assertThatThrownBy(() -> read.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.CLOSED));
            thread.shutdown();
        }
    }

    private static void refused(Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static <T> List<T> runAll(List<Callable<T>> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> task : tasks.stream().map(threads::submit).toList()) {
                results.add(task.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /** The greater one, unless it is to fail; two of them are not equal. */
    private static final class Moody implements CombineOp {

        private volatile boolean fails;

        @Override
        public String name() {
            return "moody";
        }

        @Override
        public long identityLong() {
            return Long.MIN_VALUE;
        }

        @Override
        public double identityDouble() {
            return Double.NEGATIVE_INFINITY;
        }

        @Override
        public long combine(long a, long b) {
            if (fails) {
                throw new IllegalStateException("not today");
            }
            return Math.max(a, b);
        }

        @Override
        public double combine(double a, double b) {
            return Math.max(a, b);
        }
    }

    /** Products, the identity being 1. */
    private static final class Product implements CombineOp {

        @Override
        public String name() {
            return "product";
        }

        @Override
        public long identityLong() {
            return 1;
        }

        @Override
        public double identityDouble() {
            return 1;
        }

        @Override
        public long combine(long a, long b) {
            return a * b;
        }

        @Override
        public double combine(double a, double b) {
            return a * b;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Product;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }
}
