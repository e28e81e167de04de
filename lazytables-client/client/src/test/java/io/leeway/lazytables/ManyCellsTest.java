package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Updates of many cells at once do what as many updates of one cell do. */
class ManyCellsTest {

    private static final int ROWS = 3;
    private static final int STEPS = 300;

    @Test
    void theyEqualUpdatesOfOneCellEach() {
        RandomGenerator random = Seeds.random("many-cells");
        for (TableSpec spec : specs()) {
            int columns = Math.min(spec.columns(), 2_000);
            try (LazyTables tables = LazyTables.builder().workers(2).connect()) {
                Table many = tables.table("many", spec);
                Table single = tables.table("single", spec);
                Worker[] workers = {tables.worker(0), tables.worker(1)};
                for (int step = 0; step < STEPS; step++) {
                    Worker worker = workers[random.nextInt(2)];
                    long row = random.nextInt(ROWS);
                    switch (random.nextInt(6)) {
                        case 0 -> {
                            for (Worker each : workers) {
                                each.clock();
                            }
                        }
                        case 1 -> assertSame(worker, many, single, row, columns);
                        case 2 -> {
                            int column = random.nextInt(columns);
                            worker.update(many, row, column, 7L);
                            worker.update(single, row, column, 7L);
                        }
                        case 3 -> {
                            int column = random.nextInt(columns);
                            worker.put(many, row, column, 9L);
                            worker.put(single, row, column, 9L);
                        }
                        default -> update(random, worker, many, single, row, columns);
                    }
                }
                for (Worker each : workers) {
                    each.clock();
                }
                for (long row = 0; row < ROWS; row++) {
                    assertSame(workers[0], many, single, row, columns);
                }
            }
        }
    }

    @Test
    void eitherAllIsDoneOrNothing() {
        try (LazyTables tables = LazyTables.connect()) {
            Table ints = tables.table("ints", TableSpec.dense(CellType.INT, 5).rows(10));
            Table min = tables.table("min", TableSpec.sparse(CellType.DOUBLE).op(Combine.MIN));
            Worker worker = tables.worker(0);

            refused(Code.OUT_OF_RANGE, () -> worker.increment(ints, 0, new int[] {0, 5}, new long[] {1, 1}));
            refused(Code.OUT_OF_RANGE, () -> worker.increment(ints, 0, new int[] {0, -1}, new long[] {1, 1}));
            refused(Code.OUT_OF_RANGE, () -> worker.increment(ints, 10, new int[] {0}, new long[] {1}));
            refused(Code.OUT_OF_RANGE, () -> worker.increment(ints, 10, new int[0], new long[0]));
            refused(Code.BAD_ARGUMENT, () -> worker.increment(ints, 0, new int[] {0, 1}, new long[] {1}));
            refused(Code.WRONG_TYPE, () -> worker.increment(ints, 0, new int[] {0}, new double[] {0.5}));
            refused(Code.WRONG_TYPE, () -> worker.increment(min, 0, new int[] {0}, new double[] {0.5}));
            refused(Code.WRONG_TYPE, () -> worker.increment(min, 0, new int[] {0}, new long[] {1}));
            worker.clock();

            for (int column = 0; column < 5; column++) {
                assertThat(worker.getLong(ints, 0, column)).isZero();
            }
        }
    }

    /** What was handed over is the caller's again. */
    @Test
    void arraysMayBeUsedAgain() {
        try (LazyTables tables = LazyTables.connect()) {
            Table table = tables.table("t", TableSpec.sparse(CellType.DOUBLE));
            Worker worker = tables.worker(0);
            int[] columns = {1, 5, 9};
            double[] values = {1, 2, 3};

            worker.increment(table, 0, columns, values);
            Arrays.fill(columns, 4);
            Arrays.fill(values, 100);
            worker.clock();

            assertThat(worker.get(table, 0, 5)).isEqualTo(2);
            assertThat(worker.get(table, 0, 4)).isZero();
        }
    }

    private static void update(RandomGenerator random, Worker worker, Table many, Table single, long row, int columns) {
        int[] some = random.ints(random.nextInt(1 + Math.min(columns, 60)), 0, columns)
                .toArray();
        if (random.nextBoolean()) {
            some = Arrays.stream(some).sorted().distinct().toArray();
        }
        long[] whole = random.longs(some.length, -50, 50).toArray();
        double[] real = Arrays.stream(whole).mapToDouble(value -> value / 4.0).toArray();
        boolean fractions = !many.spec().type().integral() && random.nextBoolean();
        if (fractions) {
            worker.update(many, row, some, real);
        } else if (many.spec().op() == Combine.ADD) {
            worker.increment(many, row, some, whole);
        } else {
            worker.update(many, row, some, whole);
        }
        for (int i = 0; i < some.length; i++) {
            if (fractions) {
                worker.update(single, row, some[i], real[i]);
            } else {
                worker.update(single, row, some[i], whole[i]);
            }
        }
    }

    private static List<TableSpec> specs() {
        var specs = new ArrayList<TableSpec>();
        for (CellType type : CellType.values()) {
            for (Combine op : List.of(Combine.ADD, Combine.MIN, Combine.MAX)) {
                specs.add(TableSpec.sparse(type).op(op).slack(0));
                // Logs that are dense at once, list a few, or find columns by hash until they are dense.
                for (int columns : new int[] {20, 100, 150, 5_000}) {
                    specs.add(TableSpec.dense(type, columns).op(op).slack(0));
                }
            }
        }
        return specs;
    }

    private static void assertSame(Worker worker, Table many, Table single, long row, int columns) {
        RowView expected = worker.read(single, row);
        RowView view = worker.read(many, row);
        for (int column = 0; column < columns; column++) {
            assertThat(view.get(column))
                    .as("%s, row %s, column %s", many.spec(), row, column)
                    .isEqualTo(expected.get(column));
        }
    }

    private static void refused(Code code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
