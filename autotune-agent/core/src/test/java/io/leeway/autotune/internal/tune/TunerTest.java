package io.leeway.autotune.internal.tune;

import static io.leeway.autotune.internal.tune.FakeService.setting;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.autotune.AutoTuneOptions;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import io.leeway.autotune.internal.tune.Round.Verdict;
import io.leeway.autotune.spi.TunedService;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class TunerTest {

    private static final KnobSpec POOL = KnobSpec.size("pool.size", 2, 64, "");
    private static final KnobSpec THREADS = KnobSpec.size("threads", 2, 64, "");
    private static final KnobSpec DEAD = KnobSpec.size("unused", 2, 64, "");

    private final Plan plan = Plan.of(AutoTuneOptions.defaults().with(AutoTuneOptions.VERIFY_PAIRS, "4"));
    private final List<Round> log = new ArrayList<>();

    /** Too few connections and threads wait, too many of them get in each other's way. */
    private static double latency(Setting setting) {
        double pool = setting.values().get("pool.size").number();
        double threads = setting.values().get("threads").number();
        return 10 + 120 / pool + 60 / threads + Math.pow(pool / 40, 2) * 20 + Math.pow(threads / 50, 2) * 10;
    }

    private FakeService service(double noise, long seed) {
        Setting start = setting("pool.size", 2).with(setting("threads", 4)).with(setting("unused", 8));
        return new FakeService(
                List.of(POOL, THREADS, DEAD), start, TunerTest::latency, Seeds.random("service " + seed), noise);
    }

    private Outcome tune(FakeService service, long seed) {
        return new Tuner(service, plan, log::add, () -> false, () -> 0, seed).run();
    }

    @Test
    void savesMoreThanAThirdOfAPoorSettingsLatency() {
        for (int seed = 0; seed < Depth.of(20, 500); seed++) {
            FakeService service = service(0.05, seed);
            Outcome outcome = tune(service, seed);

            assertThat(outcome.accepted()).isTrue();
            assertThat(latency(service.read())).isLessThan(0.65 * latency(outcome.first()));
            assertThat(outcome.last()).isEqualTo(service.read());
        }
    }

    @Test
    void saysWhatItDidInPlainWords() {
        tune(service(0, 1), 1);

        assertThat(log.get(0).line()).matches("pool.size 2 → \\d+: p95 \\d+ → \\d+ ms, kept");
    }

    @Test
    void leavesAGoodSettingAlone() {
        Setting best = setting("pool.size", 21).with(setting("threads", 20)).with(setting("unused", 8));
        int changed = 0;
        for (int seed = 0; seed < Depth.of(20, 500); seed++) {
            var service = new FakeService(
                    List.of(POOL, THREADS, DEAD), best, TunerTest::latency, Seeds.random("good " + seed), 0.03);
            tune(service, seed);

            assertThat(latency(service.read())).isLessThan(1.1 * latency(best));
            changed += service.read().equals(best) ? 0 : 1;
        }
        assertThat(changed).isLessThanOrEqualTo(Depth.of(4, 100));
    }

    @Test
    void takesACliffBackWithinOneRound() {
        var cliff = new FakeService(
                List.of(POOL),
                setting("pool.size", 8),
                setting -> setting.values().get("pool.size").number() > 8 ? 1_000 : 10,
                Seeds.random("cliff"),
                0);
        tune(cliff, 1);

        assertThat(cliff.read()).isEqualTo(setting("pool.size", 8));
        assertThat(log)
                .filteredOn(round -> round.after().p95() > 500)
                .allMatch(round -> round.verdict() == Verdict.GUARDED);
        for (int i = 0; i + 1 < cliff.applied.size(); i++) {
            if (cliff.applied.get(i).values().get("pool.size").number() > 8) {
                assertThat(cliff.applied.get(i + 1)).isEqualTo(setting("pool.size", 8));
            }
        }
    }

    @Test
    void isNotFooledByAServiceThatFailsFast() {
        var service =
                new FakeService(List.of(POOL), setting("pool.size", 5), setting -> 20, Seeds.random("fast failure"), 0);
        service.failsFast = true;
        tune(service, 1);

        assertThat(service.read().values()).doesNotContainEntry("pool.size", KnobValue.of(2));
    }

    @Test
    void takesWarmUpForNoEffect() {
        for (int seed = 0; seed < Depth.of(20, 200); seed++) {
            var service = new FakeService(
                    List.of(DEAD), setting("unused", 8), setting -> 20, Seeds.random("warm-up " + seed), 0.01);
            service.warming = 4;
            Outcome outcome = tune(service, seed);

            assertThat(outcome.accepted()).isFalse();
            assertThat(service.read()).isEqualTo(setting("unused", 8));
        }
    }

    @Test
    void goesOnWithoutAKnobThatIsRefused() {
        FakeService service = service(0, 1);
        service.refused = "threads";
        Outcome outcome = tune(service, 1);

        assertThat(outcome.accepted()).isTrue();
        assertThat(outcome.last().values()).containsEntry("threads", KnobValue.of(4));
        assertThat(log).anyMatch(round -> round.verdict() == Verdict.REFUSED);
    }

    /** Requests come 95 times a second and wait for threads that do ten a second each. */
    private static final class Backlog implements TunedService {

        private double threads = 8;
        private double kept = 8;
        private double waiting = 1_000;

        @Override
        public String name() {
            return "backlog";
        }

        @Override
        public List<KnobSpec> knobs() {
            return List.of(THREADS);
        }

        @Override
        public Setting read() {
            return setting("threads", threads);
        }

        @Override
        public void apply(Setting changes) {
            threads = changes.get("threads").number();
        }

        @Override
        public void keep() {
            kept = threads;
        }

        @Override
        public void restore() {
            threads = kept;
        }

        @Override
        public Window measure(double seconds, Predicate<Window> goOn) {
            double most = 10 * threads;
            double before = waiting;
            double done = Math.min(most, 95 + waiting / seconds);
            waiting = Math.max(0, waiting + (95 - done) * seconds);
            double p95 = 100 + 1_000 * Math.max(before, waiting) / most;
            double p50 = 100 + 500 * (before + waiting) / most;
            return new Window(seconds, (long) (done * seconds), 0, p50, p95, p95, p50, 10, 0.3, 0);
        }
    }

    @Test
    void queueThatIsWorkedOffIsNoThroughput() {
        var service = new Backlog();
        Outcome outcome = new Tuner(service, plan, log::add, () -> false, () -> 0, 1).run();

        assertThat(outcome.accepted()).isTrue();
        assertThat(service.threads).isGreaterThanOrEqualTo(10);
        assertThat(log)
                .filteredOn(round -> round.setting().get("threads").number() >= 10)
                .extracting(Round::reason)
                .noneMatch(reason -> reason.contains("throughput"));
    }

    /** As threads that do not leave: what was measured last would be compared with itself. */
    @Test
    void doesNotCallBetterWhatCouldNotBeComparedWithTheFirstSetting() {
        FakeService service = service(0, 1);
        service.neverLess = "pool.size";
        Outcome outcome = tune(service, 1);

        assertThat(outcome.accepted()).isFalse();
        Round last = log.get(log.size() - 1);
        assertThat(last.verdict()).isEqualTo(Verdict.REFUSED);
        assertThat(last.line()).contains("could not be compared with the first setting", "AUTOTUNE-3002");
        assertThat(outcome.last()).isEqualTo(service.read());
        assertThat(service.read().values()).containsEntry("threads", KnobValue.of(4));
    }

    @Test
    void rationsChangesThatRestart() {
        var pacing = new Pacing(2);

        assertThat(List.of(pacing.take(0), pacing.take(10), pacing.take(20))).containsExactly(true, true, false);
        assertThat(pacing.take(-5_000)).as("a clock that jumps back").isFalse();
        assertThat(pacing.take(3_700)).isTrue();
    }

    @Test
    void oneSeedGivesOneSequence() {
        tune(service(0, 1), 9);
        List<Round> first = List.copyOf(log);
        log.clear();
        tune(service(0, 1), 9);

        assertThat(log).isEqualTo(first);
    }
}
