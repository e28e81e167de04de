package io.leeway.lazytables.apps.lasso;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.testkit.Seeds;
import org.junit.jupiter.api.Test;

class LassoReferenceTest {

    @Test
    void theOptimumOfColumnsThatDoNotOverlapIsKnown() {
        // Two columns of two ones each: every weight is its mean, shrunk by lambda over two.
        var design = new Design(
                new int[] {0, 2, 4, 4}, new int[] {0, 1, 2, 3}, new float[] {1, 1, 1, 1}, new double[] {3, 5, -1, 0.5});
        var reference = new LassoReference(design, 1);

        LassoObjective objective = reference.solve(1e-12, 10);

        assertThat(reference.weights()).containsExactly(3.5, 0, 0);
        assertThat(objective.weights()).isEqualTo(1);
        assertThat(objective.value()).isCloseTo((0.25 + 2.25 + 1 + 0.25) / 2 + 3.5, within(1e-12));
        assertThat(objective.gap()).isCloseTo(0, within(1e-12));
        assertThat(objective.violation()).isCloseTo(0, within(1e-12));
    }

    @Test
    void meetsTheConditionsOfTheOptimum() {
        var made = SyntheticGenotypes.generate(200, 1500, 10, 0.5, Seeds.seed("lasso"));
        double lambda = 0.1 * LassoObjective.largestLambda(made.design());
        var reference = new LassoReference(made.design(), lambda);

        LassoObjective objective = reference.solve(1e-9, 500);

        assertThat(objective.gap()).isBetween(-1e-9 * objective.value(), 1e-9 * objective.value());
        assertThat(objective.violation()).isLessThan(1e-3);
        // The residual that followed the steps is that of the weights.
        double[] weights = reference.weights();
        LassoObjective fresh =
                LassoObjective.of(made.design(), lambda, weights, LassoObjective.residual(made.design(), weights));
        assertThat(fresh.value()).isCloseTo(objective.value(), within(1e-9 * objective.value()));
        assertThat(objective.weights()).isBetween(1, 200);
    }

    @Test
    void noSmallChangeOfTheWeightsIsBetter() {
        var made = SyntheticGenotypes.generate(60, 100, 4, 0.3, Seeds.seed("neighbours"));
        double lambda = 0.2 * LassoObjective.largestLambda(made.design());
        var reference = new LassoReference(made.design(), lambda);
        double best = reference.solve(1e-12, 2000).value();
        double[] weights = reference.weights();

        for (int j = 0; j < weights.length; j++) {
            for (double by : new double[] {-1e-3, 1e-3}) {
                double[] moved = weights.clone();
                moved[j] += by;
                double value = LassoObjective.of(
                                made.design(), lambda, moved, LassoObjective.residual(made.design(), moved))
                        .value();
                assertThat(value).isGreaterThanOrEqualTo(best - 1e-9);
            }
        }
    }

    @Test
    void lambdaBeyondTheLargestLeavesNoWeight() {
        var made = SyntheticGenotypes.generate(50, 80, 3, 0.3, Seeds.seed("zero"));
        double lambda = 1.0001 * LassoObjective.largestLambda(made.design());

        assertThat(new LassoReference(made.design(), lambda).solve(1e-9, 3).weights())
                .isZero();
    }

    @Test
    void findsTheMarkersThatMakeTheTrait() {
        var made = SyntheticGenotypes.generate(400, 2000, 5, 0.1, Seeds.seed("truth"));
        double lambda = 0.05 * LassoObjective.largestLambda(made.design());
        var reference = new LassoReference(made.design(), lambda);

        reference.solve(1e-6, 500);

        double[] weights = reference.weights();
        for (int j = 0; j < weights.length; j++) {
            if (made.truth(j) != 0) {
                assertThat(Math.signum(weights[j])).as("marker %d", j).isEqualTo(Math.signum(made.truth(j)));
            }
        }
    }
}
