package io.leeway.lazytables.internal.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that take each other's values, go on with them, and are emptied, in any order. */
class RowCopyTest {

    private static final int ROWS = 3;
    private static final int COLUMNS = 40;
    private static final int STEPS = 20_000;

    @ParameterizedTest
    @EnumSource(CellType.class)
    void aSparseRowHasWhatTheOtherHad(CellType type) {
        var random = new Random(Seeds.seed("copies " + type));
        List<Row> rows = new ArrayList<>();
        List<Map<Integer, Long>> expected = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(new Row(TableSpec.sparse(type)));
            expected.add(new HashMap<>());
        }
        for (int step = 0; step < STEPS; step++) {
            int at = random.nextInt(ROWS);
            switch (random.nextInt(12)) {
                case 0 -> {
                    rows.get(at).clear();
                    expected.get(at).clear();
                }
                case 1, 2 -> {
                    int other = (at + 1 + random.nextInt(ROWS - 1)) % ROWS;
                    rows.get(at).copyFrom(rows.get(other));
                    expected.set(at, new HashMap<>(expected.get(other)));
                }
                default -> {
                    int column = random.nextInt(COLUMNS);
                    rows.get(at).updateLong(column, 1);
                    expected.get(at).merge(column, 1L, Long::sum);
                }
            }
            assertThat(values(rows.get(at))).as("after step %d", step).isEqualTo(expected.get(at));
        }
    }

    /** Found by going through the row, and by looking for each column. */
    private static Map<Integer, Long> values(Row row) {
        var values = new HashMap<Integer, Long>();
        for (int i = 0; i < row.entries(); i++) {
            values.put(row.columnAt(i), row.longAt(i));
        }
        for (int column = 0; column < COLUMNS; column++) {
            assertThat(row.getLong(column)).isEqualTo(values.getOrDefault(column, 0L));
        }
        return values;
    }
}
