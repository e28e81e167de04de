package io.leeway.autotune.internal.learn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * HybridBandits of OPPerTune (Algorithm 2): exponential weights over the words, Bluefin over the numbers, one reward
 * for both. Without words it is Bluefin with normalised rewards.
 *
 * <p>What the printed form lacks is mended: the gradient has its dimension factor and the centre is projected (both in
 * {@link Bluefin}); exploration and radius, and the two learning rates, are numbers of their own; rewards are brought
 * to (-1, 1) relative to the first one, which is the default's, so that nothing overflows; every categorical
 * parameter has a distribution of its own ("slates"), since the joint space grows as a product; with two-point
 * feedback the words stay for both probes of a pair, else their effect would be booked as slope.
 *
 * <p>Invariants and thread-safety as {@link Bluefin}. Cost: O(numbers + words) a round.
 */
public final class HybridBandits {

    /**
     * All that has to be stored.
     *
     * @param numbers of Bluefin; without its {@code first} normalised reward it is between pairs
     * @param logs of the weights of each categorical parameter
     * @param rounds of the weights
     * @param base the first reward, that of the start
     * @param pairSum the sum of rewards of the pair that is under way
     */
    public record State(
            Bluefin.State numbers,
            List<double[]> logs,
            long rounds,
            @Nullable Double base,
            double pairSum) {}

    /** Exploration at most: one round in five tries words by chance. */
    private static final double EXPLORE = 0.2;

    private static final long OTHER = 0xD1B54A32D192ED03L;

    private final Bluefin.Steps steps;
    private final Bluefin numbers;
    private final List<Weights> words;
    private final long seed;
    private @Nullable Double base;
    private double pairSum;

    /** Begins at a point; {@code sizes} is how many words each categorical parameter has. */
    public HybridBandits(Bluefin.Steps steps, Point start, int[] sizes, long seed) {
        this(steps, begin(start, sizes), seed);
    }

    /** Goes on. */
    public HybridBandits(Bluefin.Steps steps, State state, long seed) {
        this.steps = steps;
        this.seed = seed;
        this.numbers = new Bluefin(steps, state.numbers(), seed);
        this.words = new ArrayList<>();
        state.logs().forEach(logs -> words.add(new Weights(logs, state.rounds(), EXPLORE)));
        this.base = state.base();
        this.pairSum = state.pairSum();
    }

    private static State begin(Point start, int[] sizes) {
        var logs = new ArrayList<double[]>();
        for (int i = 0; i < sizes.length; i++) {
            // The default's word begins with some lead: it is known to work.
            double[] log = new double[sizes[i]];
            for (int j = 0; j < log.length; j++) {
                log[j] = j == start.words()[i] ? 0 : -1;
            }
            logs.add(log);
        }
        var state = new Bluefin.State(start.numbers(), new double[start.numbers().length], 0, null, 0, 0);
        return new State(state, logs, 0, null, 0);
    }

    /** What has to be stored. */
    public State state() {
        long rounds = words.isEmpty() ? 0 : words.get(0).rounds();
        return new State(numbers.state(), words.stream().map(Weights::logs).toList(), rounds, base, pairSum);
    }

    /** What to deploy in this round; the same until a reward is given. */
    public Point propose() {
        int[] chosen = new int[words.size()];
        for (int i = 0; i < chosen.length; i++) {
            var random = new SplittableRandom(seed ^ OTHER * (words.get(i).rounds() * chosen.length + i + 1));
            chosen[i] = words.get(i).at(random.nextDouble());
        }
        return new Point(numbers.propose(), chosen);
    }

    /** Whether the next reward is the second of a pair. */
    boolean isBetween() {
        return numbers.isBetween();
    }

    /** What it holds for best. */
    public Point centre() {
        return new Point(
                numbers.centre(), words.stream().mapToInt(Weights::best).toArray());
    }

    /**
     * The reward of what was proposed.
     *
     * @param reward finite; more is better
     * @return the estimated gradient of the numbers, once the round was complete
     */
    public Optional<double[]> reward(double reward) {
        if (!Double.isFinite(reward)) {
            throw new IllegalArgumentException("reward " + reward);
        }
        double start = base == null ? reward : base;
        base = start;
        double relative = squash((reward - start) / Math.max(Math.abs(start), Double.MIN_NORMAL));
        int[] chosen = propose().words();
        // Bluefin divides by the larger of two rewards, so what it gets must not lie around nought.
        Optional<double[]> gradient = numbers.reward(2 + relative);
        pairSum += relative;
        if (gradient.isPresent()) {
            for (int i = 0; i < chosen.length; i++) {
                words.get(i).reward(chosen[i], pairSum / steps.points());
            }
            pairSum = 0;
        }
        return gradient;
    }

    private static double squash(double x) {
        return Double.isInfinite(x) ? Math.signum(x) : x / (1 + Math.abs(x));
    }
}
