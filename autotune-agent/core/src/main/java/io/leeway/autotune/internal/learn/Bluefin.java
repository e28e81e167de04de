package io.leeway.autotune.internal.learn;

import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Bluefin, the learner of SelfTune: gradient ascent on a reward that only its value is known of, in [0, 1]^d.
 *
 * <p>Model: a centre {@code w} in [delta, 1-delta]^d. A round deploys {@code w + delta u} with a random unit vector
 * {@code u}; with two-point feedback the next round deploys {@code w - delta u}, and the difference of both rewards,
 * divided by the larger magnitude, stands for the slope along {@code u}. The gradient estimate is
 * {@code d * slope * u / (points * delta)}; the centre moves by RMSprop.
 *
 * <p>Invariants: what is proposed lies in [0, 1]^d; a direction follows from the seed and the number of the update
 * alone, so that a restored learner goes on exactly where it ended. Rewards are maximised. Cost: O(d) a round.
 * Not thread-safe.
 *
 * <p>One-point feedback (a row of rewards that drift) has no second reward to compare with. Its variance is what the
 * published form suffers from; here the running mean of the rewards is subtracted, which leaves the expectation as it is.
 */
public final class Bluefin {

    /**
     * How a learner steps.
     *
     * @param points 1 or 2 rewards for an update
     * @param eta step size, above 0
     * @param delta radius of the probes, in (0, 0.5)
     * @param decay of the step size, {@code eta / (1 + decay (t + 1))}; 0 keeps it
     * @param careful probes one number at a time, the first one first and on its larger side, and moves as far as the difference is large, at
     *     most twice the radius; RMSprop's first steps are ten times {@code eta} on every number, however little it
     *     matters
     */
    public record Steps(int points, double eta, double delta, double decay, boolean careful) {

        /** Not careful: as published. */
        public Steps(int points, double eta, double delta, double decay) {
            this(points, eta, delta, decay, false);
        }

        /** Refuses what does not converge. */
        public Steps {
            if (points != 1 && points != 2) {
                throw new IllegalArgumentException("1 or 2 points, not " + points);
            }
            if (!(eta > 0) || !(delta > 0 && delta < 0.5) || !(decay >= 0)) {
                throw new IllegalArgumentException("eta " + eta + ", delta " + delta + ", decay " + decay);
            }
        }

        /** The published defaults, two-point: eta 0.01, delta 0.1. */
        public static Steps published() {
            return new Steps(2, 0.01, 0.1, 0);
        }

        /** For tuning what users use: two-point, careful. */
        public static Steps gentle() {
            return new Steps(2, CAREFUL, 0.1, 0, true);
        }

        /** For tuning in few rounds: the same with a step four times as large, which the guard makes affordable. */
        public static Steps quick() {
            return new Steps(2, 0.04, 0.1, 0);
        }
    }

    /**
     * All that has to be stored.
     *
     * @param centre where it is
     * @param meanSquare RMSprop's running mean of squared gradients
     * @param updates made
     * @param first the reward of the first probe of a pair, if the second is due
     * @param mean the running mean of rewards
     * @param rewards received
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record State(
            double[] centre,
            double[] meanSquare,
            long updates,
            @Nullable Double first,
            double mean,
            long rewards) {}

    /** A reward that is a tenth better moves the centre by the radius or so. */
    private static final double CAREFUL = 0.3;

    private static final double ALPHA = 0.99;
    private static final double TINY = 1e-8;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final Steps steps;
    private final long seed;
    private final double[] centre;
    private final double[] meanSquare;
    private long updates;
    private @Nullable Double first;
    private double mean;
    private long rewards;

    /** A learner that begins at a point, which is moved into [delta, 1-delta]. */
    public Bluefin(Steps steps, double[] start, long seed) {
        this(steps, new State(start.clone(), new double[start.length], 0, null, 0, 0), seed);
    }

    /** A learner that goes on. */
    public Bluefin(Steps steps, State state, long seed) {
        this.steps = steps;
        this.seed = seed;
        this.centre = state.centre().clone();
        this.meanSquare = state.meanSquare().clone();
        this.updates = state.updates();
        this.first = state.first();
        this.mean = state.mean();
        this.rewards = state.rewards();
        clip();
    }

    /** What has to be stored. */
    public State state() {
        return new State(centre.clone(), meanSquare.clone(), updates, first, mean, rewards);
    }

    /** A copy of the centre: what the learner holds for best. */
    public double[] centre() {
        return centre.clone();
    }

    /** Whether the next reward is the second of a pair. */
    public boolean isBetween() {
        return first != null;
    }

    /** What to deploy in this round; the same until a reward is given. */
    public double[] propose() {
        double[] u = direction();
        double side = first == null ? 1 : -1;
        double[] point = new double[centre.length];
        for (int i = 0; i < point.length; i++) {
            point[i] = Math.min(1, Math.max(0, centre[i] + side * steps.delta() * u[i]));
        }
        return point;
    }

    /**
     * The reward of what was proposed.
     *
     * @param reward finite; more is better
     * @return the estimated gradient, once the round was complete
     */
    public Optional<double[]> reward(double reward) {
        if (!Double.isFinite(reward)) {
            throw new IllegalArgumentException("reward " + reward);
        }
        rewards++;
        mean += (reward - mean) / rewards;
        if (steps.points() == 1) {
            // The first reward has nothing to be compared with.
            double scale = Math.max(Math.abs(reward), Math.abs(mean));
            return Optional.of(update(scale == 0 ? 0 : (reward - mean) / scale));
        }
        Double before = first;
        if (before == null) {
            first = reward;
            return Optional.empty();
        }
        first = null;
        double scale = Math.max(Math.abs(before), Math.abs(reward));
        return Optional.of(update(scale == 0 ? 0 : before / scale - reward / scale));
    }

    private double[] update(double slope) {
        double[] u = direction();
        double[] gradient = new double[centre.length];
        double eta = steps.eta() / (1 + steps.decay() * (updates + 1));
        for (int i = 0; i < gradient.length; i++) {
            double g = centre.length * slope * u[i] / (steps.points() * steps.delta());
            gradient[i] = g;
            meanSquare[i] = ALPHA * meanSquare[i] + (1 - ALPHA) * g * g;
            centre[i] += steps.careful()
                    ? Math.max(-2 * steps.delta(), Math.min(2 * steps.delta(), eta * g))
                    : eta * g / (Math.sqrt(meanSquare[i]) + TINY);
        }
        updates++;
        clip();
        return gradient;
    }

    private void clip() {
        for (int i = 0; i < centre.length; i++) {
            centre[i] = Math.min(1 - steps.delta(), Math.max(steps.delta(), centre[i]));
        }
    }

    /** A random unit vector of this update, or the next axis: both are the gradient's in the mean. */
    private double[] direction() {
        if (steps.careful()) {
            double[] axis = new double[centre.length];
            if (axis.length > 0) {
                axis[(int) (updates % axis.length)] = 1;
            }
            return axis;
        }
        var random = new SplittableRandom(seed + GOLDEN * (updates + 1));
        double[] u = new double[centre.length];
        double norm = 0;
        for (int i = 0; i < u.length; i++) {
            u[i] = random.nextGaussian();
            norm += u[i] * u[i];
        }
        norm = Math.sqrt(norm);
        for (int i = 0; i < u.length; i++) {
            u[i] = norm == 0 ? 1 / Math.sqrt(u.length) : u[i] / norm;
        }
        return u;
    }
}
