package io.leeway.approx.atp;

/**
 * The queue of one group, from epoch to epoch.
 *
 * <p>The plain rule is unstable: a group that does better than its target is moved down, perhaps into the queue where the
 * congestion is. So a move up is made at once, a move down only after {@value #PATIENCE} good epochs, by one queue, and it
 * is taken back and not tried again for {@value #HOLD} epochs if the loss there exceeds the target.
 */
final class QueueChoice {

    private static final int PATIENCE = 16;
    private static final int HOLD = 64;
    private static final double MARGIN = 0.05;

    private final int queues;
    private final boolean hysteresis;
    private int queue;
    private int goodEpochs;
    private int trialEpochs;
    private int holdEpochs;

    QueueChoice(double msr, AtpConfig config) {
        queues = config.queues();
        hysteresis = config.hysteresis();
        queue = TargetLoss.queue(1 - msr, queues);
    }

    int queue() {
        return queue;
    }

    /** One epoch is over, with this target for the rest and this smoothed loss. */
    void epoch(double target, double loss) {
        int wanted = TargetLoss.queue(target, queues);
        if (!hysteresis || wanted < queue) {
            queue = wanted;
            goodEpochs = 0;
            trialEpochs = 0;
        } else if (trialEpochs > 0 && loss > target) {
            queue = Math.max(1, queue - 1);
            trialEpochs = 0;
            holdEpochs = HOLD;
        } else {
            trialEpochs = Math.max(0, trialEpochs - 1);
            holdEpochs = Math.max(0, holdEpochs - 1);
            considerMoveDown(wanted, target, loss);
        }
    }

    private void considerMoveDown(int wanted, double target, double loss) {
        double threshold = (double) queue / (queues - 1);
        boolean good = wanted > queue && target > threshold + MARGIN && loss < target / 4;
        goodEpochs = good ? goodEpochs + 1 : 0;
        if (goodEpochs >= PATIENCE && holdEpochs == 0) {
            queue++;
            goodEpochs = 0;
            trialEpochs = PATIENCE;
        }
    }
}
