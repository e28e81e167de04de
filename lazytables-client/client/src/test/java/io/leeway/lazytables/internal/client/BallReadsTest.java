package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** How many clocks fit into a radius, to the last bit. */
class BallReadsTest {

    @Test
    void asManyClocksFitAsTheirStepsAreNoLongerThanTheRadius() {
        assertThat(BallReads.clocksWithin(0, 0.1)).isZero();
        assertThat(BallReads.clocksWithin(0.3, 0.1)).isEqualTo(2);
        assertThat(BallReads.clocksWithin(0.1 * 3, 0.1)).isEqualTo(3);
        assertThat(BallReads.clocksWithin(0.0999, 0.1)).isZero();
        assertThat(BallReads.clocksWithin(Double.POSITIVE_INFINITY, 1e-150)).isEqualTo(1L << 52);
        assertThat(BallReads.clocksWithin(1e300, 1e-150)).isEqualTo(1L << 52);
    }

    @Test
    void neitherOneMoreNorOneLess() {
        RandomGenerator random = Seeds.random("clocks");
        for (int i = 0; i < 100_000; i++) {
            double step = random.nextDouble() * Math.pow(10, random.nextInt(10) - 5) + 1e-9;
            int clocks = random.nextInt(1 + random.nextInt(100_000));
            double radius = step * clocks;

            assertThat(BallReads.clocksWithin(radius, step)).isEqualTo(clocks);
            assertThat(BallReads.clocksWithin(Math.nextDown(step * (clocks + 1)), step))
                    .isEqualTo(clocks);
        }
    }
}
