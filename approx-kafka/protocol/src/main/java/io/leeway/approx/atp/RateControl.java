package io.leeway.approx.atp;

/**
 * The sending rate of a flow (NetApprox, equations 2 and 3): up by a share of the port's rate while the loss is below the
 * target, down by half of the loss, as DCTCP does, when it is not; never below one packet a round trip.
 *
 * <p>The share adapts: it is halved when the loss was above the target twice running, since n flows balance near the
 * target only with a share of at most target / 2n, and doubled when it was below half of the target for eight epochs.
 *
 * <p>Beyond the paper, with {@link AtpConfig.RateLaw#ADDITIVE_WITH_PAUSES}: under strict priorities a burst of other traffic takes the link away as a whole, and gives it back as
 * a whole. Epochs in which nothing at all arrived are such a pause. The rate falls as ever, but not below a sixteenth, so
 * that the end of the pause is noticed; and with the first packet that arrives again it is nearly what it was before.
 *
 * <p>Shorter bursts take a part of an epoch only, and are answered as any loss is. Since they are over as soon, the rate
 * at the first of several decreases is remembered, and as long as the loss is below the target again, each epoch takes it
 * most of the way back to there, rather than by the share alone. What is remembered wears off a little each time that the
 * rate has to fall before it is back, so that flows which have come for good find their place. Alone and beside bursts of
 * 60 ms this changes little; beside flows that come when they come a job uses a few percent more of what they leave, and
 * parts of a window of 32 senders a tenth more.
 */
final class RateControl {

    private static final double LEAST_ALPHA = 1.0 / 4096;
    private static final double MOST_ALPHA = 1.0 / 16;
    private static final int PATIENCE = 8;
    /** Where only less loss may be aimed at, the network is not one of priorities: the rate grows as slowly as ever. */
    private static final double LEAST_CAP = 0.05;

    private static final double NOTHING_ARRIVED = 0.999;
    private static final int LONGEST_PAUSE = 256;
    private static final double LEAST_IN_PAUSE = 1.0 / 16;
    /** How many of the shortest epochs a packet waits at least in a pause, when all of them are lost. */
    private static final int PAUSE_EPOCHS = 4;
    /** Less than all: pauses that come back at once lead down. */
    private static final double AFTER_PAUSE = 7.0 / 8;
    /** How much of the way back an epoch takes. */
    private static final double WAY_BACK = 0.7;
    /** How much of the difference is forgotten when the rate falls before it is back. */
    private static final double WEAR = 0.3;

    private final AtpConfig config;
    private double rate;
    private double alpha;
    /** The rate before the pause; 0 if there is none. */
    private double paused;

    private double floor;
    /** The rate before the last decreases. */
    private double before;

    private boolean falling;
    private int pausedEpochs;
    private int over;
    private int under;

    RateControl(AtpConfig config) {
        this.config = config;
        alpha = config.alpha();
        rate = config.rateLaw() == AtpConfig.RateLaw.NONE ? config.maxRate() : config.maxRate() / 8;
    }

    /** Bytes a second. */
    double rate() {
        return rate;
    }

    /** Whether it is near the least rate there is. */
    boolean isLeast() {
        return rate < 2 * floor;
    }

    /** The share of the port's rate that the next increase adds. */
    double alpha() {
        return alpha;
    }

    /**
     * An epoch was decided.
     *
     * @param loss its loss, in the unit of the target
     * @param target the loss aimed at
     * @param cap the highest that it may be
     * @param busy whether the rate was what held the sender back; if not, the loss says nothing about a higher rate
     * @param rtt the round trip, in nanoseconds
     */
    void decided(double loss, double target, double cap, boolean busy, double rtt) {
        if (config.rateLaw() == AtpConfig.RateLaw.NONE) {
            return;
        }
        pause(loss, cap);
        if (loss < target || loss == 0) {
            below(loss, target, cap, busy);
        } else {
            if (!falling) {
                before = rate < before ? before - WEAR * (before - rate) : rate;
                falling = true;
            }
            double every = isPaused() ? Math.max(rtt, PAUSE_EPOCHS * (double) config.minEpoch()) : rtt;
            floor = Math.max((config.payload() + config.overhead()) * 1e9 / every, paused * LEAST_IN_PAUSE);
            rate = Math.min(config.maxRate(), Math.max(floor, rate * (1 - Math.min(1, loss) / 2)));
            under = 0;
            // What is lost in a pause tells nothing about how many share the link.
            over = isPaused() ? 0 : over + 1;
            if (over >= 2) {
                alpha = Math.max(LEAST_ALPHA, alpha / 2);
                over = 0;
            }
        }
    }

    private void pause(double loss, double cap) {
        boolean nothing = loss >= NOTHING_ARRIVED && cap >= LEAST_CAP;
        pausedEpochs = nothing ? pausedEpochs + 1 : 0;
        if (pausedEpochs > LONGEST_PAUSE) {
            // The network is away: what was before is no guide any more.
            paused = 0;
        } else if (nothing && config.rateLaw() == AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES) {
            paused = Math.max(paused, rate);
        }
    }

    /** Whether nothing arrives for the moment. */
    boolean isPaused() {
        return paused > 0;
    }

    /** Something arrived that was sent in the pause: it is over. */
    void resume() {
        rate = Math.max(rate, paused * AFTER_PAUSE);
        paused = 0;
    }

    private void below(double loss, double target, double cap, boolean busy) {
        over = 0;
        if (!busy) {
            return;
        }
        under = loss < target / 2 || loss == 0 ? under + 1 : 0;
        if (under >= PATIENCE) {
            alpha = Math.min(MOST_ALPHA, alpha * 2);
            under = 0;
        }
        falling = false;
        boolean bursts = config.rateLaw() == AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES && cap >= LEAST_CAP;
        double back = bursts ? WAY_BACK * (before - rate) : 0;
        double room = config.rateLaw() == AtpConfig.RateLaw.BLEND ? config.maxRate() - rate : config.maxRate();
        rate = Math.min(config.maxRate(), rate + Math.max(back, alpha * room));
    }
}
