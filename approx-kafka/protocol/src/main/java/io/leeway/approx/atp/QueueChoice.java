package io.leeway.approx.atp;

/**
 * The queue of one group, from epoch to epoch.
 *
 * <p>The plain rule is unstable: a group that does better than its target is moved down, perhaps into the queue where the
 * congestion is. So a move up is made at once, a move down only after {@value #PATIENCE} good epochs, by one queue, and it
 * is taken back and not tried again for {@value #HOLD} epochs if the loss there exceeds the target.
 *
 * <p>Nor does the plain rule help a group behind a flood in its queue or one above: at the least rate hardly anything is
 * sent, so hardly anything gets lost, and its slack and with it its queue stay. So a group that loses more than it can
 * afford even at the least rate, for {@value #STARVING_EPOCHS} epochs more often than not, is lifted by one queue. There it may aim at no
 * more loss than those for whom that queue is meant.
 */
final class QueueChoice {

    private static final int PATIENCE = 16;
    private static final int HOLD = 64;
    private static final double MARGIN = 0.05;
    private static final int STARVING_EPOCHS = 32;

    private final int queues;
    private final boolean hysteresis;
    private int queue;
    private int goodEpochs;
    private int trialEpochs;
    private int holdEpochs;
    private int starvingEpochs;
    private boolean lifted;

    QueueChoice(double msr, AtpConfig config) {
        queues = config.queues();
        hysteresis = config.hysteresis();
        queue = TargetLoss.queue(1 - msr, queues);
    }

    int queue() {
        return queue;
    }

    /** The highest loss that the group may aim at where it is. */
    double ceiling() {
        return lifted ? (double) queue / (queues - 1) : 1;
    }

    /** One epoch is over, with this target for the rest, this smoothed loss, and perhaps the least rate there is. */
    void epoch(double target, double loss, boolean leastRate) {
        int wanted = TargetLoss.queue(target, queues);
        // At the least rate an epoch has a packet or two: one that comes through is no proof of the contrary.
        starvingEpochs = leastRate && loss > target ? starvingEpochs + 1 : Math.max(0, starvingEpochs - 1);
        if (hysteresis && starvingEpochs >= STARVING_EPOCHS && queue > 1) {
            lift(wanted);
        } else {
            follow(wanted, target, loss);
        }
        lifted &= wanted > queue;
    }

    private void lift(int wanted) {
        queue = Math.min(wanted, queue - 1);
        lifted = true;
        starvingEpochs = 0;
        goodEpochs = 0;
        trialEpochs = 0;
        holdEpochs = HOLD;
    }

    private void follow(int wanted, double target, double loss) {
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
