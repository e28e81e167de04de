package io.leeway.lazytables.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Combine;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesServer;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.remote.StatusClient;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.Shards;
import io.leeway.lazytables.internal.upkeep.Reshard;
import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers are added to a run and taken away from it: it goes on from its snapshots with another number of them. */
@Timeout(300)
class ReshardTest {

    private static final int ROWS = CountingMain.ROWS;
    private static final int CLOCKS = 90;
    private static final TableSpec COUNTS = TableSpec.dense(CellType.LONG, 1);

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @Test
    void processesGoOnWithMoreServersAndWithFewerAndEveryUpdateCountsOnce() throws Exception {
        List<String> two = places("two", 2);
        List<String> three = places("three", 3);
        List<String> one = places("one", 1);

        count(two, 0, 30, CLOCKS);
        assertThat(reshard(two, three).output()).contains("spread the tables of 2 servers over 3");
        count(three, 30, 60, CLOCKS);
        assertThat(reshard(three, one).exitCode()).isZero();
        count(one, 60, CLOCKS, CLOCKS);
    }

    /** Real processes count from one clock to another; at the last of all the sum is right. Before that they are killed in the midst of it, when their servers were told to end. */
    private void count(List<String> places, int from, int to, int all) throws Exception {
        List<ServerChild> servers = new ArrayList<>();
        try {
            for (String place : places) {
                servers.add(
                        new ServerChild("--processes=2", "--snapshot.directory=" + place, "--snapshot.interval=1h"));
            }
            String addresses = servers.stream().map(ServerChild::address).collect(Collectors.joining(","));
            try (CountingChild first = client(addresses, 0);
                    CountingChild second = client(addresses, 1)) {
                assertThat(first.awaitBegin()).isEqualTo(from);
                assertThat(second.awaitBegin()).isEqualTo(from);
                first.allow(to);
                second.allow(to);
                if (to == all) {
                    assertThat(first.awaitTotal()).isEqualTo(2L * ROWS * all);
                    assertThat(second.awaitTotal()).isEqualTo(2L * ROWS * all);
                    return;
                }
                first.awaitClock(to);
                second.awaitClock(to);
                awaitClocks(addresses, to);
                for (ServerChild server : servers) {
                    server.close();
                }
            }
        } finally {
            for (ServerChild server : servers) {
                server.kill();
            }
        }
    }

    /** All servers have all of both processes' clocks: those that resume are applied when each server has them. */
    private static void awaitClocks(String addresses, int clock) {
        for (String address : addresses.split(",")) {
            var config = LazyTablesConfig.of(Map.of("lazytables.servers", address));
            try (StatusClient status = StatusClient.connect(config, LIMIT)) {
                await().atMost(LIMIT)
                        .until(() ->
                                status.ask(LIMIT).processes().stream().allMatch(process -> process.clock() == clock));
            }
        }
    }

    @Test
    void tablesOfAllKindsAreKept() throws Exception {
        List<String> two = places("two", 2);
        List<String> five = places("five", 5);
        List<String> three = places("three", 3);

        grow(two, 0, 6);
        Reshard.spread(two, five, CombineOps.of(List.of()));
        grow(five, 6, 11);
        Reshard.spread(five, three, CombineOps.of(List.of()));
        grow(three, 11, 15);
    }

    /** A process with resume works from one clock to another, and reads in between what there must be. */
    private void grow(List<String> places, int from, int to) {
        List<LazyTablesServer> servers =
                places.stream().map(ReshardTest::server).toList();
        try (LazyTables tables = connect(servers, true)) {
            Worker worker = tables.worker(0);
            assertThat(worker.clocks()).isEqualTo(from);
            var kinds = new Kinds(tables);
            for (int clock = from; clock < to; clock++) {
                kinds.check(worker, clock);
                kinds.update(worker);
                worker.clock();
            }
            kinds.check(worker, to);
        } finally {
            servers.forEach(LazyTablesServer::close);
        }
    }

    /** Tables whose servers keep them in different ways. */
    private static final class Kinds {

        private static final int ROWS = 40;

        private final Table dense;
        private final Table sparse;
        private final Table least;
        private final Table strict;
        private final Table limited;

        Kinds(LazyTables tables) {
            dense = tables.table("dense", TableSpec.dense(CellType.INT, 3));
            sparse = tables.table("sparse", TableSpec.sparse(CellType.DOUBLE));
            least = tables.table("least", TableSpec.dense(CellType.FLOAT, 2).op(Combine.MIN));
            strict = tables.table(
                    "strict", TableSpec.dense(CellType.LONG, 1).slack(3).asStrict());
            limited =
                    tables.table("limited", TableSpec.dense(CellType.DOUBLE, 2).maxStep(1));
        }

        void update(Worker worker) {
            for (int row = 0; row < ROWS; row++) {
                worker.increment(dense, row, 1, 1 + row);
                worker.increment(sparse, row, 1_000 * row + worker.clocks(), 0.5);
                worker.update(least, row, 0, (double) -row - worker.clocks());
                worker.increment(strict, row, 0, 1L);
                worker.increment(limited, row, 1, 0.25);
            }
        }

        /** After so many clocks. */
        void check(Worker worker, int clocks) {
            for (int row = 0; row < ROWS; row++) {
                assertThat(worker.getLong(dense, row, 1, 0)).isEqualTo((long) clocks * (1 + row));
                RowView entries = worker.read(sparse, row, 0);
                for (int clock = 0; clock < clocks; clock++) {
                    assertThat(entries.get(1_000 * row + clock)).isEqualTo(0.5);
                }
                assertThat(entries.entries()).isEqualTo(clocks);
                assertThat(worker.get(least, row, 0, 0))
                        .isEqualTo(clocks == 0 ? Double.POSITIVE_INFINITY : -row - clocks + 1.0);
                assertThat(worker.getLong(strict, row, 0, 0)).isEqualTo(clocks);
                assertThat(worker.readWithin(limited, row, 0).get(1)).isEqualTo(clocks * 0.25);
            }
        }
    }

    @Test
    void allServersHaveAPartOfTheRows() throws Exception {
        List<String> one = places("one", 1);
        List<String> four = places("four", 4);
        grow(one, 0, 1);
        Reshard.spread(one, four, CombineOps.of(List.of()));

        List<LazyTablesServer> servers = four.stream().map(ReshardTest::server).toList();
        try {
            for (LazyTablesServer server : servers) {
                var config = LazyTablesConfig.of(
                        Map.of("lazytables.servers", server.address().toString()));
                try (StatusClient status = StatusClient.connect(config, LIMIT)) {
                    assertThat(status.ask(LIMIT).rows()).isBetween(20L, 80L);
                }
            }
        } finally {
            servers.forEach(LazyTablesServer::close);
        }
    }

    @Test
    void aClientOfBeforeIsRefused() throws Exception {
        List<String> one = places("one", 1);
        List<String> two = places("two", 2);
        LazyTablesServer server = server(one.get(0));
        String address = server.address().toString();
        try (LazyTables tables = connect(List.of(server), false)) {
            Table table = tables.table("counts", COUNTS);
            Worker worker = tables.worker(0);
            worker.increment(table, 1, 0, 1L);
            worker.clock();
            assertThat(worker.getLong(table, 1, 0, 0)).isEqualTo(1);
            server.close();
            Reshard.spread(one, two, CombineOps.of(List.of()));
            server = server(two.get(0), address);

            assertThatThrownBy(() -> {
                        for (long row = 10; ; row++) {
                            worker.getLong(table, row, 0, 0);
                        }
                    })
                    .isInstanceOf(LazyTablesException.class)
                    .hasMessageContaining("number 0 of 1, which is number 0 of 2");
        } finally {
            server.close();
        }
    }

    @Test
    void serversThatDoNotHoldTheSameClocksAreNotSpread() throws Exception {
        List<String> two = places("two", 2);
        List<LazyTablesServer> servers = two.stream().map(ReshardTest::server).toList();
        try (LazyTables tables = connect(servers, false)) {
            Table table = tables.table("counts", COUNTS);
            Worker worker = tables.worker(0);
            worker.clock();
            assertThat(worker.getLong(table, rowOf(0), 0, 0)).isZero();
            servers.get(0).close();
            worker.clock();
            assertThat(worker.getLong(table, rowOf(1), 0, 0)).isZero();
            servers.get(1).close();

            // Its end would wait for servers that are gone.
            tables.abandon();
            assertFails(two, places("three", 3), "Servers 0 and 1 do not hold the same of process 0");
            assertThat(names(directory.resolve("three-0"))).containsExactly("lock");
        } finally {
            servers.forEach(LazyTablesServer::close);
        }
    }

    @Test
    void whatCannotBeSpreadIsSaid() throws Exception {
        List<String> two = places("two", 2);
        List<String> three = places("three", 3);
        grow(two, 0, 1);

        assertFails(two.subList(0, 1), three, "a run of 2 servers, and there are 1 of them");
        assertFails(List.of(two.get(0), three.get(0)), List.of(three.get(1)), "There is no snapshot in");
        assertFails(two, List.of(three.get(0), directory.resolve("absent").toString()), "is no directory");
        assertFails(two, two, "There are snapshots in");
        Path copy = Files.createDirectory(directory.resolve("copy"));
        for (String name : names(Path.of(two.get(0)))) {
            Files.copy(Path.of(two.get(0), name), copy.resolve(name));
        }
        assertFails(List.of(two.get(0), copy.toString()), three, "Two are of server 0");
        List<String> fresh = places("fresh", 1);
        try (LazyTablesServer running = server(fresh.get(0))) {
            assertThat(running.address().port()).isPositive();
            assertFails(fresh, three, "another server uses");
        }
    }

    @Test
    void theCommandSaysWhatItNeeds() {
        assertThat(CommandLine.run("reshard")).isEqualTo(2);
        assertThat(CommandLine.run("reshard", "--from=a", "--into=b,b")).isEqualTo(2);
        assertThat(CommandLine.run("reshard", "--from=a,", "--into=b")).isEqualTo(2);
        assertThat(CommandLine.run("reshard", "--from=a", "--into=b", "--processes=2"))
                .isEqualTo(2);
        assertThat(CommandLine.run("reshard", "--from=" + directory.resolve("absent"), "--into=" + directory))
                .isEqualTo(1);
    }

    private static void assertFails(List<String> from, List<String> into, String why) {
        assertThatThrownBy(() -> Reshard.spread(from, into, CombineOps.of(List.of())))
                .isInstanceOfSatisfying(
                        LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.SNAPSHOT))
                .hasMessageContaining(why);
    }

    private static JavaProcess.Result reshard(List<String> from, List<String> into) {
        return JavaProcess.run(
                System.getProperty("java.class.path"),
                LazyTablesCommand.class.getName(),
                "reshard",
                "--from=" + String.join(",", from),
                "--into=" + String.join(",", into));
    }

    private static CountingChild client(String servers, int process) throws IOException {
        return new CountingChild(
                CLOCKS,
                1,
                "servers=" + servers,
                "process=" + process,
                "processes=2",
                "resume=true",
                "retry.most=200ms");
    }

    private static LazyTablesServer server(String place) {
        return server(place, "127.0.0.1:0");
    }

    private static LazyTablesServer server(String place, String address) {
        return LazyTablesServer.start(Map.of(
                "lazytables.snapshot.directory", place,
                "lazytables.snapshot.interval", "50ms",
                "lazytables.server.listen", address));
    }

    private static LazyTables connect(List<LazyTablesServer> servers, boolean resume) {
        return LazyTables.builder()
                .option(
                        "lazytables.servers",
                        servers.stream()
                                .map(server -> server.address().toString())
                                .collect(Collectors.joining(",")))
                .option("lazytables.resume", Boolean.toString(resume))
                .option("lazytables.retry.most", "200ms")
                .timeout(LIMIT)
                .connect();
    }

    /** Directories for servers. */
    private List<String> places(String name, int count) throws IOException {
        var places = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            places.add(Files.createDirectory(directory.resolve(name + "-" + i)).toString());
        }
        return places;
    }

    /** A row of the counts that the server of two has. */
    private static long rowOf(int server) {
        return LongStream.range(0, 100)
                .filter(row -> Shards.server("counts", row, 2) == server)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
