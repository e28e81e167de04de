package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTablesException.Code;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows and messages near the limit of frames, with servers that are reached over TCP. */
@Timeout(120)
class FrameLimitTest {

    private static final String LEAST = "2MB";

    @Test
    void aRowThatOutgrewAFrameIsSaidToItsReaderAndTheOthersGoOn() {
        try (LazyTablesServer server = server(2);
                LazyTables writing = connect(server, 0, 2);
                LazyTables reading = connect(server, 1, 2)) {
            TableSpec spec = TableSpec.sparse(CellType.DOUBLE).slack(TableSpec.ASYNC);
            Table written = writing.table("t", spec);
            Worker writer = writing.worker(0);
            for (int clock = 0; clock < 4; clock++) {
                for (int i = 0; i < 60_000; i++) {
                    writer.increment(written, 5, clock * 60_000 + i, 0.5);
                }
                writer.clock();
            }
            Table read = reading.table("t", spec);
            Worker reader = reading.worker(0);
            reader.clock();

            assertThatThrownBy(() -> {
                        while (true) {
                            reader.read(read, 5, 0);
                            reader.clock();
                        }
                    })
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.FRAME_TOO_LARGE))
                    .hasMessageContaining("Row 5 of table t takes ")
                    .hasMessageContaining("lazytables.frame.limit of at least 3MB");
            assertThat(writer.get(written, 6, 0)).isZero();
        }
    }

    @Test
    void anUpdateThatIsLargerThanAFrameIsSaidToItsWriter() {
        try (LazyTablesServer server = server(1);
                LazyTables tables = connect(server, 0, 1)) {
            Table table = tables.table("t", TableSpec.sparse(CellType.DOUBLE));
            Worker worker = tables.worker(0);
            for (int i = 0; i < 240_000; i++) {
                worker.increment(table, 5, i, 0.5);
            }
            worker.clock();

            assertThatThrownBy(() -> worker.get(table, 6, 0))
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.FRAME_TOO_LARGE))
                    .hasMessageContaining("raise lazytables.frame.limit on both sides, or use shorter rows");
        }
    }

    @Test
    void theLeastLimitIsEnoughForAnyNumberOfRows() {
        try (LazyTablesServer server = server(1);
                LazyTables tables = connect(server, 0, 1)) {
            for (CellType type : CellType.values()) {
                Table table = tables.table(type.name(), TableSpec.sparse(type));
                Worker worker = tables.worker(0);
                for (int row = 0; row < 60; row++) {
                    for (int column = 0; column < 5_000; column++) {
                        put(worker, table, row, column * 100_003);
                    }
                }
                worker.clock();
                for (int row = 0; row < 60; row++) {
                    assertThat(worker.read(table, row, 0).entries()).isEqualTo(5_000);
                }
            }
        }
    }

    /** Of the values those that take most. */
    private static void put(Worker worker, Table table, long row, int column) {
        if (table.spec().type() == CellType.LONG || table.spec().type() == CellType.INT) {
            worker.put(table, row, column, table.spec().type() == CellType.INT ? Integer.MIN_VALUE : Long.MIN_VALUE);
        } else {
            worker.put(table, row, column, 0.1);
        }
    }

    private static LazyTablesServer server(int processes) {
        return LazyTablesServer.start(Map.of(
                "lazytables.server.listen",
                "127.0.0.1:0",
                "lazytables.processes",
                Integer.toString(processes),
                "lazytables.frame.limit",
                LEAST));
    }

    private static LazyTables connect(LazyTablesServer server, int process, int processes) {
        return LazyTables.builder()
                .option("lazytables.servers", server.address().toString())
                .option("lazytables.process", Integer.toString(process))
                .option("lazytables.processes", Integer.toString(processes))
                .timeout(Duration.ofSeconds(20))
                .connect();
    }
}
