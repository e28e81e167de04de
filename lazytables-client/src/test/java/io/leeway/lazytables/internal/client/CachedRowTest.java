package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row's logs from clock to clock. */
class CachedRowTest {

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
            RowLog log = row.beginLog(0);
            for (int i = 0; i < (much ? 3 * columns : 5); i++) {
                int column = random.nextInt(columns);
                row.updateLong(log, column, i);
                model[column] += i;
            }
            RowLog done = row.endLog(clock);
            assertThat(done).isSameAs(log);
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
}
