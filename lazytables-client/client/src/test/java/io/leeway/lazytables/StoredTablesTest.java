package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables of a clock, read from the directories of two servers while a worker is ahead, and afterwards. */
@Timeout(120)
class StoredTablesTest {

    private static final int ROWS = 30;
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final TableSpec COUNTS = TableSpec.dense(CellType.LONG, 2).slack(5);

    @TempDir
    private Path directory;

    private final List<String> places = new ArrayList<>();
    private final List<LazyTablesServer> servers = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < 2; i++) {
            String place =
                    Files.createDirectory(directory.resolve("server-" + i)).toString();
            places.add(place);
            servers.add(server(place));
        }
    }

    private static LazyTablesServer server(String place) {
        return LazyTablesServer.start(Map.of(
                "lazytables.processes", "2",
                "lazytables.snapshot.directory", place,
                "lazytables.tables.clocks", "2",
                "lazytables.tables.kept", "2",
                "lazytables.server.listen", "127.0.0.1:0"));
    }

    @AfterEach
    void stop() {
        servers.forEach(LazyTablesServer::close);
    }

    private LazyTables connect(int process) {
        return connect(process, false);
    }

    private LazyTables connect(int process, boolean resumes) {
        return LazyTables.builder()
                .option(
                        "lazytables.servers",
                        servers.stream()
                                .map(server -> server.address().toString())
                                .collect(Collectors.joining(",")))
                .option("lazytables.processes", "2")
                .option("lazytables.process", Integer.toString(process))
                .option("lazytables.resume", Boolean.toString(resumes))
                .timeout(LIMIT)
                .connect();
    }

    /** One clock of a process, which adds to its own column, and to a row of its own of each clock in another table. */
    private static void clock(LazyTables tables, int process) {
        Table counts = tables.table("counts", COUNTS);
        Table lines = tables.table("lines", TableSpec.sparse(CellType.DOUBLE).slack(5));
        Worker worker = tables.worker(0);
        for (int row = 0; row < ROWS; row++) {
            worker.increment(counts, row, process, 1L + row);
        }
        worker.increment(lines, 100L + worker.clocks(), 1_000_000 + process, 0.5);
        worker.clock();
    }

    private void awaitClock(int clock) {
        await().atMost(LIMIT).until(() -> StoredTables.clocks(places).contains(clock));
    }

    @Test
    void tablesHoldTheirClockAndNothingNewerWhileTheRunGoesOn() throws Exception {
        try (LazyTables ahead = connect(0);
                LazyTables behind = connect(1)) {
            for (int clock = 0; clock < 5; clock++) {
                clock(ahead, 0);
            }
            for (int clock = 0; clock < 3; clock++) {
                clock(behind, 1);
            }
            awaitClock(2);

            StoredTables tables = StoredTables.newest(places);
            assertThat(tables.clock()).isEqualTo(2);
            assertThat(tables.names()).containsExactlyInAnyOrder("counts", "lines");
            assertThat(tables.spec("counts")).isEqualTo(COUNTS);
            assertThat(tables.rows("counts")).isEqualTo(ROWS);
            for (int row = 0; row < ROWS; row++) {
                RowView counts = tables.row("counts", row);
                assertThat(counts.getLong(0)).isEqualTo(2L * (1 + row));
                assertThat(counts.getLong(1)).isEqualTo(2L * (1 + row));
                assertThat(counts.dataClock()).isEqualTo(2);
            }
            // Of the rows of single clocks two are there, and each has both processes' cells.
            var lines = new HashMap<Long, Integer>();
            tables.forEachRow("lines", row -> lines.put(row.key(), row.entries()));
            assertThat(lines).isEqualTo(Map.of(100L, 2, 101L, 2));
            assertThat(tables.row("lines", 102)).isNull();

            clock(behind, 1);
            // Else the next could be passed over while this one is being stored.
            awaitClock(4);
            clock(behind, 1);
            clock(behind, 1);
            clock(ahead, 0);
            awaitClock(6);
            assertThat(StoredTables.newest(places).row("counts", 0).getLong(0)).isEqualTo(6);
            // Two are kept.
            await().atMost(LIMIT).until(() -> StoredTables.clocks(places).equals(Set.of(4, 6)));
            assertThat(StoredTables.at(4, places).row("counts", 1).getLong(1)).isEqualTo(8);
            assertThatThrownBy(() -> StoredTables.at(2, places))
                    .isInstanceOfSatisfying(
                            LazyTablesException.class,
                            e -> assertThat(e.code()).isEqualTo(LazyTablesException.Code.SNAPSHOT))
                    .hasMessageContaining("The tables of clock 2 cannot be read")
                    .hasMessageContaining("all servers have some: [4, 6]");
        }
    }

    @Test
    void theyStayWhenTheRunHasEndedAndTheCommandShowsThem() throws Exception {
        finish(2);

        JavaProcess.Result list = tables(places.get(1), places.get(0));
        assertThat(list.output())
                .contains("clock 2; all servers have clocks [2]")
                .containsPattern("counts +30  dense, 2 columns of long\n")
                .containsPattern("lines +2  sparse of double\n");
        JavaProcess.Result cells = tables(places.get(0), places.get(1), "--table=counts", "--clock=2");
        assertThat(cells.output().lines())
                .hasSize(1 + 2 * ROWS)
                .startsWith("row\tcolumn\tvalue")
                .contains("29\t1\t60");
        assertThat(tables(places.get(0)).exitCode()).isEqualTo(1);
        assertThat(tables(places.get(0)).output()).contains("of a run of 2 servers", "name the directories of all");
        assertThat(tables("--clock=2").exitCode()).isEqualTo(2);
        assertThat(tables(places.get(0), places.get(1), "--table=none").output())
                .contains("There is no table none");
    }

    @Test
    void inPlaceOfTheNewestThatIsDamagedComesTheOneBefore() throws Exception {
        finish(4);
        Path newest = directory.resolve("server-1/tables-0000000004");
        byte[] bytes = Files.readAllBytes(newest);
        bytes[bytes.length - 1] ^= 1;
        Files.write(newest, bytes);

        assertThat(StoredTables.newest(places).clock()).isEqualTo(2);
        assertThatThrownBy(() -> StoredTables.at(4, places))
                .hasMessageContaining("tables-0000000004 was cut or changed");
        Files.delete(newest);
        assertThat(StoredTables.clocks(places)).containsExactly(2);
    }

    @Test
    void tablesOfAnEarlierRunAreNotTakenForThisOnes() throws Exception {
        finish(8);
        // As a message suggests to who begins anew; or the server was killed before its first snapshot.
        removeSnapshots();
        startAgain();
        try (LazyTables first = connect(0);
                LazyTables second = connect(1)) {
            // As soon as the run has begun.
            await().atMost(LIMIT).until(() -> StoredTables.clocks(places).isEmpty());
            assertThatThrownBy(() -> StoredTables.newest(places)).hasMessageContaining("There is no clock");
            for (int clock = 0; clock < 4; clock++) {
                // Other values than in the run before.
                clock(first, 0);
                clock(first, 0);
                clock(second, 1);
                clock(second, 1);
                awaitClock(2 * clock + 2);
                assertThat(StoredTables.newest(places).clock()).isEqualTo(2 * clock + 2);
            }
            await().atMost(LIMIT).until(() -> StoredTables.clocks(places).equals(Set.of(6, 8)));
        }
        servers.forEach(LazyTablesServer::close);
        // Those of the earlier run are still there for who looks for them.
        assertThat(directory.resolve("server-0/tables-0000000008")).exists();
        assertThat(directory.resolve("server-0/tables-0000000008-2")).exists();
    }

    @Test
    void tablesOfTwoRunsAreNotPutTogether() throws Exception {
        finish(2);
        Path kept = Files.copy(directory.resolve("server-0/tables-0000000002"), directory.resolve("kept"));
        removeSnapshots();
        startAgain();
        finish(2);
        Files.move(kept, directory.resolve("server-0/tables-0000000002-2"), StandardCopyOption.REPLACE_EXISTING);

        assertThatThrownBy(() -> StoredTables.newest(places)).hasMessageContaining("They are of different runs");
    }

    @Test
    void aRunThatGoesOnFromItsSnapshotsKeepsItsTables() throws Exception {
        finish(4);
        startAgain();

        assertThat(StoredTables.clocks(places)).containsExactly(2, 4);
        try (LazyTables first = connect(0, true);
                LazyTables second = connect(1, true)) {
            for (int clock = 0; clock < 2; clock++) {
                clock(first, 0);
                clock(second, 1);
            }
            awaitClock(6);
        }
        assertThat(StoredTables.clocks(places)).containsExactly(4, 6);
        assertThat(StoredTables.newest(places).row("counts", 0).getLong(0)).isEqualTo(6);
    }

    private void removeSnapshots() throws IOException {
        for (String place : places) {
            try (var files = Files.newDirectoryStream(Path.of(place), "snapshot-*")) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
        }
    }

    private void startAgain() {
        servers.clear();
        places.forEach(place -> servers.add(server(place)));
    }

    private void finish(int clocks) {
        try (LazyTables first = connect(0);
                LazyTables second = connect(1)) {
            for (int clock = 0; clock < clocks; clock++) {
                clock(first, 0);
                clock(second, 1);
                // Else one of the two clocks could be passed over while the other is being stored.
                int done = clock + 1;
                if (done % 2 == 0) {
                    awaitClock(done);
                }
            }
        }
        servers.forEach(LazyTablesServer::close);
    }

    private static JavaProcess.Result tables(String... arguments) {
        var words = new ArrayList<>(List.of("tables"));
        words.addAll(List.of(arguments));
        return JavaProcess.run(
                System.getProperty("java.class.path"), LazyTablesCommand.class.getName(), words.toArray(String[]::new));
    }
}
