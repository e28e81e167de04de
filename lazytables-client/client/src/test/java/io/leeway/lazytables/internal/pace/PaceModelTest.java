package io.leeway.lazytables.internal.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.Pace;
import io.leeway.lazytables.PaceBounds;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** In worlds whose times and gains follow from the pace by formulas, so that the best pace is known. */
class PaceModelTest {

    private static final int UNITS = 8;
    private static final int MOST_SLACK = 15;
    private static final int MOST_WORK = 4 * UNITS;
    private static final PaceBounds BOUNDS = new PaceBounds(new Pace(0, UNITS), MOST_SLACK, 1, MOST_WORK, UNITS, true);

    /**
     * A world.
     *
     * @param compute seconds of a pass without waiting
     * @param sync seconds that every clock waits, whatever the slack
     * @param straggle seconds that a clock waits for others with slack 0
     * @param cost what a pass of staleness takes away from what a pass brings
     * @param gain of a fresh pass
     */
    private record World(double compute, double sync, double straggle, double cost, double gain) {

        double passSeconds(Pace pace) {
            double clocks = (double) UNITS / pace.work();
            return compute + clocks * (sync + straggle / (pace.slack() + 1));
        }

        double waitShare(Pace pace) {
            return 1 - compute / passSeconds(pace);
        }

        double quality(Pace pace) {
            return 1 / (1 + cost * Math.max(0, BOUNDS.staleness(pace) - 1));
        }

        double rate(Pace pace) {
            return quality(pace) / passSeconds(pace);
        }

        double bestRate() {
            double best = 0;
            for (int slack = 0; slack <= MOST_SLACK; slack++) {
                for (int work = 1; work <= MOST_WORK; work *= 2) {
                    best = Math.max(best, rate(new Pace(slack, work)));
                }
            }
            return best;
        }
    }

    /** A run with a model, window after window. */
    private static final class Course {

        private final PaceModel model;
        private double passes;
        private double objective = 1;

        Course(PaceBounds bounds) {
            model = new PaceModel(bounds);
            model.objective(0, objective);
        }

        PaceModel.Choice window(World world) {
            Pace pace = model.pace();
            for (int clock = 0; clock < Math.max(2, pace.slack() + 1); clock++) {
                double more = (double) pace.work() / UNITS;
                passes += more;
                objective *= Math.exp(-world.gain() * world.quality(pace) * more);
                model.objective(passes, objective);
            }
            return model.window(world.passSeconds(pace), world.waitShare(pace));
        }
    }

    @Test
    void findsAPaceThatIsNearlyAsGoodAsTheBest() {
        RandomGenerator random = Seeds.random("worlds");
        var shares = new ArrayList<Double>();
        for (int i = 0; i < 500; i++) {
            var world = new World(
                    1,
                    random.nextDouble() * random.nextDouble(),
                    2 * random.nextDouble() * random.nextDouble(),
                    0.2 * random.nextDouble() * random.nextDouble(),
                    0.001);
            var course = new Course(BOUNDS);
            for (int window = 0; window < 60; window++) {
                course.window(world);
            }
            double share = world.rate(course.model.pace()) / world.bestRate();
            assertThat(share).as("%s ended at %s", world, course.model.pace()).isGreaterThan(0.7);
            shares.add(share);
        }

        assertThat(shares.stream().mapToDouble(Double::doubleValue).average().orElse(0))
                .isGreaterThan(0.9);
    }

    @Test
    void nothingChangesWhereNobodyWaits() {
        var course = new Course(BOUNDS);

        for (int window = 0; window < 30; window++) {
            assertThat(course.window(new World(1, 0, 0, 0.05, 0.001))).isNull();
        }
        assertThat(course.model.pace()).isEqualTo(BOUNDS.first());
    }

    @Test
    void whoWaitsForOthersGetsSlackInTheFirstWindowAndIsToldWhy() {
        var course = new Course(BOUNDS);
        var world = new World(1, 0, 1, 0.01, 0.001);
        PaceModel.Choice choice = course.window(world);

        assertThat(choice).isNotNull();
        assertThat(choice.pace().slack()).isPositive();
        assertThat(choice.why()).contains("50 % of the time was waited", "progress should be");
    }

    @Test
    void whereOnlyTheNetworkIsWaitedForAClockGetsMoreWork() {
        var world = new World(1, 1, 0, 0.01, 0.001);
        var course = new Course(BOUNDS);
        for (int window = 0; window < 40; window++) {
            course.window(world);
        }

        assertThat(course.model.pace().work()).isGreaterThan(UNITS);
    }

    @Test
    void aSlowWorkerIsMadeUpForAfterTwoWindows() {
        // Half of the time is waited for whoever is slow.
        var world = new World(1, 0, 1, 0.01, 0.001);
        var course = new Course(BOUNDS);
        course.window(world);
        course.window(world);

        assertThat(world.rate(course.model.pace())).isGreaterThan(0.8 * world.bestRate());
    }

    @Test
    void aFirstWindowThatPromisesLittleChangesNothing() {
        var course = new Course(BOUNDS);
        var world = new World(1, 0, 0.2, 0.01, 0.001);

        assertThat(course.window(world)).isNull();
        assertThat(course.window(world)).isNotNull();
    }

    @Test
    void learnsWhatStalenessCosts() {
        for (double cost : new double[] {0, 0.15}) {
            var world = new World(1, 0, 3, cost, 0.002);
            var course = new Course(BOUNDS);
            for (int window = 0; window < 14; window++) {
                course.window(world);
            }
            if (cost == 0) {
                assertThat(course.model.cost()).isLessThan(0.6 * PaceModel.FIRST_COST);
            } else {
                assertThat(course.model.cost()).isBetween(1.2 * PaceModel.FIRST_COST, 0.3);
            }
        }
    }

    @Test
    void anObjectiveThatGetsWorseBringsStalenessDownForGood() {
        var model = new PaceModel(new PaceBounds(new Pace(15, UNITS), MOST_SLACK, UNITS, MOST_WORK, UNITS, true));
        model.objective(0, 10);
        model.objective(1, 8);
        assertThat(model.window(1, 0.5)).isNull();
        model.objective(2, 9);

        PaceModel.Choice choice = model.window(1, 0.5);

        assertThat(choice).isNotNull();
        assertThat(choice.diverged()).isFalse();
        assertThat(choice.pace()).isEqualTo(new Pace(3, UNITS));
        assertThat(choice.why())
                .contains("the objective went from 8.0000 to 9.0000")
                .contains("8.00 passes behind at most");
        // Whatever is waited from now on.
        double value = 9;
        for (int window = 0; window < 50; window++) {
            value *= 0.9;
            model.objective(3 + window, value);
            model.window(1, 0.9);
            assertThat(BOUNDS.staleness(model.pace())).isLessThanOrEqualTo(8);
        }
    }

    @Test
    void thatItGetsWorseThoughAllIsFreshIsDivergence() {
        var model = new PaceModel(new PaceBounds(new Pace(0, 1), MOST_SLACK, 1, MOST_WORK, UNITS, false));
        model.objective(0, 1);
        var choices = new ArrayList<PaceModel.Choice>();
        for (int window = 1; window <= 6; window++) {
            model.objective(window, 1.0 - window);
            PaceModel.Choice choice = model.window(1, 0);
            if (choice != null) {
                choices.add(choice);
            }
        }

        assertThat(choices).singleElement().satisfies(choice -> {
            assertThat(choice.diverged()).isTrue();
            assertThat(choice.why()).contains("from -4.0000 to -5.0000, though reads are as fresh as they can be");
        });
    }

    /** What such a run may still gain is less than what fresher reads, or its noise, make of the objective. */
    @Test
    void aRunThatBeginsNearlyDoneIsNotEndedForALittle() {
        var model = new PaceModel(new PaceBounds(new Pace(0, 1), MOST_SLACK, 1, MOST_WORK, UNITS, true));
        for (int window = 0; window <= 20; window++) {
            model.objective(window, 0.205 + 0.0005 * window);
            PaceModel.Choice choice = window == 0 ? null : model.window(1, 0);

            assertThat(choice).isNull();
        }
    }

    @Test
    void anObjectiveThatIsNoNumberIsDivergenceAtOnce() {
        var model = new PaceModel(BOUNDS);
        model.objective(0, 1);
        model.objective(1, Double.NaN);

        assertThat(model.hasMoved()).isTrue();
        assertThat(model.window(1, 0))
                .isNotNull()
                .satisfies(choice -> assertThat(choice.diverged()).isTrue());
    }

    @Test
    void aLittleNoiseIsNoDivergence() {
        RandomGenerator random = Seeds.random("noise");
        for (int run = 0; run < 200; run++) {
            var model = new PaceModel(BOUNDS);
            for (int window = 0; window < 40; window++) {
                double value = Math.exp(-0.3 * window) + 0.003 * random.nextDouble();
                model.objective(window, value);
                PaceModel.Choice choice = model.window(1, 0.3);
                if (choice != null) {
                    assertThat(choice.diverged()).isFalse();
                    assertThat(choice.why()).doesNotContain("the objective went");
                }
            }
        }
    }

    @Test
    void withoutAnObjectiveTimeAloneCounts() {
        var model = new PaceModel(BOUNDS);
        var world = new World(1, 0, 2, 0, 0);
        for (int window = 0; window < 30; window++) {
            assertThat(model.hasMoved()).isTrue();
            model.window(world.passSeconds(model.pace()), world.waitShare(model.pace()));
        }

        assertThat(model.pace().slack()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void boundsAreKept() {
        RandomGenerator random = Seeds.random("bounds");
        for (int run = 0; run < 300; run++) {
            int leastWork = 1 << random.nextInt(4);
            int mostWork = leastWork << random.nextInt(4);
            int mostSlack = random.nextInt(5);
            var bounds = new PaceBounds(
                    new Pace(random.nextInt(mostSlack + 1), leastWork), mostSlack, leastWork, mostWork, UNITS, true);
            var model = new PaceModel(bounds);
            List<Pace> chosen = new ArrayList<>();
            for (int window = 0; window < 40; window++) {
                model.objective(window, random.nextDouble());
                PaceModel.Choice choice = model.window(random.nextDouble() + 0.01, random.nextDouble());
                if (choice != null) {
                    chosen.add(choice.pace());
                }
            }
            assertThat(chosen).allSatisfy(pace -> {
                assertThat(pace.slack()).isBetween(0, mostSlack);
                assertThat(pace.work()).isBetween(leastWork, mostWork);
            });
        }
    }
}
