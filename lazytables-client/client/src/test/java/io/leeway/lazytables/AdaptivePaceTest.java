package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers of two processes, with servers inside. */
class AdaptivePaceTest {

    private static final int PROCESSES = 2;
    private static final int WORKERS = 2;
    private static final PaceBounds BOUNDS = new PaceBounds(new Pace(7, 8), 9, 1, 32, 8, true);

    /** What a worker saw. */
    private record Seen(
            List<Pace> paces,
            List<AdaptivePace.Decision> decisions,
            @Nullable LazyTablesException failure) {}

    @Test
    void allWorkersAreToldTheSameInTheSameClock() throws Exception {
        // Gets worse for a time, so that something is decided in any case; then better.
        IntToDoubleFunction objective = clock -> clock < 30 ? 10 + clock : 40 * Math.exp(0.3 - 0.01 * clock);

        List<Seen> seen = run(300, objective);

        assertThat(seen).allSatisfy(each -> {
            assertThat(each.failure).isNull();
            assertThat(each.paces).isEqualTo(seen.get(0).paces);
        });
        assertThat(seen.get(0).paces.get(0)).isEqualTo(new Pace(7, 8));
        assertThat(seen.get(0).paces).contains(new Pace(1, 8));
        assertThat(seen.get(0).decisions.get(1).why()).contains("the objective went from");
        // It got worse in the clock after the first; what is decided then holds when all must have heard of it.
        assertThat(seen.get(0).decisions.get(1).clock()).isEqualTo(2 + 7 + 1);
        assertThat(seen.get(3).decisions)
                .extracting(AdaptivePace.Decision::clock)
                .isEqualTo(seen.get(0).decisions.stream()
                        .map(AdaptivePace.Decision::clock)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void whoTakesAPlaceIsToldAtOnceWhatTheOthersAre(int place) throws Exception {
        // Gets worse twice, so that two things are decided in any case.
        IntToDoubleFunction objective = clock -> clock < 30 || clock > 80 && clock < 88 ? 10 + clock : 100.0 / clock;
        try (LazyTablesServer server = LazyTablesServer.start(
                Map.of("lazytables.server.listen", "127.0.0.1:0", "lazytables.processes", "2"))) {
            Callable<Seen> stays = () -> resumed(server, 1 - place, 200, objective);
            Callable<Seen> replaced = () -> {
                resumed(server, place, 140, objective);
                return resumed(server, place, 200, objective);
            };

            List<Seen> seen = runAll(List.of(stays, replaced));

            assertThat(seen).allSatisfy(each -> assertThat(each.failure).isNull());
            List<Pace> all = seen.get(0).paces;
            List<Pace> successors = seen.get(1).paces;
            assertThat(seen.get(0).decisions).hasSizeGreaterThan(2);
            assertThat(successors).hasSizeBetween(1, 100);
            assertThat(successors).isEqualTo(all.subList(all.size() - successors.size(), all.size()));
        }
    }

    /** Goes on up to a clock, and ends without a word unless it is the last. */
    private static Seen resumed(LazyTablesServer server, int process, int to, IntToDoubleFunction objective) {
        LazyTables tables = LazyTables.builder()
                .option("lazytables.servers", server.address().toString())
                .option("lazytables.process", Integer.toString(process))
                .option("lazytables.processes", "2")
                .option("lazytables.resume", "true")
                .timeout(Duration.ofMinutes(2))
                .connect();
        Seen seen = work(tables, 0, to, objective, new SplittableRandom(process));
        if (to < 200) {
            tables.abandon();
        }
        tables.close();
        return seen;
    }

    @Test
    void allWorkersEndInTheSameClockWhenTheRunHasDiverged() throws Exception {
        List<Seen> seen = run(2_000, clock -> 1 + clock);

        assertThat(seen).allSatisfy(each -> {
            assertThat(each.failure).isNotNull();
            assertThat(each.failure.code()).isEqualTo(Code.DIVERGED);
            assertThat(each.failure.getMessage()).contains("LAZY-1305", "with slack 0 and work 1");
            assertThat(each.paces).isEqualTo(seen.get(0).paces);
        });
    }

    @Test
    void anObjectiveThatIsNoNumberEndsTheRun() throws Exception {
        List<Seen> seen = run(2_000, clock -> clock < 30 ? 100 - clock : Double.NaN);

        assertThat(seen).allSatisfy(each -> {
            assertThat(each.failure).isNotNull();
            assertThat(each.failure.code()).isEqualTo(Code.DIVERGED);
            assertThat(each.paces).hasSameSizeAs(seen.get(0).paces);
        });
    }

    @Test
    void boundsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new PaceBounds(new Pace(3, 1), 2, 1, 1, 1, true))
                .isInstanceOfSatisfying(
                        LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_ARGUMENT));
        assertThatThrownBy(() -> new PaceBounds(new Pace(0, 1), 2, 2, 4, 1, true))
                .hasMessageContaining("work 1");
        assertThatThrownBy(() -> new PaceBounds(new Pace(0, 4), 2, 4, 2, 1, true))
                .hasMessageContaining("4 to 2");
        assertThatThrownBy(() -> new Pace(-1, 1)).hasMessageContaining("slack -1");
        assertThat(BOUNDS.staleness(new Pace(2, 4))).isEqualTo(1.5);
    }

    /** Every worker reads and updates a row in each clock, and does some work between. */
    private static List<Seen> run(int clocks, IntToDoubleFunction objective) throws Exception {
        long seed = Seeds.seed("adaptive pace");
        try (EmbeddedServers servers = EmbeddedServers.start(2, PROCESSES)) {
            var instances = new ArrayList<LazyTables>();
            var tasks = new ArrayList<Callable<Seen>>();
            for (int process = 0; process < PROCESSES; process++) {
                LazyTables tables = LazyTables.builder()
                        .servers(servers, process)
                        .workers(WORKERS)
                        .timeout(Duration.ofMinutes(2))
                        .connect();
                instances.add(tables);
                for (int worker = 0; worker < WORKERS; worker++) {
                    int index = worker;
                    RandomGenerator random = new SplittableRandom(seed + tasks.size());
                    tasks.add(() -> work(tables, index, clocks, objective, random));
                }
            }
            List<Seen> seen = runAll(tasks);
            instances.forEach(LazyTables::close);
            return seen;
        }
    }

    private static Seen work(
            LazyTables tables, int index, int clocks, IntToDoubleFunction objective, RandomGenerator random) {
        Worker worker = tables.worker(index);
        Table table = tables.table("t", TableSpec.dense(CellType.LONG, 1));
        AdaptivePace adaptive = AdaptivePace.of(tables, worker, BOUNDS);
        var paces = new ArrayList<Pace>();
        try {
            for (int clock = worker.clocks(); clock < clocks; clock++) {
                Pace pace = adaptive.next();
                paces.add(pace);
                worker.getLong(table, clock % 3, 0, pace.slack());
                worker.increment(table, clock % 3, 0, (long) spin(random.nextInt(20_000)));
                worker.clock();
                adaptive.objective(clock + 1, objective.applyAsDouble(clock));
            }
            return new Seen(paces, adaptive.decisions(), null);
        } catch (LazyTablesException e) {
            return new Seen(paces, adaptive.decisions(), e);
        }
    }

    private static double spin(int rounds) {
        double value = 1;
        for (int i = 0; i < rounds; i++) {
            value = Math.sqrt(value + i);
        }
        return value;
    }

    private static <T> List<T> runAll(List<Callable<T>> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> task : tasks.stream().map(threads::submit).toList()) {
                results.add(task.get(4, TimeUnit.MINUTES));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
