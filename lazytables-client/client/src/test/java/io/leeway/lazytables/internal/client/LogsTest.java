package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.RowLog;
import org.junit.jupiter.api.Test;

class LogsTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 1);

    private final Logs logs = new Logs();

    @Test
    void whoHasNoPlaceHasNoLog() {
        assertThat(logs.get(Logs.NONE)).isNull();
        logs.add(new RowLog(SPEC, 1));
        assertThat(logs.get(Logs.NONE)).isNull();
    }

    @Test
    void eachPlaceHasItsOwnUntilAllAreCleared() {
        for (int clock = 0; clock < 3; clock++) {
            RowLog[] added = new RowLog[100];
            for (int i = 0; i < added.length; i++) {
                added[i] = new RowLog(SPEC, i);
                assertThat(logs.add(added[i])).isEqualTo(i);
            }
            for (int i = 0; i < added.length; i++) {
                assertThat(logs.get(i)).isSameAs(added[i]);
            }
            logs.clear();
            assertThat(logs.get(0)).isNull();
            assertThat(logs.get(added.length - 1)).isNull();
        }
    }
}
