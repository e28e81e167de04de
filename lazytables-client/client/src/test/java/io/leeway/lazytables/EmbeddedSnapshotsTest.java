package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTablesException.Code;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server inside the process that stores snapshots: the program goes on where it was. */
class EmbeddedSnapshotsTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 3);

    @Test
    void tablesAndClocksOutliveTheInstance(@TempDir Path directory) {
        for (int run = 0; run < 3; run++) {
            try (LazyTables tables = builder(directory.toString()).connect()) {
                Table table = tables.table("t", SPEC);
                Worker worker = tables.worker(0);
                assertThat(worker.clocks()).isEqualTo(2 * run);
                assertThat(worker.getLong(table, 7, 1)).isEqualTo(2L * run);
                for (int i = 0; i < 2; i++) {
                    worker.increment(table, 7, 1, 1);
                    worker.clock();
                }
            }
        }
    }

    @Test
    void aStoreOfOnesOwnIsFoundByItsScheme() {
        for (int run = 0; run < 2; run++) {
            try (LazyTables tables = builder("memory:mine").connect()) {
                assertThat(tables.worker(0).clocks()).isEqualTo(run);
                tables.worker(0).clock();
            }
        }
    }

    @Test
    void aStoreThatTakesNothingIsSaidAtOnce() {
        assertThatThrownBy(() ->
                        builder("memory:full").timeout(Duration.ofSeconds(3)).connect())
                .isInstanceOfSatisfying(
                        LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT))
                .hasMessageContaining("Not all servers have stored that this process takes part");
    }

    @Test
    void aStoreThatFailsInAnyWayIsTriedAgain() {
        try (LazyTables tables =
                builder("memory:lame").timeout(Duration.ofSeconds(30)).connect()) {
            assertThat(tables.worker(0).clocks()).isZero();
        }
    }

    @Test
    void oneDirectoryIsNotForSeveralServers(@TempDir Path directory) {
        assertThatThrownBy(
                        () -> builder(directory.toString()).embeddedServers(2).connect())
                .isInstanceOfSatisfying(
                        LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.CONFIGURATION))
                .hasMessageContaining("2 are to start in this process");
    }

    private static LazyTables.Builder builder(String place) {
        return LazyTables.builder()
                .option("lazytables.snapshot.directory", place)
                .option("lazytables.resume", "true");
    }
}
