package io.leeway.approx.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.leeway.testkit.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class MomentsTest {

    @Test
    void tellsWhatASampleThatKeepsItsValuesTellsAlsoWhenPartsAreMerged() {
        RandomGenerator random = Seeds.random("moments");
        double[] values = random.doubles(500, 1e9, 1e9 + 10).toArray();
        Moments first = Moments.NONE;
        Moments second = Moments.NONE;
        for (int i = 0; i < values.length; i++) {
            if (i % 3 == 0) {
                first = first.plus(values[i]);
            } else {
                second = second.plus(values[i]);
            }
        }
        Moments all = first.plus(second).plus(Moments.NONE);
        Estimate expected = new Sample(values, 2_000).mean(0.95);
        Estimate actual = all.mean(2_000, 0.95);
        assertThat(actual.value()).isCloseTo(expected.value(), within(1e-4));
        assertThat(actual.halfWidth()).isCloseTo(expected.halfWidth(), within(1e-4));
        assertThat(all.sum(500, 0.95).halfWidth()).isZero();
    }

    @Test
    void stratifiesSamplesOfDifferentRates() {
        double[] dense = Seeds.random("dense").doubles(400, 0, 1).toArray();
        double[] sparse = Seeds.random("sparse").doubles(40, 50, 51).toArray();
        Estimate expected = new Strata(List.of(new Sample(dense, 500), new Sample(sparse, 1_000))).sum(0.95);
        Estimate actual = Moments.sum(List.of(of(dense), of(sparse)), List.of(500L, 1_000L), 0.95);
        assertThat(actual.value()).isCloseTo(expected.value(), within(1e-6));
        assertThat(actual.halfWidth()).isCloseTo(expected.halfWidth(), within(1e-6));
    }

    private static Moments of(double[] values) {
        return Arrays.stream(values).boxed().reduce(Moments.NONE, Moments::plus, Moments::plus);
    }

    @Test
    void refusesWhatOneValueCannotTellAndWarnsOfFew() {
        Moments one = Moments.NONE.plus(3);
        assertThatThrownBy(() -> one.mean(10, 0.95)).hasMessageContaining("APPROX-301");
        assertThat(one.mean(1, 0.95).value()).isEqualTo(3);
        assertThat(one.plus(4).mean(10, 0.95).warnings()).hasSize(1);
        assertThatThrownBy(() -> one.plus(4).mean(1, 0.95)).isInstanceOf(IllegalArgumentException.class);
    }
}
