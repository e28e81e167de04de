package io.leeway.eppi.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class MixingTest {

    @Test
    void theProbabilityIsThatOfEquationTen() {
        assertThat(Mixing.probability(10, 1_010, 0.8)).isCloseTo(0.04, within(1e-12));
        assertThat(Mixing.probability(0, 1_000, 0.8)).isZero();
    }

    @Test
    void itIsRoundedUpButLittle() {
        RandomGenerator random = Seeds.random("mixing");
        for (int i = 0; i < 2_000; i++) {
            int members = 2 + random.nextInt(100_000);
            int common = 1 + random.nextInt(Math.max(1, members / 20));
            double epsilon = 0.01 + 0.9 * random.nextDouble();
            double exact = Mixing.probability(common, members, epsilon);
            if (exact <= 1) {
                assertThat(Mixing.of(common, members, epsilon).probability())
                        .isBetween(exact, exact * 1.0625 + Math.scalb(1.0, -Mixing.MOST_BITS));
            }
        }
    }

    @Test
    void withoutCommonPersonsNobodyIsMixed() {
        assertThat(Mixing.of(0, 1_000, 0.9)).isEqualTo(new Mixing(0, 0, false));
    }

    @Test
    void aboveOneItIsCappedAndSaysSo() {
        assertThat(Mixing.of(900, 1_000, 0.5)).isEqualTo(new Mixing(0, 1, true));
        assertThat(Mixing.of(1_000, 1_000, 0.5)).isEqualTo(new Mixing(0, 1, true));
        assertThat(Mixing.of(500, 1_000, 0.5)).isEqualTo(new Mixing(0, 1, false));
    }
}
