package io.leeway.lazytables.apps.mf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.leeway.lazytables.AdaptivePace;
import io.leeway.lazytables.Pace;
import io.leeway.lazytables.apps.DivergedException;
import io.leeway.lazytables.apps.Modes;
import io.leeway.lazytables.apps.Outcome;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.lazytables.apps.RunSettings;
import io.leeway.lazytables.apps.WorkPerClock;
import io.leeway.testkit.Seeds;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FactorApplicationTest {

    private static final int PASSES = 40;
    private static final int RANK = 6;
    private static final double RATE = 0.01;
    private static final double LAMBDA = 0.05;

    private static Ratings ratings;
    private static double reference;

    @BeforeAll
    static void inOneThread() {
        ratings = SyntheticRatings.generate(400, 300, 40, 4, 0.2, Seeds.seed("ratings"));
        var single = new FactorReference(ratings, RANK, RATE, LAMBDA, Seeds.seed("mf reference"));
        for (int i = 0; i < PASSES; i++) {
            single.pass();
        }
        reference = single.rootMeanSquare(ratings);
    }

    @ParameterizedTest
    @EnumSource
    void isAsGoodAsTheReference(Modes mode) {
        Outcome<FactorResult> outcome =
                Run.of(new FactorApplication(ratings, RANK, RATE, LAMBDA), mode.settings(PASSES), RunLog.none());

        // All ratings have variance one, so that knowing nothing is an error of one.
        assertThat(reference).isLessThan(0.3);
        // Where nobody waits a worker may be done before it hears of the others, and factors do not fit each other.
        assertThat(outcome.value()).isCloseTo(reference, within(tolerance(mode)));
    }

    private static double tolerance(Modes mode) {
        return switch (mode) {
            case ASYNC -> 0.6;
            // As stale as the machine's other work makes them, four passes at most.
            case HYBRID, ADAPTIVE -> 0.08;
            default -> 0.05;
        };
    }

    /** Strict reads make every run as stale as it may be, so that the machine's pace does not matter. */
    @Test
    void absurdStalenessDivergesAndThatIsSaid() {
        double rate = 0.05;
        var single = new FactorReference(ratings, RANK, rate, LAMBDA, Seeds.seed("mf reference"));
        for (int i = 0; i < 60; i++) {
            single.pass();
        }
        assertThat(single.rootMeanSquare(ratings)).isLessThan(0.3);
        RunSettings settings =
                RunSettings.of(8, Seeds.seed("absurd")).slack(25).asStrict().work(WorkPerClock.ONE, 60);

        assertThatThrownBy(() -> Run.of(new FactorApplication(ratings, RANK, rate, LAMBDA), settings, RunLog.none()))
                .isInstanceOf(DivergedException.class)
                .hasMessageContaining("mf diverged")
                .hasMessageContaining("8 workers")
                .hasMessageContaining("slack 25")
                .hasMessageContaining("lower the slack");
    }

    /** Eight workers go two passes each before any hears of the others, and what they add up overshoots. */
    @Test
    void anAdaptiveRunNoticesThatItGetsWorseAndTightensThePace() {
        RunSettings settings = RunSettings.of(8, Seeds.seed("overshooting")).work(new WorkPerClock(2, 1), 100);

        Outcome<FactorResult> outcome = Run.of(inStep(RATE), settings.asAdaptive(), RunLog.none());

        List<AdaptivePace.Decision> paces = outcome.paces();
        assertThat(paces.get(0).pace()).isEqualTo(new Pace(0, 16));
        assertThat(paces).anySatisfy(each -> assertThat(each.why()).contains("the objective went from"));
        for (int i = 1; i < paces.size(); i++) {
            if (paces.get(i).why().contains("the objective went from")) {
                // At once, and to the end.
                int before = staleness(paces.get(i - 1));
                assertThat(paces.subList(i, paces.size()))
                        .allSatisfy(each -> assertThat(staleness(each)).isLessThanOrEqualTo(before / 2));
            }
        }
    }

    /** In blocks. */
    private static int staleness(AdaptivePace.Decision decision) {
        return decision.pace().work() * (decision.pace().slack() + 1);
    }

    @Test
    void anAdaptiveRunWhoseStepsAreTooLongInAnyCaseSaysSo() {
        var records = new StringBuilder();
        RunSettings settings = RunSettings.of(8, Seeds.seed("too long"))
                .work(WorkPerClock.ONE, 60)
                .asAdaptive();

        assertThatThrownBy(() -> Run.of(inStep(3), settings, RunLog.to(records)))
                .isInstanceOf(DivergedException.class)
                .hasMessageContaining("mf diverged")
                .hasMessageContaining("Take smaller steps");
        assertThat(records.toString()).contains("\"kind\":\"end\",\"outcome\":\"diverged\"");
    }

    private static InStep inStep(double rate) {
        return new InStep(
                new FactorApplication(ratings, RANK, rate, LAMBDA), ratings.items(), RANK, new CyclicBarrier(8));
    }

    @Test
    void strictRunsAreTheSameToTheLastBit() {
        RunSettings settings = Modes.HYBRID.settings(8).asStrict();

        float[] one = Run.of(new FactorApplication(ratings, RANK, RATE, LAMBDA), settings, RunLog.none())
                .result()
                .items();
        float[] other = Run.of(new FactorApplication(ratings, RANK, RATE, LAMBDA), settings, RunLog.none())
                .result()
                .items();

        assertThat(other).isEqualTo(one);
    }
}
