package io.leeway.approx.atp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetLossTest {

    @ParameterizedTest
    @CsvSource({
        // messages, msr, lost, delivered, target
        "100, 0.5, 0, 0, 0.5",
        "100, 0.9, 0, 0, 0.1",
        "100, 0.9, 5, 0, 0.05",
        "100, 0.9, 10, 0, 0",
        "100, 0.9, 40, 0, 0",
        "100, 0.9, 10, 50, 0",
        "100, 0.9, 0, 50, 0.2",
        "100, 0.5, 25, 49, 0.4902",
        "100, 0.5, 0, 50, 1",
        "100, 0, 0, 0, 1",
        "100, 1, 0, 0, 0"
    })
    void isWhatIsLeftToLoseOfWhatIsLeft(double messages, double msr, double lost, double delivered, double target) {
        assertThat(TargetLoss.of(messages, msr, lost, delivered)).isCloseTo(target, within(1e-4));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 8, 1",
        "0.1, 8, 1",
        "0.15, 8, 2",
        "0.5, 8, 4",
        "0.75, 8, 6",
        "1, 8, 7",
        "0.5, 4, 2",
        "1, 4, 3",
        "1, 2, 1"
    })
    void spreadsTheThresholdsEvenlyOverTheQueues(double target, int queues, int queue) {
        assertThat(TargetLoss.queue(target, queues)).isEqualTo(queue);
    }

    @Test
    void aMessageOfManyPacketsIsLostMoreOften() {
        assertThat(TargetLoss.ofMessages(0.1, 1)).isCloseTo(0.1, within(1e-12));
        assertThat(TargetLoss.ofMessages(0.1, 10)).isCloseTo(0.6513, within(1e-4));
    }

    @Test
    void needRoundsUpButNotBecauseOfTheLastBit() {
        assertThat(GroupSpec.need(0.1, 30)).isEqualTo(3);
        assertThat(GroupSpec.need(0.1, 31)).isEqualTo(4);
        assertThat(GroupSpec.need(0.7, 10)).isEqualTo(7);
        assertThat(GroupSpec.need(1, 10)).isEqualTo(10);
        assertThat(GroupSpec.need(0, 10)).isZero();
    }
}
