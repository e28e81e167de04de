package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTablesException.Code;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values that cells do not hold are refused at the call, and those that could not be taken back; nothing is cut or turned into another value. */
class OddValuesTest {

    private static final long LONG = 3_000_000_000L;
    private static final int[] COLUMNS = {0, 1};

    private final LazyTables tables = LazyTables.connect();
    private final Worker worker = tables.worker(0);

    @AfterEach
    void close() {
        tables.close();
    }

    @Test
    void integersThatDoNotFitAreRefusedHoweverTheyCome() {
        Table ints = tables.table("ints", TableSpec.dense(CellType.INT, 2));
        Table least = tables.table("least", TableSpec.dense(CellType.INT, 2).op(Combine.MIN));
        worker.update(least, 0, 0, 7);

        refused(Code.WRONG_TYPE, () -> worker.update(least, 0, 0, Long.MAX_VALUE));
        refused(Code.WRONG_TYPE, () -> worker.put(ints, 0, 0, LONG));
        refused(Code.WRONG_TYPE, () -> worker.increment(ints, 0, 0, -LONG));
        refused(Code.WRONG_TYPE, () -> worker.incrementRow(ints, 0, new long[] {1, LONG}));
        refused(Code.WRONG_TYPE, () -> worker.updateRow(least, 0, new long[] {LONG, 1}));
        refused(Code.WRONG_TYPE, () -> worker.increment(ints, 0, COLUMNS, new long[] {1, LONG}));
        refused(Code.WRONG_TYPE, () -> worker.update(least, 0, COLUMNS, new long[] {1, LONG}));
        worker.increment(ints, 0, 1, Integer.MIN_VALUE);
        worker.clock();

        assertThat(worker.getLong(least, 0, 0)).isEqualTo(7);
        assertThat(worker.getLong(ints, 0, 0)).isZero();
        assertThat(worker.getLong(ints, 0, 1)).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void numbersThatAreTooLargeForFloatsAreRefused() {
        Table floats = tables.table("floats", TableSpec.dense(CellType.FLOAT, 2));

        refused(Code.WRONG_TYPE, () -> worker.put(floats, 0, 0, 1e39));
        refused(Code.WRONG_TYPE, () -> worker.increment(floats, 0, 0, -1e300));
        refused(Code.WRONG_TYPE, () -> worker.incrementRow(floats, 0, new double[] {1, 1e39}));
        refused(Code.WRONG_TYPE, () -> worker.increment(floats, 0, COLUMNS, new double[] {1, 1e39}));
        // What rounds to the greatest float, and what is infinite on purpose, are values of floats.
        worker.put(floats, 0, 0, Float.MAX_VALUE * (1 + 1e-9));
        worker.put(floats, 0, 1, Double.NEGATIVE_INFINITY);
        worker.clock();

        assertThat(worker.get(floats, 0, 0)).isEqualTo(Float.MAX_VALUE);
        assertThat(worker.get(floats, 0, 1)).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void whatCouldNotBeTakenBackIsNoStep() {
        for (CellType type : new CellType[] {CellType.FLOAT, CellType.DOUBLE}) {
            Table limited =
                    tables.table("limited" + type, TableSpec.dense(type, 2).maxStep(1));
            for (double value : new double[] {
                Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE, -Double.MAX_VALUE
            }) {
                refused(Code.BAD_ARGUMENT, () -> worker.increment(limited, 0, 0, value));
                refused(Code.BAD_ARGUMENT, () -> worker.incrementRow(limited, 0, new double[] {0.1, value}));
                refused(Code.BAD_ARGUMENT, () -> worker.increment(limited, 0, COLUMNS, new double[] {value, 0.1}));
            }
            worker.increment(limited, 0, 0, 0.5);
            worker.increment(limited, 0, 0, 1e20);
            refused(Code.STEP_TOO_LONG, worker::clock);
            // Rounded away, and taken back to what is left all the same.
            worker.increment(limited, 0, 0, -1e20);
            worker.clock();

            assertThat(worker.readWithin(limited, 0, 0).get(0)).isZero();
        }
    }

    private static void refused(Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
