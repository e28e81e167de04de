package io.leeway.lazytables.apps.lasso;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.leeway.lazytables.apps.BadInputException;
import io.leeway.lazytables.apps.Modes;
import io.leeway.lazytables.apps.Outcome;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.testkit.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LassoApplicationTest {

    private static final int PASSES = 4000;

    private static Design design;
    private static double lambda;
    private static double reference;

    @BeforeAll
    static void inOneThread() {
        design = SyntheticGenotypes.generate(150, 600, 8, 0.3, Seeds.seed("genotypes"))
                .design();
        lambda = 0.2 * LassoObjective.largestLambda(design);
        reference = new LassoReference(design, lambda).solve(1e-10, 1000).value();
    }

    @ParameterizedTest
    @EnumSource
    void meetsTheConditionsOfTheOptimum(Modes mode) {
        Outcome<double[]> outcome = Run.of(
                new LassoApplication(design, lambda, 0.25, 1e-7),
                mode.settings(mode == Modes.ASYNC ? PASSES / 4 : PASSES),
                RunLog.none());

        double[] weights = outcome.result();
        LassoObjective objective = LassoObjective.of(design, lambda, weights, LassoObjective.residual(design, weights));
        assertThat(objective.value()).isCloseTo(reference, within(1e-5 * reference));
        assertThat(objective.violation()).isLessThan(1e-3);
        assertThat(objective.gap()).isLessThan(1e-4 * reference);
        // What the tables hold is what belongs to the weights.
        assertThat(outcome.value()).isCloseTo(objective.value(), within(1e-9 * reference));
    }

    @Test
    void refusesWhatCannotWork() {
        assertThatThrownBy(() -> new LassoApplication(design, 0, 0.5, 0)).isInstanceOf(BadInputException.class);
        assertThatThrownBy(() -> new LassoApplication(design, 1, 2, 0)).isInstanceOf(BadInputException.class);
    }
}
