package io.leeway.approx.atp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueChoiceTest {

    private static final AtpConfig CONFIG = AtpConfig.simulated(1e9, 1_000);

    private static void epochs(QueueChoice choice, int count, double target, double loss) {
        for (int i = 0; i < count; i++) {
            choice.epoch(target, loss, false);
        }
    }

    @Test
    void beginsInTheQueueOfTheMsrAndMovesUpAtOnce() {
        QueueChoice choice = new QueueChoice(0.5, CONFIG);
        assertThat(choice.queue()).isEqualTo(4);
        choice.epoch(0.40, 0.6, false);
        assertThat(choice.queue()).isEqualTo(3);
        choice.epoch(0.02, 0.6, false);
        assertThat(choice.queue()).isEqualTo(1);
    }

    @Test
    void movesDownOneQueueAfterSixteenGoodEpochs() {
        QueueChoice choice = new QueueChoice(0.5, CONFIG);
        epochs(choice, 15, 0.95, 0.01);
        assertThat(choice.queue()).isEqualTo(4);
        choice.epoch(0.95, 0.01, false);
        assertThat(choice.queue()).isEqualTo(5);
    }

    @Test
    void doesNotMoveDownWhileThereIsLoss() {
        QueueChoice choice = new QueueChoice(0.5, CONFIG);
        epochs(choice, 200, 0.95, 0.4);
        assertThat(choice.queue()).isEqualTo(4);
    }

    @Test
    void takesAMoveDownBackThatRaisedTheLossAndWaits() {
        QueueChoice choice = new QueueChoice(0.5, CONFIG);
        epochs(choice, 16, 0.95, 0);
        assertThat(choice.queue()).isEqualTo(5);
        choice.epoch(0.9, 0.95, false);
        assertThat(choice.queue()).isEqualTo(4);
        epochs(choice, 63, 0.95, 0);
        assertThat(choice.queue()).isEqualTo(4);
        epochs(choice, 2, 0.95, 0);
        assertThat(choice.queue()).isEqualTo(5);
    }

    @Test
    void followsThePlainRuleWithoutHysteresis() {
        QueueChoice choice = new QueueChoice(0.5, CONFIG.hysteresis(false));
        choice.epoch(1, 0.9, false);
        assertThat(choice.queue()).isEqualTo(7);
        choice.epoch(0.3, 0.9, false);
        assertThat(choice.queue()).isEqualTo(3);
    }

    @Test
    void isLiftedWhenItLosesTooMuchAtTheLeastRate() {
        QueueChoice choice = new QueueChoice(0.5, CONFIG);
        for (int i = 0; i < 32; i++) {
            assertThat(choice.queue()).isEqualTo(4);
            choice.epoch(0.5, 0.9, true);
        }
        assertThat(choice.queue()).isEqualTo(3);
        assertThat(choice.ceiling()).isEqualTo(3.0 / 7);
        for (int i = 0; i < 500; i++) {
            choice.epoch(0.5, 0.9, true);
        }
        assertThat(choice.queue()).isEqualTo(1);
        // Back in its own queue, by and by, it may aim at what its slack allows.
        epochs(choice, 1_000, 0.7, 0);
        assertThat(choice.queue()).isEqualTo(5);
        assertThat(choice.ceiling()).isEqualTo(1);
    }

    @Test
    void isNotLiftedWhileItHasWhatItCanAfford() {
        QueueChoice choice = new QueueChoice(0.5, CONFIG);
        for (int i = 0; i < 500; i++) {
            choice.epoch(0.5, 0.45, true);
            choice.epoch(0.5, 0.55, true);
            choice.epoch(0.5, 0.9, false);
        }
        assertThat(choice.queue()).isEqualTo(4);
    }
}
