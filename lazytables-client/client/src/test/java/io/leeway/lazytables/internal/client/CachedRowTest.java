package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row's logs from clock to clock. */
class CachedRowTest {

    private static final TableSpec SPARSE = TableSpec.sparse(CellType.LONG);

    @ParameterizedTest
    @ValueSource(ints = {40, 128, 129, 1_000})
    void logsHoldWhatWasDoneAndAreDenseWhileMuchIs(int columns) {
        RandomGenerator random = Seeds.random("cached-row");
        TableSpec spec = TableSpec.dense(CellType.LONG, columns);
        var row = new CachedRow(new ClientTable(0, "t", spec), 7);
        var sum = new Row(spec);
        long[] model = new long[columns];
        for (int clock = 0; clock < 200; clock++) {
            boolean much = clock / 50 % 2 == 0;
            RowLog log = row.newLog(0);
            for (int i = 0; i < (much ? 3 * columns : 5); i++) {
                int column = random.nextInt(columns);
                row.updateLong(log, column, i);
                model[column] += i;
            }
            row.endLog(log, clock);
            log.applyTo(sum);
            // Some clocks behind a change.
            if (clock % 50 >= 17) {
                assertThat(log.isDense()).isEqualTo(much);
            }
        }
        for (int column = 0; column < columns; column++) {
            assertThat(sum.getLong(column)).isEqualTo(model[column]);
        }
    }

    /** Whatever is done to a sparse row, its logs hold what was done, no more and no less, also when the row has gone on; and the worker sees it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 60})
    void logsOfSparseRowsHoldWhatWasDone(int columns) {
        RandomGenerator random = Seeds.random("cached sparse row");
        int beside = 0;
        for (int run = 0; run < 200; run++) {
            var row = new CachedRow(new ClientTable(0, "t", SPARSE), 7);
            var seen = new Row(SPARSE);
            var logs = new ArrayList<RowLog>();
            var done = new ArrayList<Row>();
            for (int clock = 0; clock < 20; clock++) {
                var inClock = new Row(SPARSE);
                RowLog log = null;
                int steps = random.nextInt(4 * columns);
                for (int i = 0; i < steps; i++) {
                    // There are more from clock to clock.
                    int column = random.nextInt(1 + columns * clock / 20) * 97;
                    if (random.nextInt(8 * columns) == 0) {
                        // The process's cache may have the columns in another order.
                        takeOther(row.writable(log), shuffled(seen, random), random.nextBoolean());
                    }
                    log = log == null ? row.newLog() : log;
                    beside += log.isBeside(0) ? 1 : 0;
                    if (random.nextInt(10) == 0) {
                        row.update(log, new int[] {column}, new long[] {i});
                    } else {
                        row.updateLong(log, column, i);
                    }
                    inClock.updateLong(column, i);
                    seen.updateLong(column, i);
                }
                if (log != null) {
                    row.endLog(log, clock);
                    logs.add(log);
                    done.add(inClock);
                }
            }

            var sum = new Row(SPARSE);
            for (int i = 0; i < logs.size(); i++) {
                var asSent = new Row(SPARSE);
                RowLog log = logs.get(i);
                sent(log).applyTo(asSent);
                int written = log.writtenCells();
                assertThat(Arrays.copyOf(log.writtenColumns(written), written)).doesNotHaveDuplicates();
                assertThat(cells(asSent)).isEqualTo(cells(done.get(i)));
                log.applyTo(sum);
            }
            assertThat(cells(sum)).isEqualTo(cells(seen));
            if (!logs.isEmpty()) {
                // As those of several workers are joined, in one of them.
                RowLog joined = logs.remove(random.nextInt(logs.size()));
                Collections.reverse(logs);
                logs.forEach(joined::append);
                var all = new Row(SPARSE);
                joined.applyTo(all);
                assertThat(cells(all)).isEqualTo(cells(seen));
            }
            if (row.wasRead()) {
                assertThat(cells(row.values)).isEqualTo(cells(seen));
            }
        }
        assertThat(beside).as("updates of logs beside their rows").isPositive();
    }

    @Test
    void aLogThatAddsAColumnOfItsOwnIsBesideTheRowNoMore() {
        var row = new Row(SPARSE);
        row.setLong(5, 50);
        RowLog log = RowLog.beside(SPARSE, 7, row);
        assertThat(log.isBeside(row.place(5))).isTrue();

        log.updateLong(8, 1);
        assertThat(log.isBeside(row.place(9))).isFalse();
        assertThat(log.follow(row)).isFalse();
        log.updateLong(9, 2);

        log.applyTo(row);
        assertThat(cells(row)).isEqualTo(Map.of(5, 50L, 8, 1L, 9, 2L));
    }

    private static void takeOther(Row row, Row other, boolean byCell) {
        if (byCell) {
            row.clear();
            for (int i = 0; i < other.entries(); i++) {
                row.setLong(other.columnAt(i), other.longAt(i));
            }
        } else {
            row.copyFrom(other);
        }
    }

    private static Row shuffled(Row row, RandomGenerator random) {
        var entries = new ArrayList<Integer>();
        for (int i = 0; i < row.entries(); i++) {
            entries.add(random.nextInt(entries.size() + 1), i);
        }
        var shuffled = new Row(SPARSE);
        entries.forEach(entry -> shuffled.setLong(row.columnAt(entry), row.longAt(entry)));
        return shuffled;
    }

    private static RowLog sent(RowLog log) {
        var out = new WireBuffer(64);
        log.write(out);
        var in = new WireReader();
        in.open(out.array(), 0, out.size());
        return RowLog.read(SPARSE, in);
    }

    /** What is not zero, by column. */
    private static Map<Integer, Long> cells(Row row) {
        var cells = new TreeMap<Integer, Long>();
        for (int i = 0; i < row.entries(); i++) {
            if (row.longAt(i) != 0) {
                cells.put(row.columnAt(i), row.longAt(i));
            }
        }
        return cells;
    }
}
