package io.leeway.lazytables.apps.mf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.leeway.lazytables.AdaptivePace;
import io.leeway.lazytables.Pace;
import io.leeway.lazytables.apps.Begun;
import io.leeway.lazytables.apps.DivergedException;
import io.leeway.lazytables.apps.Modes;
import io.leeway.lazytables.apps.Outcome;
import io.leeway.lazytables.apps.Point;
import io.leeway.lazytables.apps.RowsAhead;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.lazytables.apps.RunSettings;
import io.leeway.lazytables.apps.Settled;
import io.leeway.lazytables.apps.WorkPerClock;
import io.leeway.testkit.Seeds;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FactorApplicationTest {

    private static final int PASSES = 240;
    private static final int SETTLING = 120;
    private static final int RANK = 6;
    private static final double LAMBDA = 0.05;

    /**
     * So short that four workers get to where one thread gets though all reads are four passes old, which is the stalest that BSP,
     * A-BSP, SSP and the hybrid allow here. With steps four times as long they overshoot then, and how far depends on the
     * machine.
     */
    private static final double STEP = 0.0025;

    private static final double LONG_STEP = 0.01;

    /** With which eight workers come to the end in passes of BSP. */
    private static final double STEP_OF_NEARLY_DONE = 0.005;

    /** Of errors of about 0.21. The stalest runs came within 0.005 with 36 seeds. */
    private static final double TOLERANCE = 0.02;

    /** After fewer passes of BSP than others have, from wherever a run without bound left it. */
    private static final double SETTLED_TOLERANCE = 0.05;

    private static Ratings ratings;
    private static double reference;

    @BeforeAll
    static void inOneThread() {
        ratings = SyntheticRatings.generate(400, 300, 40, 4, 0.2, Seeds.seed("ratings"));
        var single = new FactorReference(ratings, RANK, STEP, LAMBDA, Seeds.seed("mf reference"));
        for (int i = 0; i < PASSES; i++) {
            single.pass();
        }
        reference = single.rootMeanSquare(ratings);
        // All ratings have variance one, so that knowing nothing is an error of one.
        assertThat(reference).isLessThan(0.3);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"ASYNC", "ADAPTIVE"},
            mode = EnumSource.Mode.EXCLUDE)
    void isAsGoodAsTheReference(Modes mode) {
        Outcome<FactorResult> outcome = Run.of(application(), mode.settings(PASSES), RunLog.none());

        assertThat(outcome.value()).isCloseTo(reference, within(TOLERANCE));
    }

    /** The worst that the bound on staleness allows, and so a bound for all other runs, whatever else the machine does. */
    @ParameterizedTest
    @EnumSource(
            names = {"ASYNC", "ADAPTIVE"},
            mode = EnumSource.Mode.EXCLUDE)
    void isAsGoodAsTheReferenceWhenAllReadsAreAsStaleAsTheyMayBe(Modes mode) {
        Outcome<FactorResult> outcome =
                Run.of(application(), mode.settings(PASSES).asStrict(), RunLog.none());

        assertThat(outcome.value()).isCloseTo(reference, within(TOLERANCE));
    }

    /**
     * How stale reads are depends on the machine where nobody waits, and on what was chosen in an adaptive run; so an error in the
     * end has no bound. What holds in any case is that passes of BSP behind it come to the reference.
     */
    @ParameterizedTest
    @EnumSource(names = {"ASYNC", "ADAPTIVE"})
    void passesBehindARunWithoutBoundComeToTheReference(Modes mode) {
        Outcome<FactorResult> outcome =
                Run.of(new Settled<>(application(), SETTLING), mode.settings(PASSES), RunLog.none());

        assertThat(outcome.value()).isCloseTo(reference, within(SETTLED_TOLERANCE));
    }

    /** The worst that may become of a run without bound. */
    @Test
    void passesBehindARunInWhichNobodyHeardOfTheOthersComeToTheReference() {
        RunSettings settings =
                Modes.SSP.settings(PASSES).slack(10 * PASSES).spread(4, 2).prefetch(RowsAhead.NONE);
        Outcome<FactorResult> outcome = Run.of(new Settled<>(inStep(true), SETTLING), settings, RunLog.none());

        assertThat(outcome.value()).isCloseTo(reference, within(SETTLED_TOLERANCE));
    }

    /** Nothing is waited for but what workers asked for by their reads; so it is the machine's pace that a run which waits for nobody is at the mercy of, and nothing else. */
    @Test
    void anAsynchronousRunWhoseWorkersKeepStepIsAsGoodAsTheReference() {
        RunSettings settings = Modes.ASYNC.settings(PASSES).spread(4, 2);
        Outcome<FactorResult> outcome = Run.of(inStep(false), settings, RunLog.none());

        assertThat(outcome.value()).isCloseTo(reference, within(TOLERANCE));
    }

    private static InStep inStep(boolean asks) {
        return new InStep(application(), ratings.items(), RANK, new CyclicBarrier(4), asks);
    }

    private static FactorApplication application() {
        return new FactorApplication(ratings, RANK, STEP, LAMBDA);
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

    /**
     * Eight workers that are nearly done go eight passes each before any hears of the others, and what they add up overshoots: the
     * error grows from the second clock on, long before waits could change the pace. Half of that is about as much as they can go.
     */
    @Test
    void anAdaptiveRunNoticesThatItGetsWorseAndTightensThePace() {
        RunSettings settings = RunSettings.of(8, Seeds.seed("overshooting")).work(new WorkPerClock(8, 1), 160);

        assertThatThrownBy(() -> Run.of(nearlyDone(), settings, RunLog.none())).isInstanceOf(DivergedException.class);
        Outcome<FactorResult> outcome = Run.of(nearlyDone(), settings.asAdaptive(), RunLog.none());

        List<Point> curve = outcome.curve();
        assertThat(curve.get(1).value()).isGreaterThan(curve.get(0).value());
        List<AdaptivePace.Decision> paces = outcome.paces();
        assertThat(paces.get(0).pace()).isEqualTo(new Pace(0, 16));
        // The second clock shows it, the third goes on, the fourth goes a quarter.
        assertThat(paces.get(1).clock() - paces.get(0).clock()).isEqualTo(3);
        assertThat(paces.get(1).pace()).isEqualTo(new Pace(0, 4));
        assertThat(paces.get(1).why())
                .startsWith("the objective went from")
                .contains("reads may be 4.00 passes behind at most from now on");
        for (int i = 1; i < paces.size(); i++) {
            if (paces.get(i).why().startsWith("the objective went from")) {
                // To the end.
                int before = staleness(paces.get(i - 1));
                assertThat(paces.subList(i, paces.size()))
                        .allSatisfy(each -> assertThat(staleness(each)).isLessThanOrEqualTo(before / 2));
            }
        }
        assertThat(outcome.value()).isCloseTo(reference, within(SETTLED_TOLERANCE));
    }

    private static Begun<FactorResult> nearlyDone() {
        return new Begun<>(inStep(STEP_OF_NEARLY_DONE), PASSES);
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
                new FactorApplication(ratings, RANK, rate, LAMBDA), ratings.items(), RANK, new CyclicBarrier(8), true);
    }

    @Test
    void strictRunsAreTheSameToTheLastBit() {
        RunSettings settings = Modes.HYBRID.settings(8).asStrict();

        float[] one = Run.of(new FactorApplication(ratings, RANK, LONG_STEP, LAMBDA), settings, RunLog.none())
                .result()
                .items();
        float[] other = Run.of(new FactorApplication(ratings, RANK, LONG_STEP, LAMBDA), settings, RunLog.none())
                .result()
                .items();

        assertThat(other).isEqualTo(one);
    }
}
