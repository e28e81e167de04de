package io.leeway.lazytables.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of servers and clients that are killed, and what the others make of it. */
@Timeout(300)
class RecoveryTest {

    private static final int CLOCKS = 400;
    private static final int ROWS = CountingMain.ROWS;

    @TempDir
    private Path directory;

    @Test
    void serversThatAreKilledGoOnAndEveryUpdateCountsOnce() throws Exception {
        RandomGenerator random = Seeds.random("killed servers");
        List<ServerChild> servers = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                servers.add(server(i, "127.0.0.1:0", 2));
            }
            String addresses = servers.get(0).address() + "," + servers.get(1).address();
            try (CountingChild first = client(addresses, 0, 2);
                    CountingChild second = client(addresses, 1, 2)) {
                int clock = 0;
                for (int kills = 0; kills < 4; kills++) {
                    clock += 1 + random.nextInt(CLOCKS / 5);
                    // They are at work when the server ends, and not at their end.
                    first.allow(clock + 10);
                    second.allow(clock + 10);
                    first.awaitClock(clock);
                    int victim = random.nextInt(2);
                    servers.get(victim).kill();
                    servers.set(victim, server(victim, servers.get(victim).address(), 2));
                }

                first.allow(CLOCKS);
                second.allow(CLOCKS);
                assertThat(first.awaitTotal()).isEqualTo(2L * ROWS * CLOCKS);
                assertThat(second.awaitTotal()).isEqualTo(2L * ROWS * CLOCKS);
            }
        } finally {
            for (ServerChild server : servers) {
                server.close();
            }
        }
    }

    @Test
    void allServersMayBeLostAtOnce() throws Exception {
        RandomGenerator random = Seeds.random("all servers killed");
        List<ServerChild> servers = new ArrayList<>(List.of(server(0, "127.0.0.1:0", 2), server(1, "127.0.0.1:0", 2)));
        try {
            String addresses = servers.get(0).address() + "," + servers.get(1).address();
            try (CountingChild first = client(addresses, 0, 2);
                    CountingChild second = client(addresses, 1, 2)) {
                int clock = 0;
                for (int kills = 0; kills < 2; kills++) {
                    clock += 1 + random.nextInt(CLOCKS / 5);
                    first.allow(clock + 10);
                    second.allow(clock + 10);
                    first.awaitClock(clock);
                    for (ServerChild server : servers) {
                        server.kill();
                    }
                    for (int i = 0; i < 2; i++) {
                        servers.set(i, server(i, servers.get(i).address(), 2));
                    }
                }

                first.allow(CLOCKS);
                second.allow(CLOCKS);
                assertThat(first.awaitTotal()).isEqualTo(2L * ROWS * CLOCKS);
                assertThat(second.awaitTotal()).isEqualTo(2L * ROWS * CLOCKS);
            }
        } finally {
            for (ServerChild server : servers) {
                server.close();
            }
        }
    }

    @Test
    void allProcessesMayBeLostAtOnce() throws Exception {
        try (ServerChild server = server(0, "127.0.0.1:0", 2)) {
            int clock = 0;
            for (int kills = 0; kills < 2; kills++) {
                try (CountingChild first = resuming(server.address(), 0, 2, CLOCKS);
                        CountingChild second = resuming(server.address(), 1, 2, CLOCKS)) {
                    clock += 60;
                    first.allow(clock + 10);
                    second.allow(clock + 10);
                    first.awaitClock(clock);
                }
            }
            try (CountingChild first = resuming(server.address(), 0, 2, CLOCKS);
                    CountingChild second = resuming(server.address(), 1, 2, CLOCKS)) {
                first.allow(CLOCKS);
                second.allow(CLOCKS);
                assertThat(first.awaitTotal()).isEqualTo(2L * ROWS * CLOCKS);
                assertThat(second.awaitTotal()).isEqualTo(2L * ROWS * CLOCKS);
            }
        }
    }

    @Test
    void aServerWithoutADirectoryThatIsStartedAgainIsSaidToHaveLostItsTables() throws Exception {
        ServerChild server = new ServerChild("--processes=1");
        try (LazyTables tables = connect(server.address(), 0, 1)) {
            Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
            Worker worker = tables.worker(0);
            worker.increment(table, 1, 0, 1);
            worker.clock();
            assertThat(worker.getLong(table, 1, 0, 0)).isEqualTo(1);
            // Once the server has said that it has the update, nobody else has it.
            worker.clock();
            assertThat(worker.getLong(table, 2, 0, 0)).isZero();

            server.kill();
            server = new ServerChild("--processes=1", "--server.listen=" + server.address());

            assertThatThrownBy(() -> {
                        for (long row = 10; ; row++) {
                            worker.getLong(table, row, 0, 0);
                        }
                    })
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.LOST))
                    .hasMessageContaining("was it started without its snapshot?");
        } finally {
            server.close();
        }
    }

    @Test
    void aNewestSnapshotThatIsDamagedLosesNothing() throws Exception {
        ServerChild server = server(0, "127.0.0.1:0", 1);
        try (LazyTables tables = connect(server.address(), 0, 1)) {
            Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
            Worker worker = tables.worker(0);
            long clocks = 0;
            while (snapshots(0).size() < 2 || lastNumber(0) < 4) {
                worker.increment(table, 1, 0, 1);
                worker.clock();
                assertThat(worker.getLong(table, 1, 0, 0)).isEqualTo(++clocks);
            }

            server.kill();
            Path newest = snapshots(0).get(snapshots(0).size() - 1);
            Files.write(newest, new byte[] {1, 2, 3});
            server = server(0, server.address(), 1);

            worker.increment(table, 1, 0, 1);
            worker.clock();
            assertThat(worker.getLong(table, 1, 0, 0)).isEqualTo(clocks + 1);
            assertThat(server.log()).contains(newest.getFileName() + " in").contains("was cut or changed");
        } finally {
            server.close();
        }
    }

    @Test
    void snapshotsMayGoByClocks() throws Exception {
        try (ServerChild server = new ServerChild(
                        "--processes=1",
                        "--snapshot.directory=" + created(0),
                        "--snapshot.interval=0s",
                        "--snapshot.clocks=5");
                LazyTables tables = connect(server.address(), 0, 1)) {
            Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
            Worker worker = tables.worker(0);
            for (int clock = 1; clock <= 4; clock++) {
                worker.increment(table, 1, 0, 1);
                worker.clock();
                assertThat(worker.getLong(table, 1, 0, 0)).isEqualTo(clock);
            }
            assertThat(snapshots(0)).isEmpty();

            worker.clock();

            await().atMost(Duration.ofMinutes(1)).until(() -> !snapshots(0).isEmpty());
        }
    }

    @Test
    void tablesOutliveAServerThatIsToldToEnd() throws Exception {
        ServerChild server =
                new ServerChild("--processes=1", "--snapshot.directory=" + created(0), "--snapshot.interval=1h");
        try (CountingChild client = resuming(server.address(), 0, 1, 20)) {
            assertThat(client.allow(20).awaitTotal()).isEqualTo(20L * ROWS);
        }
        server.close();

        server = new ServerChild("--processes=1", "--snapshot.directory=" + created(0));
        try (CountingChild client = resuming(server.address(), 0, 1, 50)) {
            assertThat(client.awaitBegin()).isEqualTo(21);
            assertThat(client.allow(50).awaitTotal()).isEqualTo((20L + 50 - 21) * ROWS);
        } finally {
            server.close();
        }
    }

    @Test
    void aSnapshotOfAnotherRunIsNotTaken() throws Exception {
        try (ServerChild server = server(0, "127.0.0.1:0", 1);
                CountingChild client = client(server.address(), 0, 1)) {
            client.allow(CLOCKS).awaitTotal();
        }

        assertThatThrownBy(() -> server(0, "127.0.0.1:0", 3))
                .hasMessageContaining("LAZY-1501")
                .hasMessageContaining("is of a run of 1 processes, and this one is of 3");
        try (ServerChild server = server(0, "127.0.0.1:0", 1);
                CountingChild client = client(server.address(), 0, 1)) {
            assertThat(client.allow(CLOCKS).awaitFailure())
                    .contains("There is a process 0 already")
                    .contains("begin with an empty snapshot directory");
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsSaidAndNothingIsLost() throws Exception {
        try (ServerChild server = server(0, "127.0.0.1:0", 1);
                LazyTables tables = connect(server.address(), 0, 1)) {
            Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
            Worker worker = tables.worker(0);
            Path place = directory.resolve("server-0");
            Path away = directory.resolve("away");
            Files.move(place, away);

            worker.increment(table, 1, 0, 1);
            worker.clock();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> server.log().contains("LAZY-1501: The snapshot cannot be stored in " + place));
            assertThat(worker.getLong(table, 1, 0, 0)).isEqualTo(1);

            Files.move(away, place);
            await().atMost(Duration.ofMinutes(1)).until(() -> server.log().contains("are stored again"));
            assertThat(snapshots(0)).isNotEmpty();
        }
    }

    /** Java's logging ends when a signal ends the process, at the same time. */
    @Test
    void aServerThatEndsWithoutALastSnapshotSaysSo() throws Exception {
        try (ServerChild server =
                new ServerChild("--processes=1", "--snapshot.directory=" + created(0), "--snapshot.interval=1h")) {
            LazyTables tables = connect(server.address(), 0, 1);
            Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
            tables.worker(0).increment(table, 1, 0, 1);
            tables.worker(0).clock();
            assertThat(tables.worker(0).getLong(table, 1, 0, 0)).isEqualTo(1);
            tables.abandon();
            Files.move(directory.resolve("server-0"), directory.resolve("away"));

            server.end();

            assertThat(server.log()).contains("LAZY-1501: The server ends without a last snapshot in ");
        }
    }

    @Test
    void aFullDiskIsSaidAndClocksWaitAtTheLimitOfWhatIsKept() throws Exception {
        // A limit of the system on the size of files takes the disk's place.
        Path script = Files.writeString(directory.resolve("limited"), "#!/bin/bash\nulimit -f 64\nexec \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        try (ServerChild server = ServerChild.under(
                        List.of(script.toString()),
                        "--processes=1",
                        "--snapshot.directory=" + created(0),
                        "--snapshot.interval=50ms");
                LazyTables tables = LazyTables.builder()
                        .option("lazytables.servers", server.address())
                        .option("lazytables.kept.limit", "1MB")
                        .timeout(Duration.ofSeconds(10))
                        .connect()) {
            Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 10_000));
            Worker worker = tables.worker(0);
            // So long in a snapshot, nine bytes each, that not even one row fits.
            long[] row = new long[10_000];
            Arrays.fill(row, Long.MAX_VALUE / 2);

            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            worker.incrementRow(table, i, row);
                            worker.clock();
                        }
                    })
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT))
                    .hasMessageContaining("which has not stored a snapshot that holds them");
            assertThat(server.log()).contains("LAZY-1501: The snapshot cannot be stored in");
            assertThatThrownBy(tables::close)
                    .hasMessageContaining("server 0 has not taken, or not stored, clocks 1 to " + worker.clocks());
        }
    }

    @Test
    void aClientThatIsKilledIsDroppedAndTheOthersGoOn() throws Exception {
        try (ServerChild server = new ServerChild("--processes=2", "--server.expire=500ms");
                CountingChild first = client(server.address(), 0, 2);
                CountingChild second = client(server.address(), 1, 2)) {
            first.allow(CLOCKS);
            second.allow(40).awaitClock(30);
            second.kill();

            // What it had sent stays: whole clocks, at least those that it could know to have arrived.
            long ofSecond = first.awaitTotal() - (long) ROWS * CLOCKS;
            assertThat(ofSecond).isBetween(ROWS * 29L, ROWS * 40L);
            assertThat(ofSecond % ROWS).isZero();
            assertThat(server.log()).contains("Processes [1] were not connected for more than 500 ms");
        }
    }

    @Test
    void aClientThatWasDroppedIsToldWhenItComesBack() throws Exception {
        try (ServerChild server = new ServerChild(
                        "--processes=2", "--server.expire=1s", "--heartbeat=200ms", "--idle.timeout=5s");
                CountingChild first = client(server.address(), 0, 2);
                CountingChild second = client(server.address(), 1, 2)) {
            first.allow(CLOCKS);
            second.allow(30).awaitClock(20);
            signal("STOP", second);
            first.awaitTotal();
            signal("CONT", second);

            assertThat(second.allow(CLOCKS).awaitFailure())
                    .contains("LAZY-1303")
                    .contains("was not connected for so long that the others go on without it");
        }
    }

    @Test
    void anotherProcessTakesThePlaceOfOneThatWasKilled() throws Exception {
        RandomGenerator random = Seeds.random("killed clients");
        List<ServerChild> servers = List.of(server(0, "127.0.0.1:0", 2), server(1, "127.0.0.1:0", 2));
        try {
            String addresses = servers.get(0).address() + "," + servers.get(1).address();
            try (CountingChild first = resuming(addresses, 0, 2, CLOCKS)) {
                first.allow(CLOCKS);
                int clock = 0;
                for (int kills = 0; kills < 4; kills++) {
                    try (CountingChild victim = resuming(addresses, 1, 2, CLOCKS)) {
                        int begin = victim.awaitBegin();
                        assertThat(begin).isGreaterThanOrEqualTo(clock - 1);
                        clock = begin + 1 + random.nextInt(CLOCKS / 6);
                        victim.allow(clock + 10).awaitClock(clock);
                    }
                }
                try (CountingChild second = resuming(addresses, 1, 2, CLOCKS)) {
                    assertThat(second.allow(CLOCKS).awaitTotal()).isEqualTo(2L * ROWS * CLOCKS);
                    assertThat(first.awaitTotal()).isEqualTo(2L * ROWS * CLOCKS);
                }
            }
        } finally {
            for (ServerChild server : servers) {
                server.close();
            }
        }
    }

    @Test
    void aProcessJoinsWhileOthersWork() throws Exception {
        try (ServerChild server = new ServerChild("--processes=1");
                CountingChild first = resuming(server.address(), 0, 1, CLOCKS)) {
            first.allow(50).awaitClock(10);
            try (CountingChild joining = resuming(server.address(), 1, 1, CLOCKS)) {
                int begin = joining.awaitBegin();
                assertThat(begin).isBetween(9, 50);
                first.allow(CLOCKS);
                joining.allow(CLOCKS);
                long total = (long) ROWS * CLOCKS + (long) ROWS * (CLOCKS - begin);

                assertThat(joining.awaitTotal()).isEqualTo(total);
                assertThat(first.awaitTotal()).isEqualTo(total);
            }
        }
    }

    private static void signal(String name, CountingChild child) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(child.pid()))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private ServerChild server(int number, String address, int processes) throws IOException {
        return new ServerChild(
                "--processes=" + processes,
                "--server.listen=" + address,
                "--snapshot.directory=" + created(number),
                "--snapshot.interval=50ms");
    }

    private Path created(int number) throws IOException {
        return Files.createDirectories(directory.resolve("server-" + number));
    }

    private static CountingChild client(String servers, int process, int processes) throws IOException {
        return new CountingChild(CLOCKS, 1, options(servers, process, processes));
    }

    private static CountingChild resuming(String servers, int process, int processes, int clocks) throws IOException {
        var options = new ArrayList<>(List.of(options(servers, process, processes)));
        options.add("resume=true");
        return new CountingChild(clocks, 1, options.toArray(new String[0]));
    }

    private static String[] options(String servers, int process, int processes) {
        return new String[] {
            "servers=" + servers,
            "process=" + process,
            "processes=" + processes,
            "retry.most=200ms",
            "heartbeat=200ms",
            "idle.timeout=20s"
        };
    }

    private static LazyTables connect(String servers, int process, int processes) {
        return LazyTables.builder()
                .option("lazytables.servers", servers)
                .option("lazytables.process", Integer.toString(process))
                .option("lazytables.processes", Integer.toString(processes))
                .option("lazytables.retry.most", "200ms")
                .timeout(Duration.ofMinutes(1))
                .connect();
    }

    private List<Path> snapshots(int number) throws IOException {
        Path place = directory.resolve("server-" + number);
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(place)) {
            return files.filter(file -> file.getFileName().toString().matches("snapshot-[0-9]+"))
                    .sorted()
                    .toList();
        }
    }

    private long lastNumber(int number) throws IOException {
        List<Path> all = snapshots(number);
        String name = all.get(all.size() - 1).getFileName().toString();
        return Long.parseLong(name.substring("snapshot-".length()));
    }
}
