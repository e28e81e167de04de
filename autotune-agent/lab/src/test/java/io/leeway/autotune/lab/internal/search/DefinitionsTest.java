package io.leeway.autotune.lab.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.autotune.lab.Method;
import io.leeway.autotune.lab.Parameter;
import io.leeway.autotune.lab.Space;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.hipparchus.optim.InitialGuess;
import org.hipparchus.optim.MaxEval;
import org.hipparchus.optim.SimpleBounds;
import org.hipparchus.optim.nonlinear.scalar.GoalType;
import org.hipparchus.optim.nonlinear.scalar.ObjectiveFunction;
import org.hipparchus.optim.nonlinear.scalar.noderiv.CMAESOptimizer;
import org.hipparchus.random.MersenneTwister;
import org.junit.jupiter.api.Test;

/** What each optimiser proposes against how it is defined. */
class DefinitionsTest {

    private static Space cube(int n) {
        return Space.of(
                IntStream.range(0, n)
                        .mapToObj(i -> Parameter.real("x" + i, 0, 1, 0.5))
                        .toList(),
                List.of());
    }

    private static History history(Space space, int budget, long seed, double[][] points, double... scores) {
        boolean[] good = new boolean[scores.length];
        Arrays.fill(good, true);
        return new History(space, budget, seed, List.of(points), scores, good);
    }

    private static double[] same(int n, double value) {
        double[] point = new double[n];
        Arrays.fill(point, value);
        return point;
    }

    @Test
    void ddsChangesParametersWithTheProbabilityOfItsFormula() {
        int n = 20;
        int budget = 100;
        for (int trials : new int[] {2, 10, 50}) {
            double[][] points = new double[trials][];
            Arrays.fill(points, same(n, 0.5));
            double[] scores = new double[trials];
            int changed = 0;
            int runs = 400;
            for (int seed = 0; seed < runs; seed++) {
                double[] next = new Dds().next(history(cube(n), budget, seed, points, scores));
                changed += (int) Arrays.stream(next).filter(x -> x != 0.5).count();
            }
            double expected = 1 - Math.log(trials) / Math.log(budget);
            assertThat((double) changed / (runs * n)).isCloseTo(expected, within(0.03));
        }
    }

    @Test
    void ddsPerturbsTheBestByAFifthOfTheRange() {
        double[][] points = {same(1, 0.2), same(1, 0.5)};
        double[] moves = IntStream.range(0, 4_000)
                .mapToDouble(seed -> new Dds().next(history(cube(1), 10, seed, points, 2, 1))[0] - 0.5)
                .toArray();

        double deviation =
                Math.sqrt(Arrays.stream(moves).map(x -> x * x).average().orElseThrow());
        // What leaves the bounds is reflected, which takes a little off.
        assertThat(deviation).isCloseTo(Dds.RADIUS, within(0.015));
    }

    @Test
    void coordinatesAreReflectedAndAtLastClamped() {
        assertThat(Optimizer.reflected(-0.2)).isEqualTo(0.2);
        assertThat(Optimizer.reflected(1.25)).isEqualTo(0.75);
        assertThat(Optimizer.reflected(-1.5)).isZero();
        assertThat(Optimizer.reflected(2.5)).isEqualTo(1);
    }

    @Test
    void annealingAcceptsAllThatIsBetterAndWorseOnesByTheTemperature() {
        double[][] points = new double[40][];
        Arrays.setAll(points, i -> same(2, i / 40.0));
        double[] falling = IntStream.range(0, 40).mapToDouble(i -> -i).toArray();
        assertThat(Annealing.present(history(cube(2), 40, 1, points, falling))).isEqualTo(39);

        // Much worse at the end, when it is cold: never accepted.
        double[] cold = falling.clone();
        cold[39] = 1_000;
        assertThat(IntStream.range(0, 200).map(seed -> Annealing.present(history(cube(2), 40, seed, points, cold))))
                .containsOnly(38);
    }

    @Test
    void particlesStayWhenTheyAreWhereAllHaveBeenBestAndHaveNoVelocity() {
        int swarm = Swarm.size(50);
        double[][] points = new double[2 * swarm][];
        Arrays.fill(points, same(3, 0.25));

        assertThat(new Swarm().next(history(cube(3), 50, 1, points, new double[2 * swarm])))
                .containsExactly(0.25, 0.25, 0.25);
    }

    @Test
    void particlesMoveByInertiaAndTowardsTheirOwnAndTheCommonBest() {
        int swarm = Swarm.size(50);
        double[][] points = new double[2 * swarm][];
        Arrays.fill(points, same(1, 0.4));
        points[0] = same(1, 0.3);
        double[] scores = new double[2 * swarm];
        Arrays.fill(scores, 5);
        // The first particle came from 0.3, where it was worse, to 0.4: its own best and, in value, everybody's.
        scores[swarm] = 1;

        double next = new Swarm().next(history(cube(1), 50, 1, points, scores))[0];

        assertThat(next).isCloseTo(0.4 + Swarm.INERTIA * 0.1, within(1e-9));
    }

    @Test
    void childrenLieBetweenParentsAndALittleBeyond() {
        double[][] points = new double[10][];
        Arrays.setAll(points, i -> same(6, i % 2 == 0 ? 0.4 : 0.6));
        long inside = 0;
        for (int seed = 0; seed < 200; seed++) {
            double[] child = new Genetic().next(history(cube(6), 50, seed, points, new double[10]));
            inside += Arrays.stream(child).filter(x -> x >= 0.35 && x <= 0.65).count();
        }

        // All but mutations, of which there is one in a child in the mean.
        assertThat(inside / 1_200.0).isGreaterThan(0.75);
    }

    @Test
    void parzenEstimatorProposesWhereGoodTrialsAre() {
        double[][] points = new double[30][];
        double[] scores = new double[30];
        for (int i = 0; i < 30; i++) {
            points[i] = same(2, (i + 0.5) / 30);
            scores[i] = Math.abs(points[i][0] - 0.2);
        }
        double[] near = IntStream.range(0, 100)
                .mapToDouble(seed -> new Tpe().next(history(cube(2), 60, seed, points, scores))[0])
                .toArray();

        assertThat(Arrays.stream(near).average().orElseThrow()).isCloseTo(0.2, within(0.1));
    }

    @Test
    void gaussianProcessGoesThroughItsPointsAndIsUncertainBetweenThem() {
        double[][] x = new double[12][];
        double[] y = new double[12];
        for (int i = 0; i < 12; i++) {
            x[i] = new double[] {i < 6 ? i / 20.0 : 0.7 + (i - 6) / 20.0};
            y[i] = Math.sin(6 * x[i][0]);
        }
        GaussianProcess process = GaussianProcess.fit(x, y);
        double[] at = new double[2];
        double[] between = new double[2];
        process.predict(x[3], at);
        process.predict(new double[] {0.48}, between);

        assertThat(at[0]).isCloseTo(y[3], within(0.05));
        assertThat(between[1]).isGreaterThan(3 * at[1]);
    }

    @Test
    void expectedImprovementIsThatOfANormalVariable() {
        var random = Seeds.random("improvement");
        double sum = 0;
        int count = 200_000;
        for (int i = 0; i < count; i++) {
            sum += Math.max(0, 1 - (1.5 + 0.8 * random.nextGaussian()));
        }

        assertThat(Normal.expectedImprovement(1, 1.5, 0.8)).isCloseTo(sum / count, within(0.01));
        assertThat(Normal.fastCdf(1.2)).isCloseTo(Normal.cdf(1.2), within(1e-6));
    }

    /** Evaluations until an ellipsoid is below a bound. */
    private static int evaluations(ToDoubleFunction<double[]> function, double bound) {
        Space space = cube(5);
        var points = new ArrayList<double[]>();
        var scores = new ArrayList<Double>();
        while (scores.size() < 3_000) {
            var history = new History(
                    space, 3_000, 7, points, scores.stream().mapToDouble(s -> s).toArray(), new boolean[scores.size()]);
            double[] next = new CmaEs().next(history);
            points.add(next);
            scores.add(function.applyAsDouble(next));
            if (scores.get(scores.size() - 1) < bound) {
                return scores.size();
            }
        }
        return scores.size();
    }

    @Test
    void covarianceAdaptsAboutAsFastAsHipparchusDoes() {
        ToDoubleFunction<double[]> ellipsoid = x -> {
            double sum = 0;
            for (int i = 0; i < x.length; i++) {
                sum += Math.pow(100, i / 4.0) * (x[i] - 0.6) * (x[i] - 0.6);
            }
            return sum;
        };
        int[] theirs = {0};
        var hipparchus = new CMAESOptimizer(
                3_000,
                1e-3,
                true,
                0,
                0,
                new MersenneTwister(7),
                false,
                (iteration, before, after) -> after.getValue() < 1e-3);
        hipparchus.optimize(
                new ObjectiveFunction(x -> {
                    theirs[0]++;
                    return ellipsoid.applyAsDouble(x);
                }),
                GoalType.MINIMIZE,
                new InitialGuess(same(5, 0.5)),
                SimpleBounds.unbounded(5),
                new CMAESOptimizer.Sigma(same(5, 0.3)),
                new CMAESOptimizer.PopulationSize(8),
                new MaxEval(3_000));

        assertThat(evaluations(ellipsoid, 1e-3)).isLessThan(2 * Math.max(150, theirs[0]));
    }

    @Test
    void randomSearchGoesAnywhereAlike() {
        double[][] points = {same(1, 0.5)};
        double[] drawn = IntStream.range(0, 4_000)
                .mapToDouble(seed -> Optimizers.of(Method.RANDOM).next(history(cube(1), 10, seed, points, 1))[0])
                .sorted()
                .toArray();

        for (int i = 0; i < drawn.length; i++) {
            // Kolmogorov's bound for so many is 0.03 at one in a thousand.
            assertThat(drawn[i]).isCloseTo((i + 0.5) / drawn.length, within(0.035));
        }
    }

    @Test
    void theHybridIsDdsForTheFirstFortyPercentAndTheGaussianProcessFromThenOn() {
        int budget = 15;
        for (int trials = 1; trials < budget; trials++) {
            double[][] points = new double[trials][];
            Arrays.setAll(points, i -> same(3, 0.3 + i / 40.0));
            double[] scores = IntStream.range(0, trials).mapToDouble(i -> i % 4).toArray();
            History seen = history(cube(3), budget, 5, points, scores);

            assertThat(Optimizers.of(Method.HYBRID).next(seen))
                    .as("after " + trials + " trials")
                    .isEqualTo(
                            Optimizers.of(trials < 6 ? Method.DDS : Method.GP).next(seen));
        }
    }

    /** Noise that is the same everywhere: what a model says of it is known. */
    private static void saysOfNoise(Surrogate.Fit fit, double deviation, double tolerance) {
        var random = Seeds.random("surrogates");
        double[][] x = new double[600][];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = new double[] {random.nextDouble()};
            y[i] = random.nextGaussian();
        }
        Surrogate model = fit.of(x, y, new SplittableRandom(1));
        double mean = 0;
        double spread = 0;
        for (int i = 0; i < 50; i++) {
            double[] into = new double[2];
            model.predict(new double[] {(i + 0.5) / 50}, into);
            mean += into[0] / 50;
            spread += into[1] / 50;
        }
        assertThat(mean).isCloseTo(0, within(0.2));
        assertThat(spread).isCloseTo(deviation, within(tolerance));
    }

    @Test
    void boostedTreesGiveHalfTheDistanceOfTheQuantilesWhichIsADeviationOfNormalNoise() {
        saysOfNoise(Surrogate::boosted, 1, 0.25);
    }

    /** Grown to the last sample, a tree says one sample or another: a deviation below that of the noise. */
    @Test
    void aForestGivesTheMeanOfItsTreesAndHowFarTheyDiffer() {
        saysOfNoise(Surrogate::forest, 0.75, 0.25);
    }

    @Test
    void allMethodsButDdsAndCmaBeginWithTheSamePoints() {
        Space space = cube(3);
        double[][] none = {same(3, 0.5)};
        double[] expected = history(space, 40, 9, none, 1).initial(1);
        for (Method method : List.of(
                Method.ANNEALING, Method.SWARM, Method.GENETIC, Method.GP, Method.BOOSTED, Method.FOREST, Method.TPE)) {
            assertThat(Optimizers.of(method).next(history(space, 40, 9, none, 1)))
                    .as(method.name())
                    .isEqualTo(expected);
        }
    }

    @Test
    void ofVeryManyTrialsAGaussianProcessSeesTheBestAndTheLast() {
        var random = new SplittableRandom(5);
        int n = 500;
        double[][] x = new double[n][];
        double[] y = new double[n];
        for (int i = 0; i < n; i++) {
            x[i] = new double[] {random.nextDouble()};
            y[i] = Math.abs(x[i][0] - 0.7) + 0.01 * random.nextGaussian();
        }
        double[] best = new double[2];
        double[] far = new double[2];

        Surrogate model = Surrogate.gaussian(x, y, random);
        model.predict(new double[] {0.7}, best);
        model.predict(new double[] {0.1}, far);

        assertThat(best[0]).isBetween(-0.05, 0.1);
        assertThat(far[0]).isBetween(0.5, 0.7);
    }
}
