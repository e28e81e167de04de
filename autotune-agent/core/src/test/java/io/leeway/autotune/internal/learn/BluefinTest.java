package io.leeway.autotune.internal.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.autotune.internal.learn.Bluefin.Steps;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BluefinTest {

    @Test
    void probesBothSidesOfItsCentreAtTheRadius() {
        var learner = new Bluefin(Steps.published(), new double[] {0.5, 0.5, 0.5}, 7);
        double[] plus = learner.propose();
        learner.reward(1);
        double[] minus = learner.propose();

        double distance = 0;
        for (int i = 0; i < 3; i++) {
            assertThat((plus[i] + minus[i]) / 2).isCloseTo(0.5, within(1e-12));
            distance += (plus[i] - minus[i]) * (plus[i] - minus[i]);
        }
        assertThat(Math.sqrt(distance)).isCloseTo(0.2, within(1e-12));
    }

    @Test
    void firstStepIsThePublishedOne() {
        var learner = new Bluefin(Steps.published(), new double[] {0.5}, 7);
        double u = Math.signum(learner.propose()[0] - 0.5);
        learner.reward(3);
        double[] gradient = learner.reward(2).orElseThrow();

        // d * (r+ - r-) / max * u / (2 delta); RMSprop's first step is eta / sqrt(1 - alpha) in its direction.
        assertThat(gradient[0]).isCloseTo(u / 3 / 0.2, within(1e-12));
        assertThat(learner.centre()[0] - 0.5).isCloseTo(u * 0.01 / Math.sqrt(0.01), within(1e-6));
    }

    @Test
    void staysInsideWhateverTheRewards() {
        RandomGenerator random = Seeds.random("bluefin rewards");
        for (int run = 0; run < Depth.of(50, 2_000); run++) {
            var learner = new Bluefin(Steps.quick(), new double[] {0, 1, 0.3}, run);
            for (int i = 0; i < 60; i++) {
                assertThat(Arrays.stream(learner.propose())).allMatch(x -> x >= 0 && x <= 1);
                learner.reward(random.nextGaussian() * Math.pow(10, random.nextInt(-6, 7)));
                assertThat(Arrays.stream(learner.centre())).allMatch(x -> x >= 0.1 && x <= 0.9);
            }
        }
    }

    @Test
    void treeWalksToTheLeafWithTheHighestScore() {
        RandomGenerator random = Seeds.random("tree contexts");
        for (int run = 0; run < Depth.of(200, 20_000); run++) {
            var scope = new AutoScope(
                    Steps.quick(), 3, false, 2, new Point(new double[] {0.5}, new int[0]), new int[0], run);
            double[] context = {random.nextDouble(-1, 1), random.nextDouble(-1, 1)};
            for (int i = 0; i < 6; i++) {
                assertThat(scope.leafByScore(context)).isEqualTo(scope.leaf(context));
                scope.reward(context, scope.leaf(context), random.nextGaussian());
            }
        }
    }

    @Test
    void rewardOfALeafThatTheContextLeftIsDropped() {
        var scope = new AutoScope(Steps.quick(), 2, false, 1, new Point(new double[] {0.5}, new int[0]), new int[0], 4);
        int leaf = scope.leaf(new double[] {0.5});

        assertThat(scope.reward(new double[] {0.5}, (leaf + 1) % 4, 1)).isFalse();
        assertThat(scope.reward(new double[] {0.5}, leaf, 1)).isTrue();
        assertThat(scope.rules(List.of("rps"))).hasSize(4).allMatch(rule -> rule.contains("rps"));
    }

    @Test
    void selectorPutsPlantedParametersFirstAndKnowsNoise() {
        RandomGenerator random = Seeds.random("selector noise");
        var defaults = new ArrayList<Double>();
        for (int i = 0; i < 10; i++) {
            defaults.add(100 + random.nextGaussian());
        }
        Map<String, List<Double>> probes = new LinkedHashMap<>();
        for (String name : List.of("dead1", "strong", "dead2", "weak")) {
            double effect = "strong".equals(name) ? 30 : "weak".equals(name) ? 8 : 0;
            var rewards = new ArrayList<Double>();
            for (int i = 0; i < 5; i++) {
                rewards.add(100 - effect + random.nextGaussian());
            }
            probes.put(name, rewards);
        }

        List<Selector.Ranked> ranked = Selector.rank(defaults, probes);

        assertThat(ranked).extracting(Selector.Ranked::name).startsWith("strong", "weak");
        assertThat(ranked.subList(0, 2)).allMatch(Selector.Ranked::aboveNoise);
    }
}
