package io.leeway.benchmarks.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class DelayFiguresTest {

    @Test
    void aLineIsFittedBySquares() {
        Line line = Line.through(
                List.of(new double[] {0, 1}, new double[] {1, 2.5}, new double[] {2, 2}, new double[] {3, 3.5}));

        // By hand: the means are 1.5 and 2.25, the sums of products and squares 3.5 and 5.
        assertThat(line.slope()).isCloseTo(0.7, within(1e-12));
        assertThat(line.start()).isCloseTo(1.2, within(1e-12));
    }

    @Test
    void pointsAtOnePlaceHaveNoSlope() {
        assertThatThrownBy(() -> Line.through(List.of(new double[] {1, 1}, new double[] {1, 2})))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void otherWorkTakesHalfOfOneSlotInTen() {
        var disruption = new Disruption(100, 5, 2);

        for (int group = 0; group < 50; group++) {
            int active = 0;
            for (int slot = 0; slot < 10; slot++) {
                active += disruption.isActive(10L * group + slot) ? 1 : 0;
            }
            assertThat(active).isEqualTo(1);
        }
        // Ten slots hold the work of nine and a half, wherever the slow one is.
        assertThat(disruption.end(0, 950)).isEqualTo(1000);
        assertThat(disruption.end(3000, 9500)).isEqualTo(13_000);
        assertThat(Disruption.IDEAL).isCloseTo(1000 / 950.0, within(1e-12));
    }

    @Test
    void machinesAreDisruptedAtTimesOfTheirOwn() {
        long differ = 0;
        for (int slot = 0; slot < 1000; slot++) {
            differ += new Disruption(100, 5, 0).isActive(slot) == new Disruption(100, 5, 1).isActive(slot) ? 0 : 1;
        }

        assertThat(differ).isPositive();
    }

    @Test
    void withoutOtherWorkNothingTakesLonger() {
        assertThat(new Disruption(0, 5, 0).end(17, 80)).isEqualTo(97);
    }
}
