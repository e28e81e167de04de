package io.leeway.lazytables.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.testkit.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ScaleTest {

    @Test
    void ticksAreRoundAndWithin() {
        Scale scale = Scale.linear(0, 10.3, 100, 700);

        assertThat(scale.ticks()).containsExactly(0.0, 2.0, 4.0, 6.0, 8.0, 10.0);
        assertThat(scale.ticks().stream().map(scale::label)).containsExactly("0", "2", "4", "6", "8", "10");
        assertThat(scale.at(0)).isEqualTo(100);
        assertThat(scale.at(10.3)).isEqualTo(700);
    }

    @Test
    void smallDistancesGetDecimals() {
        Scale scale = Scale.linear(0.1, 0.13, 0, 100);

        assertThat(scale.ticks().stream().map(scale::label))
                .containsExactly("0.100", "0.105", "0.110", "0.115", "0.120", "0.125", "0.130");
    }

    @Test
    void manyPowersOfTenAreShownAsSuch() {
        Scale scale = Scale.fitting(0.001, 1_000, 300, 0);

        assertThat(scale.ticks().stream().map(scale::label))
                .containsExactly("1e-3", "1e-2", "1e-1", "1", "1e1", "1e2", "1e3");
        assertThat(scale.at(1)).isCloseTo(150, within(1e-9));
    }

    @Test
    void whateverTheValuesAreThereAreSomeTicksAndAllAreOnTheAxis() {
        RandomGenerator random = Seeds.random("scales");
        for (int i = 0; i < 10_000; i++) {
            double one = random.nextGaussian() * Math.pow(10, random.nextInt(-8, 9));
            double other = random.nextInt(5) == 0
                    ? one
                    : one + Math.abs(random.nextGaussian()) * Math.pow(10, random.nextInt(-8, 9));
            Scale scale = Scale.fitting(Math.min(one, other), Math.max(one, other), 10, 110);
            List<Double> ticks = scale.ticks();

            assertThat(ticks).as("%s to %s", one, other).hasSizeBetween(1, 15);
            for (double tick : ticks) {
                assertThat(scale.at(tick)).as("%s to %s", one, other).isBetween(9.9, 110.1);
            }
        }
    }
}
