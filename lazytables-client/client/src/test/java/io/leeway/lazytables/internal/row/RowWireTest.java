package io.leeway.lazytables.internal.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Combine;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.testkit.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Logs and rows as messages hold them, against a map of columns. */
class RowWireTest {

    private static final long KEY = 7;
    private static final Integer[] COLUMNS = {32, 33, 64, 65, 100, 128, 129, 256, 257, 5_000, 70_000, Integer.MAX_VALUE
    };

    private final WireBuffer out = new WireBuffer(16);

    @Test
    void logsAndRowsComeOutAsTheyWentIn() {
        RandomGenerator random = Seeds.random("row-wire");
        for (int run = 0; run < 400; run++) {
            CellType type = any(random, CellType.values());
            Combine op = any(random, Combine.values());
            // Columns of one byte, of two, and of four; logs that begin dense, list a few, and find columns by hash.
            int columns = any(random, COLUMNS);
            boolean sparse = columns == Integer.MAX_VALUE || random.nextBoolean();
            TableSpec spec = (sparse ? TableSpec.sparse(type) : TableSpec.dense(type, columns)).op(op);
            var model = new HashMap<Integer, Double>();
            var there = new Row(spec);
            for (int step = 0; step < 6; step++) {
                RowLog log = log(random, spec, columns, model);
                RowLog.read(spec, written(log)).applyTo(there);
            }
            assertHolds(there, model);

            out.clear();
            there.write(out);
            var sent = new Row(spec);
            sent.updateLong(random.nextInt(columns), 5);
            sent.read(reader(out.size()));
            assertHolds(sent, model);
            sendSome(random, there, sent);
            assertHolds(sent, model);
        }
    }

    /** As in what is sent of a row that is known: nought with a sign is a value, and so is what is no number. */
    @Test
    void aWholeRowHoldsTheSameValuesAsItsChanges() {
        for (CellType type : new CellType[] {CellType.DOUBLE, CellType.FLOAT}) {
            for (TableSpec spec : new TableSpec[] {TableSpec.sparse(type), TableSpec.dense(type, 200)}) {
                var there = new Row(spec);
                there.setDouble(3, -0.0);
                there.setDouble(5, Double.NaN);
                there.setDouble(7, 1);

                out.clear();
                there.write(out);
                var whole = new Row(spec);
                whole.read(reader(out.size()));

                assertThat(1 / whole.getDouble(3)).isEqualTo(Double.NEGATIVE_INFINITY);
                assertThat(whole.getDouble(5)).isNaN();
                assertThat(1 / whole.getDouble(4)).isEqualTo(Double.POSITIVE_INFINITY);
            }
        }
    }

    @Test
    void whatWasLoggedIsDoneToTheNamedColumnsAlone() {
        RandomGenerator random = Seeds.random("row-columns");
        for (int run = 0; run < 400; run++) {
            int columns = new int[] {3, 60, 100, 128, 500}[random.nextInt(5)];
            CellType type = any(random, CellType.values());
            TableSpec spec = (random.nextBoolean() ? TableSpec.sparse(type) : TableSpec.dense(type, columns))
                    .op(any(random, Combine.values()));
            var before = new HashMap<Integer, Double>();
            RowLog first = log(random, spec, columns, before);
            var after = new HashMap<>(before);
            RowLog later = log(random, spec, columns, after);
            int[] some = random.ints(0, columns)
                    .limit(random.nextInt(columns))
                    .sorted()
                    .distinct()
                    .toArray();
            var row = new Row(spec);
            first.applyTo(row);
            later.applyTo(row, new ColumnSet(some));
            for (int column : some) {
                if (after.containsKey(column)) {
                    before.put(column, after.get(column));
                }
            }
            assertHolds(row, before);
        }
    }

    @Test
    void theSameColumnsInAnotherOrderAndWithNewOnesBetweenAreFound() {
        RandomGenerator random = Seeds.random("row-order");
        TableSpec spec = TableSpec.sparse(CellType.LONG);
        for (int run = 0; run < 100; run++) {
            var row = new Row(spec);
            var model = new HashMap<Integer, Double>();
            int[] columns = random.ints(600, 0, 2_000).toArray();
            for (int step = 0; step < 5; step++) {
                var log = new RowLog(spec, KEY);
                for (int column : columns) {
                    log.updateLong(column, column + step);
                    model.merge(column, (double) column + step, Double::sum);
                }
                RowLog.read(spec, written(log)).applyTo(row);
                for (int i = 0; i < step * 100; i++) {
                    columns[random.nextInt(columns.length)] = random.nextInt(2_000);
                }
            }
            assertHolds(row, model);
        }
    }

    @Test
    void cutOffAndWrongColumnsAreRefused() {
        for (TableSpec spec : new TableSpec[] {
            TableSpec.sparse(CellType.FLOAT), TableSpec.sparse(CellType.INT), TableSpec.dense(CellType.DOUBLE, 1_000)
        }) {
            var log = new RowLog(spec, KEY);
            for (int i = 0; i < 5; i++) {
                log.updateLong(i * 199, 1 + i);
            }
            written(log);
            for (int length = 0; length < out.size(); length++) {
                WireReader cut = reader(length);
                assertThatThrownBy(() -> RowLog.read(spec, cut)).isInstanceOf(WireException.class);
            }
        }
        TableSpec narrow = TableSpec.dense(CellType.INT, 300);
        assertThatThrownBy(() -> RowLog.read(narrow, columns(2, 0x2C, 1)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("The column is 300, not 0 to 299");
        assertThatThrownBy(() -> RowLog.read(narrow, columns(4, 0, 0, 0, 0x80)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("The column is -2147483648");
        assertThatThrownBy(() -> RowLog.read(narrow, columns(3, 1, 0, 0)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("The column has 3 bytes");
        assertThat(RowLog.read(narrow, columns(2, 0x2B, 1)).entries()).isEqualTo(1);
    }

    /** A row that is kept as it came is read only later: what then would be refused must be refused at once. */
    @Test
    void toGoBehindARowRefusesWhatToReadItRefusesAndEndsWhereThatEnds() {
        RandomGenerator random = Seeds.random("row-pass");
        int refused = 0;
        for (int run = 0; run < 4_000; run++) {
            int columns = any(random, COLUMNS);
            boolean sparse = columns > 70_000 || random.nextBoolean();
            CellType type = any(random, CellType.values());
            TableSpec spec = sparse ? TableSpec.sparse(type) : TableSpec.dense(type, columns);
            var row = new Row(spec);
            log(random, spec, columns, new HashMap<>()).applyTo(row);
            out.clear();
            row.write(out);
            int length = out.size();
            out.putLong(random.nextLong());
            for (int wrong = random.nextInt(4); wrong > 0; wrong--) {
                out.array()[random.nextInt(length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            }
            int sent = random.nextInt(4) == 0 ? random.nextInt(length) : out.size();
            String read = outcome(sent, in -> new Row(spec).read(in));
            assertThat(outcome(sent, in -> Row.pass(spec, in))).isEqualTo(read);
            refused += read.startsWith("refused") ? 1 : 0;
        }
        assertThat(refused).isBetween(400, 3_600);
    }

    @Test
    void toGoBehindSomeColumnsEndsBehindThem() {
        RandomGenerator random = Seeds.random("columns-pass");
        for (int run = 0; run < 400; run++) {
            int columns = any(random, COLUMNS);
            CellType type = any(random, CellType.values());
            TableSpec spec = columns > 70_000 ? TableSpec.sparse(type) : TableSpec.dense(type, columns);
            var row = new Row(spec);
            log(random, spec, columns, new HashMap<>()).applyTo(row);
            sendSome(random, row, new Row(spec));
            WireReader in = reader(out.size());
            Row.passColumns(spec, in);
            assertThat(in.more()).isFalse();
        }
    }

    /** Where a reader of what is sent ends, or why it does not. */
    private String outcome(int sent, Consumer<WireReader> how) {
        WireReader in = reader(sent);
        try {
            how.accept(in);
            return "at " + in.position();
        } catch (WireException e) {
            return "refused";
        }
    }

    private static <T> T any(RandomGenerator random, T[] all) {
        return all[random.nextInt(all.length)];
    }

    /** One cell's update, with these bytes for its column. */
    private WireReader columns(int width, int... bytes) {
        out.clear();
        out.putVar(KEY);
        out.putByte(1);
        out.putVar(1);
        out.putByte(width);
        for (int each : bytes) {
            out.putByte(each);
        }
        out.putSigned(1);
        return reader(out.size());
    }

    private static RowLog log(RandomGenerator random, TableSpec spec, int columns, Map<Integer, Double> model) {
        var log = new RowLog(spec, KEY);
        boolean puts = random.nextInt(4) == 0;
        int count = random.nextInt(random.nextInt(10) == 0 ? 1_000 : 20);
        for (int i = 0; i < count; i++) {
            int column = random.nextInt(Math.min(columns, random.nextBoolean() ? 50 : columns));
            long value = random.nextInt(-50, 50);
            if (puts && random.nextBoolean()) {
                log.putLong(column, value);
                model.put(column, (double) value);
            } else {
                log.updateLong(column, value);
                model.merge(column, (double) value, (a, b) -> spec.op().combine(a, b));
            }
        }
        return log;
    }

    private void sendSome(RandomGenerator random, Row from, Row to) {
        var some = new TreeSet<Integer>();
        for (int i = 0; i < from.entries(); i++) {
            if (random.nextInt(3) == 0) {
                some.add(from.columnAt(i));
                to.setLong(from.columnAt(i), -1);
            }
        }
        int[] columns = some.stream().mapToInt(Integer::intValue).toArray();
        out.clear();
        from.writeColumns(columns, out);
        assertThat(to.readColumns(reader(out.size()))).isEqualTo(columns);
    }

    private static void assertHolds(Row row, Map<Integer, Double> model) {
        for (int i = 0; i < row.entries(); i++) {
            int column = row.columnAt(i);
            Double expected = model.get(column);
            if (expected == null) {
                assertThat(row.doubleAt(i)).as("column %s", column).isEqualTo(row.identityDouble());
            }
        }
        model.forEach((column, value) ->
                assertThat(row.getDouble(column)).as("column %s", column).isEqualTo(value));
    }

    private WireReader written(RowLog log) {
        out.clear();
        log.write(out);
        return reader(out.size());
    }

    private WireReader reader(int length) {
        var in = new WireReader();
        in.open(out.array(), 0, length);
        return in;
    }
}
