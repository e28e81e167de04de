package io.leeway.lazytables.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.AdaptivePace;
import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTablesServer;
import io.leeway.lazytables.Pace;
import io.leeway.lazytables.PaceBounds;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

class RunTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Every worker counts its clocks in a cell; one may fail. */
    private record Counting(int failing, int restAfter) implements Application<long[]> {

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public String measure() {
            return "steps";
        }

        @Override
        public int sums() {
            return 1;
        }

        @Override
        public double value(double[] sums) {
            return sums[0];
        }

        @Override
        public boolean isAtRest(double[] sums) {
            return sums[0] == 0;
        }

        @Override
        public Part<long[]> part(Seat seat) {
            Table table = seat.table("counts", TableSpec.dense(CellType.LONG, seat.of()));
            return new Part<>() {

                private int steps;
                private int clocks;

                @Override
                public void load() {
                    seat.worker().increment(table, 0, seat.number(), 100L);
                }

                @Override
                public void work(int block) {
                    if (seat.number() == failing && clocks == 2) {
                        throw new IllegalStateException("worker " + failing + " fails");
                    }
                    // All have loaded, whatever the slack is.
                    for (int w = 0; w < seat.of(); w++) {
                        assertThat(seat.read(table, 0).getLong(w)).isGreaterThanOrEqualTo(100);
                    }
                    if (clocks++ < restAfter) {
                        steps++;
                        seat.worker().increment(table, 0, seat.number(), 1L);
                    }
                }

                @Override
                public void measure(double[] sums) {
                    // A row of its own, for which it waits each time.
                    seat.read(table, 1);
                    sums[0] += steps;
                    steps = 0;
                }

                @Override
                public long[] result() {
                    long[] counts = new long[seat.of()];
                    for (int w = 0; w < counts.length; w++) {
                        counts[w] = seat.read(table, 0).getLong(w);
                    }
                    return counts;
                }
            };
        }
    }

    /** Counting at paces of its own: two passes in a clock with slack 0, then two clocks with slack 2, and again. */
    private static final class AtPaces extends ForwardingApplication<long[]> {

        /** The slack in each pass of the first worker. */
        private final List<Integer> slacks = new ArrayList<>();

        AtPaces(int failing) {
            super(new Resumed(failing));
        }

        @Override
        protected Part<long[]> part(Seat seat, Part<long[]> part) {
            return new ForwardingPart<>(part) {

                @Override
                public Pace pace(long blocks, Pace before) {
                    return blocks % 4 == 0 ? new Pace(0, 2) : new Pace(2, 1);
                }

                @Override
                public void work(int block) {
                    if (seat.number() == 0) {
                        slacks.add(seat.slack());
                    }
                    super.work(block);
                }
            };
        }
    }

    /** Counting by workers that go on where others ended. */
    static final class Resumed extends ForwardingApplication<long[]> {

        Resumed(int failing) {
            super(new Counting(failing, 1000));
        }

        @Override
        public boolean canResume() {
            return true;
        }

        @Override
        protected Part<long[]> part(Seat seat, Part<long[]> part) {
            return new ForwardingPart<>(part) {

                @Override
                public void resume() {}
            };
        }
    }

    /** The measure of each pass is given. */
    private record Measuring(List<Double> values) implements Application<Integer> {

        @Override
        public String name() {
            return "measuring";
        }

        @Override
        public String measure() {
            return "error";
        }

        @Override
        public int sums() {
            return 1;
        }

        @Override
        public double value(double[] sums) {
            return sums[0];
        }

        @Override
        public Part<Integer> part(Seat seat) {
            return new Part<>() {

                private int pass;

                @Override
                public void load() {}

                @Override
                public void work(int block) {}

                @Override
                public void measure(double[] sums) {
                    sums[0] = values.get(pass++) / seat.of();
                }

                @Override
                public void finish(double[] sums) {}

                @Override
                public Integer result() {
                    return pass;
                }
            };
        }
    }

    @Test
    void stopsAtTheSameClockEverywhereAndRecordsIt() {
        var records = new StringBuilder();

        Outcome<long[]> outcome = Run.of(new Counting(-1, 5), Modes.SSP.settings(1000), RunLog.to(records));

        assertThat(outcome.atRest()).isTrue();
        assertThat(outcome.result()).containsOnly(105);
        // Five clocks with steps; then as many as it takes to be sure.
        assertThat(outcome.clocks()).isBetween(6, 15);
        assertThat(outcome.curve().get(0))
                .extracting(Point::passes, Point::value)
                .containsExactly(1.0, 4.0);
        String[] lines = records.toString().split("\n");
        assertThat(lines[0])
                .startsWith("{\"kind\":\"run\",\"application\":\"counting\",\"workers\":4,")
                .contains("\"slack\":\"2\"");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("{\"kind\":\"clock\""))
                .hasSize(4 * outcome.clocks())
                // What was waited lies within the clock that it is counted for.
                .allSatisfy(line -> assertThat(line).doesNotContain("\"compute\":-"));
        assertThat(lines)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("{\"kind\":\"measure\",\"name\":\"steps\",\"passes\":5.0,\"nanos\":")
                        .endsWith("\"value\":4.0}"));
        assertThat(lines[lines.length - 1]).startsWith("{\"kind\":\"end\",\"outcome\":\"rest\"");
    }

    @Test
    void endsAfterItsPasses() {
        Outcome<long[]> outcome = Run.of(new Counting(-1, 1000), Modes.MINI_BATCHES.settings(3), RunLog.none());

        assertThat(outcome.atRest()).isFalse();
        assertThat(outcome.clocks()).isEqualTo(12);
        assertThat(outcome.result()).containsOnly(112);
        assertThat(outcome.curve()).hasSize(3);
    }

    @Test
    void anAdaptiveRunStopsAtTheSameClockEverywhereAndRecordsItsPaces() {
        var records = new StringBuilder();

        Outcome<long[]> outcome = Run.of(new Counting(-1, 500), Modes.ADAPTIVE.settings(1000), RunLog.to(records));

        assertThat(outcome.atRest()).isTrue();
        assertThat(outcome.result()).containsOnly(600);
        assertThat(outcome.paces().get(0)).isEqualTo(new AdaptivePace.Decision(0, new Pace(1, 2), "the begin"));
        String[] lines = records.toString().split("\n");
        assertThat(lines[0]).contains("\"adaptive\":true,\"model\":\"adaptive\"");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("{\"kind\":\"pace\""))
                .hasSameSizeAs(outcome.paces())
                .anySatisfy(line ->
                        assertThat(line).contains("\"clock\":0,", "\"slack\":1,\"work\":1.0,\"why\":\"the begin\"}"));
        assertThat(lines)
                .filteredOn(line -> line.startsWith("{\"kind\":\"clock\""))
                .hasSize(4 * outcome.clocks());
    }

    /** Whatever is chosen, no block is gone over more often than another, and none beyond the passes. */
    @Test
    void anAdaptiveRunEndsAfterItsPasses() {
        Outcome<long[]> outcome = Run.of(new Counting(-1, 1_000_000), Modes.ADAPTIVE.settings(50), RunLog.none());

        assertThat(outcome.atRest()).isFalse();
        assertThat(outcome.result()).containsOnly(100 + 50 * 2);
        assertThat(outcome.curve().get(outcome.curve().size() - 1).passes()).isEqualTo(50);
    }

    @Test
    void anApplicationChoosesThePaceOfEachClock() {
        var application = new AtPaces(-1);

        Outcome<long[]> outcome = Run.of(application, Modes.BSP.settings(10), RunLog.none());

        assertThat(outcome.result()).containsOnly(110);
        assertThat(outcome.clocks()).isEqualTo(3 + 3 + 1);
        assertThat(outcome.curve()).extracting(Point::passes).containsExactly(2.0, 3.0, 4.0, 6.0, 7.0, 8.0, 10.0);
        assertThat(application.slacks).containsExactly(0, 0, 2, 2, 0, 0, 2, 2, 0, 0);
    }

    @Test
    void aWorkerThatFailsEndsTheOthersToo() {
        var records = new StringBuilder();

        assertThatThrownBy(() -> Run.of(new Counting(2, 1000), Modes.BSP.settings(1000), RunLog.to(records)))
                .hasMessage("worker 2 fails");

        assertThat(records.toString()).contains("\"outcome\":\"failed\",\"why\":\"worker 2 fails\"");
    }

    @Test
    void theNextTakesThePlaceOfAWorkerThatFailed() throws Exception {
        assertThatTheNextGoesOn(Resumed::new);
    }

    /** It knows from the clocks that were completed how far the one before it was, whatever their paces. */
    @Test
    void theNextTakesThePlaceOfAWorkerAtPacesOfItsOwn() throws Exception {
        assertThatTheNextGoesOn(AtPaces::new);
    }

    private static void assertThatTheNextGoesOn(IntFunction<Application<long[]>> failing) throws Exception {
        try (LazyTablesServer server = LazyTablesServer.start(
                Map.of("lazytables.server.listen", "127.0.0.1:0", "lazytables.processes", "2"))) {
            RunSettings settings =
                    RunSettings.of(2, 1).spread(2, 1).work(WorkPerClock.ONE, 8).times(PATIENCE, Duration.ZERO);
            Map<String, String> options =
                    Map.of("lazytables.servers", server.address().toString());
            CompletableFuture<Outcome<long[]>> other = CompletableFuture.supplyAsync(
                    () -> Run.of(failing.apply(-1), settings.at(new Place(0, true, options)), RunLog.none()));
            RunSettings own = settings.at(new Place(1, true, options));

            assertThatThrownBy(() -> Run.of(failing.apply(1), own, RunLog.none()))
                    .hasMessage("worker 1 fails");
            Outcome<long[]> outcome = Run.of(failing.apply(-1), own, RunLog.none());

            assertThat(outcome.result()).containsExactly(108, 108);
            assertThat(other.get(1, TimeUnit.MINUTES).result()).containsExactly(108, 108);
        }
    }

    @Test
    void aMeasureThatGetsMuchWorseAgainIsToldOnce() {
        var records = new StringBuilder();
        var told = new ArrayList<String>();
        var handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                told.add(new SimpleFormatter().formatMessage(record));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(Progress.class.getName());
        logger.addHandler(handler);
        try {
            Outcome<Integer> outcome = Run.of(
                    new Measuring(List.of(8.0, 1.0, 2.0, 7.0, 15.0, 20.0)), Modes.BSP.settings(6), RunLog.to(records));

            assertThat(outcome.result()).isEqualTo(6);
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("measuring: error is 7.0000 after 4.0000 passes, was 8.0000 at first and 1.0000 at best")
                .contains("the run seems to diverge. Lower the slack");
        assertThat(records.toString().split("\n"))
                .filteredOn(line -> line.startsWith("{\"kind\":\"warning\""))
                .singleElement()
                .asString()
                .contains("\"why\":\"error is 7.0000");
    }

    @Test
    void workersThatAreDelayedOneAfterTheOtherComeToTheSame() {
        Outcome<long[]> outcome = Run.of(
                new Counting(-1, 1000),
                Modes.SSP.settings(8).times(Duration.ofMinutes(2), Duration.ofMillis(2)),
                RunLog.none());

        assertThat(outcome.result()).containsOnly(108);
    }

    @Test
    void saysWhichSettingsCannotBe() {
        RunSettings settings = RunSettings.of(4, Seeds.seed("settings"));

        assertThatThrownBy(() -> settings.spread(3, 1))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("evenly");
        assertThatThrownBy(() -> settings.slack(-1)).hasMessageContaining("slack is -1");
        assertThatThrownBy(() -> settings.work(new WorkPerClock(3, 1), 10)).hasMessageContaining("no multiple");
        assertThatThrownBy(() -> settings.slack(TableSpec.ASYNC).asStrict()).hasMessageContaining("cannot be strict");
        assertThatThrownBy(() -> settings.slack(TableSpec.ASYNC).asAdaptive())
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("cannot begin with slack async");
        assertThatThrownBy(() -> settings.asAdaptive().asStrict()).hasMessageContaining("cannot be strict");
        assertThatThrownBy(() -> settings.asAdaptive().at(new Place(0, true, Map.of())))
                .hasMessageContaining("cannot be resumed");
    }

    @Test
    void anAdaptiveRunChoosesBetweenBlocksAndSeveralPasses() {
        RunSettings settings = RunSettings.of(4, Seeds.seed("settings")).asAdaptive();

        assertThat(settings.blocks()).isEqualTo(2);
        assertThat(settings.paceBounds(true)).isEqualTo(new PaceBounds(new Pace(0, 2), 15, 1, 8, 2, true));
        assertThat(settings.slack(20).work(new WorkPerClock(1, 10), 10).paceBounds(false))
                .isEqualTo(new PaceBounds(new Pace(20, 1), 20, 1, 40, 10, false));
        assertThat(settings.work(new WorkPerClock(6, 1), 12).pace()).isEqualTo(new Pace(0, 12));
        assertThat(settings.work(new WorkPerClock(1, 3), 12).pace()).isEqualTo(new Pace(0, 1));
    }

    @Test
    void readsWorkPerClock() {
        assertThat(WorkPerClock.parse("1")).isEqualTo(WorkPerClock.ONE);
        assertThat(WorkPerClock.parse("4")).isEqualTo(new WorkPerClock(4, 1));
        assertThat(WorkPerClock.parse("0.1")).isEqualTo(new WorkPerClock(1, 10));
        assertThat(WorkPerClock.parse("0.1").inPasses()).isEqualTo(0.1);
        for (String bad : new String[] {"0", "-1", "1.5", "0.3", "NaN", "x", "1e9"}) {
            assertThatThrownBy(() -> WorkPerClock.parse(bad)).isInstanceOf(BadInputException.class);
        }
    }

    @Test
    void recordsAreJson() {
        var records = new StringBuilder();

        RunLog.to(records).write("x", "text", "a \"b\" \\ \n", "number", Double.NaN, "truth", true);

        assertThat(records.toString())
                .isEqualTo("{\"kind\":\"x\",\"text\":\"a \\\"b\\\" \\\\ \\u000a\",\"number\":null,\"truth\":true}\n");
    }
}
