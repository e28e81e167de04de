package io.leeway.lazytables.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.leeway.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AliasTableTest {

    private static final int DRAWS = 400_000;

    @Test
    void drawsAsOftenAsTheWeightsSay() {
        double[] weights = {5, 0, 1, 0.25, 3.75};
        var random = new SplittableRandom(Seeds.seed("alias"));
        var table = new AliasTable(weights);

        int[] drawn = new int[weights.length];
        for (int i = 0; i < DRAWS; i++) {
            drawn[table.draw(random)]++;
        }

        assertThat(drawn[1]).isZero();
        for (int i = 0; i < weights.length; i++) {
            double share = weights[i] / 10;
            // Six standard deviations.
            assertThat((double) drawn[i] / DRAWS)
                    .isCloseTo(share, within(6 * Math.sqrt(share * (1 - share) / DRAWS) + 1e-12));
        }
    }

    @Test
    void permutationHasEveryNumberOnce() {
        int[] order = AliasTable.permutation(1000, new SplittableRandom(Seeds.seed("permutation")));

        assertThat(order).doesNotHaveDuplicates().hasSize(1000).contains(0, 999);
    }

    @Test
    void refusesWeightsThatAreNone() {
        assertThatThrownBy(() -> new AliasTable(new double[] {1, -1})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AliasTable(new double[] {0, 0})).isInstanceOf(IllegalArgumentException.class);
    }
}
