package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.testkit.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class OwedLogsTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 1);

    private final OwedLogs owed = new OwedLogs();

    /** A row, what it must be when it has got all that it owes, and its place. */
    private static final class Owing {

        final Row row = new Row(SPEC);
        final int place;
        long expected;

        Owing(int place) {
            this.place = place;
        }
    }

    /** Whatever is owed, paid, forgotten and given back: each row gets its own, once. */
    @Test
    void eachRowGetsWhatItOwesOnce() {
        RandomGenerator random = Seeds.random("owed logs");
        Map<Integer, Owing> rows = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            int key = random.nextInt(100);
            Owing owing = rows.get(key);
            if (owing == null) {
                var taken = new Owing(owed.take());
                assertThat(rows.values()).noneMatch(other -> other.place == taken.place);
                rows.put(key, taken);
                continue;
            }
            switch (random.nextInt(10)) {
                case 0 -> {
                    owed.pay(owing.place, owing.row);
                    assertThat(owing.row.getLong(0)).isEqualTo(owing.expected);
                }
                case 1 -> {
                    // As if values came that hold everything.
                    owed.forget(owing.place);
                    owing.row.setLong(0, owing.expected);
                }
                case 2 -> {
                    if (step / 1_000 % 2 == 1) {
                        owed.giveBack(owing.place);
                        rows.remove(key);
                    }
                }
                default -> {
                    if (owed.isFull(owing.place)) {
                        owed.pay(owing.place, owing.row);
                    }
                    owed.owe(owing.place, increment(step));
                    owing.expected += step;
                }
            }
        }
        rows.values().forEach(owing -> {
            owed.pay(owing.place, owing.row);
            assertThat(owing.row.getLong(0)).isEqualTo(owing.expected);
        });
    }

    @Test
    void aRowOwesAFewAtMost() {
        var row = new Row(SPEC);
        int place = owed.take();
        for (int i = 0; i < OwedLogs.MOST; i++) {
            assertThat(owed.isFull(place)).isFalse();
            owed.owe(place, increment(1));
        }
        assertThat(owed.isFull(place)).isTrue();
        owed.pay(place, row);
        assertThat(owed.isFull(place)).isFalse();
    }

    @Test
    void aCopyGetsWhatTheRowGoesOnToOwe() {
        var row = new Row(SPEC);
        var copy = new Row(SPEC);
        int place = owed.take();
        owed.owe(place, increment(3));
        owed.applyTo(place, copy);
        assertThat(copy.getLong(0)).isEqualTo(3);
        owed.pay(place, row);
        assertThat(row.getLong(0)).isEqualTo(3);
    }

    /** A put makes void what was owed before it, and no more. */
    @Test
    void logsAreDoneInTheirOrder() {
        var row = new Row(SPEC);
        int place = owed.take();
        owed.owe(place, increment(1));
        var put = new RowLog(SPEC, 0);
        put.putLong(0, 10);
        owed.owe(place, put);
        owed.owe(place, increment(2));
        owed.pay(place, row);
        assertThat(row.getLong(0)).isEqualTo(12);
    }

    /** Places that were given back are taken first. */
    @Test
    void takesNoMorePlacesThanThereAreRows() {
        for (int i = 0; i < 1_000; i++) {
            int one = owed.take();
            int other = owed.take();
            assertThat(one).isLessThan(2);
            assertThat(other).isLessThan(2);
            owed.giveBack(one);
            owed.giveBack(other);
        }
    }

    private static RowLog increment(long by) {
        var log = new RowLog(SPEC, 0);
        log.updateLong(0, by);
        return log;
    }
}
