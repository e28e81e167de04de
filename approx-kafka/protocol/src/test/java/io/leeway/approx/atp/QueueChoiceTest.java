package io.leeway.approx.atp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueChoiceTest {

    private static final AtpConfig CONFIG = AtpConfig.simulated(1e9, 1_000);

    private static void epochs(QueueChoice choice, int count, double target, double loss) {
        for (int i = 0; i < count; i++) {
            choice.epoch(target, loss);
        }
    }

    @Test
    void beginsInTheQueueOfTheMsrAndMovesUpAtOnce() {
        QueueChoice choice = new QueueChoice(0.5, CONFIG);
        assertThat(choice.queue()).isEqualTo(4);
        choice.epoch(0.40, 0.6);
        assertThat(choice.queue()).isEqualTo(3);
        choice.epoch(0.02, 0.6);
        assertThat(choice.queue()).isEqualTo(1);
    }

    @Test
    void movesDownOneQueueAfterSixteenGoodEpochs() {
        QueueChoice choice = new QueueChoice(0.5, CONFIG);
        epochs(choice, 15, 0.95, 0.01);
        assertThat(choice.queue()).isEqualTo(4);
        choice.epoch(0.95, 0.01);
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
        choice.epoch(0.9, 0.95);
        assertThat(choice.queue()).isEqualTo(4);
        epochs(choice, 63, 0.95, 0);
        assertThat(choice.queue()).isEqualTo(4);
        epochs(choice, 2, 0.95, 0);
        assertThat(choice.queue()).isEqualTo(5);
    }

    @Test
    void followsThePlainRuleWithoutHysteresis() {
        QueueChoice choice = new QueueChoice(0.5, CONFIG.hysteresis(false));
        choice.epoch(1, 0.9);
        assertThat(choice.queue()).isEqualTo(7);
        choice.epoch(0.3, 0.9);
        assertThat(choice.queue()).isEqualTo(3);
    }
}
