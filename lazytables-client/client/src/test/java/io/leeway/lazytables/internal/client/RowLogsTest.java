package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.testkit.Seeds;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RowLogsTest {

    private static final TableSpec SPEC = TableSpec.sparse(CellType.INT);

    @Test
    void findsTheRowsThatWereAddedAndNoOthersInWhateverOrder() {
        RandomGenerator random = Seeds.random("row-logs");
        for (int run = 0; run < 200; run++) {
            var logs = new RowLogs(0);
            Map<Long, RowLog> model = new LinkedHashMap<>();
            int most = 1 + random.nextInt(30);
            for (int step = 0; step < 100; step++) {
                long key = random.nextInt(most);
                if (random.nextInt(3) == 0 && !model.containsKey(key)) {
                    var log = new RowLog(SPEC, key);
                    logs.add(log);
                    model.put(key, log);
                }
                assertThat(logs.find(key)).isSameAs(model.get(key));
            }
            model.forEach((key, log) -> assertThat(logs.find(key)).isSameAs(log));
            assertThat(logs).containsExactlyElementsOf(model.values());
            assertThat(logs.find(-1)).isNull();
            assertThat(logs.find(most)).isNull();
        }
    }
}
