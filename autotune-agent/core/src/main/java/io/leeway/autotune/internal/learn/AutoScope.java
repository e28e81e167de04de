package io.leeway.autotune.internal.learn;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * AutoScope of OPPerTune: a tree that learns which contexts (load, kind of job, machine) are tuned together.
 *
 * <p>Model: a complete binary tree of height h. Inner node j has a half-space {@code z = W x + b}; {@code z >= 0} goes
 * left. Each of the 2^h leaves is a {@link HybridBandits}, whose gradient and centre give the leaf's share in a
 * straight-through gradient for all inner nodes (those with {@code |z| <= 1}). A reward whose leaf is no longer the one
 * that the context leads to is dropped: it would teach the wrong leaf.
 *
 * <p>Features are in [-1, 1], one-hot for words; the caller scales, see {@link #DEFAULT_HEIGHT} for how few leaves
 * suffice. Cost: O(2^h features) a reward. Not thread-safe.
 */
public final class AutoScope {

    /** Eight leaves, as published. */
    public static final int DEFAULT_HEIGHT = 3;

    private static final double ALPHA = 0.99;
    private static final double TINY = 1e-8;
    private static final double TREE_ETA = 0.01;

    /**
     * All that has to be stored.
     *
     * @param weights of each inner node, its bias last
     * @param meanSquare RMSprop's, in the same shape
     * @param leaves from left to right
     */
    public record State(List<double[]> weights, List<double[]> meanSquare, List<HybridBandits.State> leaves) {}

    private final int height;
    private final boolean frozen;
    private final double[][] weights;
    private final double[][] meanSquare;
    private final List<HybridBandits> leaves = new ArrayList<>();

    /**
     * A random tree whose leaves all begin at the same point.
     *
     * @param frozen whether the tree stays as it is; the control that a learnt tree is compared with
     */
    public AutoScope(
            Bluefin.Steps steps, int height, boolean frozen, int features, Point start, int[] sizes, long seed) {
        this.height = height;
        this.frozen = frozen;
        int inner = (1 << height) - 1;
        this.weights = new double[inner][features + 1];
        this.meanSquare = new double[inner][features + 1];
        var random = new SplittableRandom(seed);
        double bound = 1 / Math.sqrt(Math.max(1, features));
        for (double[] node : weights) {
            for (int i = 0; i < features; i++) {
                node[i] = random.nextDouble(-bound, bound);
            }
        }
        for (int i = 0; i <= inner; i++) {
            leaves.add(new HybridBandits(steps, start, sizes, seed + 31L * (i + 1)));
        }
    }

    /** A tree that goes on. */
    public AutoScope(Bluefin.Steps steps, int height, boolean frozen, State state, long seed) {
        this.height = height;
        this.frozen = frozen;
        this.weights = state.weights().stream().map(double[]::clone).toArray(double[][]::new);
        this.meanSquare = state.meanSquare().stream().map(double[]::clone).toArray(double[][]::new);
        for (int i = 0; i < state.leaves().size(); i++) {
            leaves.add(new HybridBandits(steps, state.leaves().get(i), seed + 31L * (i + 1)));
        }
    }

    /** What has to be stored. */
    public State state() {
        return new State(
                List.of(copy(weights)),
                List.of(copy(meanSquare)),
                leaves.stream().map(HybridBandits::state).toList());
    }

    private static double[][] copy(double[][] rows) {
        double[][] copied = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            copied[i] = rows[i].clone();
        }
        return copied;
    }

    /** How many leaves there are. */
    public int leaves() {
        return leaves.size();
    }

    /** The leaf of a context, found by walking the tree. */
    public int leaf(double[] context) {
        int node = 0;
        for (int level = 0; level < height; level++) {
            node = 2 * node + (z(node, context) >= 0 ? 1 : 2);
        }
        return node - weights.length;
    }

    /** The leaf of a context as the highest score of all leaves; the same as {@link #leaf}, by the form that is differentiated. */
    int leafByScore(double[] context) {
        double[] scores = scores(context);
        int best = 0;
        for (int i = 1; i < scores.length; i++) {
            if (scores[i] > scores[best]) {
                best = i;
            }
        }
        return best;
    }

    /** What to deploy in a context. */
    public Point propose(double[] context) {
        return leaves.get(leaf(context)).propose();
    }

    /** What the leaf of a context holds for best. */
    public Point centre(double[] context) {
        return leaves.get(leaf(context)).centre();
    }

    /**
     * The reward of what was proposed in a context.
     *
     * @param proposedBy the leaf that proposed it
     * @return false if it was dropped since the context leads to another leaf by now
     */
    public boolean reward(double[] context, int proposedBy, double reward) {
        int leaf = leaf(context);
        if (leaf != proposedBy) {
            return false;
        }
        double[] theta = leaves.get(leaf).centre().numbers();
        Optional<double[]> gradient = leaves.get(leaf).reward(reward);
        if (gradient.isPresent() && !frozen) {
            update(context, leaf, theta, gradient.get());
        }
        return true;
    }

    private void update(double[] context, int leaf, double[] theta, double[] gradient) {
        // The leaf ascends its reward; the share of leaf l in the loss of this round is -(g . theta_l).
        double[] loss = new double[leaves.size()];
        for (int l = 0; l < loss.length; l++) {
            double[] centre = l == leaf ? theta : leaves.get(l).centre().numbers();
            for (int i = 0; i < gradient.length; i++) {
                loss[l] -= gradient[i] * centre[i];
            }
        }
        double[] share = softmax(scores(context));
        double mean = 0;
        for (int l = 0; l < loss.length; l++) {
            mean += share[l] * loss[l];
        }
        for (int node = 0; node < weights.length; node++) {
            if (Math.abs(z(node, context)) > 1) {
                continue;
            }
            double delta = 0;
            for (int l = 0; l < loss.length; l++) {
                delta += 2 * side(l, node) * share[l] * (loss[l] - mean);
            }
            for (int i = 0; i < weights[node].length; i++) {
                double g = delta * (i < context.length ? context[i] : 1);
                meanSquare[node][i] = ALPHA * meanSquare[node][i] + (1 - ALPHA) * g * g;
                weights[node][i] -= TREE_ETA * g / (Math.sqrt(meanSquare[node][i]) + TINY);
            }
        }
    }

    private double z(int node, double[] context) {
        double[] w = weights[node];
        double z = w[w.length - 1];
        for (int i = 0; i < w.length - 1; i++) {
            z += w[i] * context[i];
        }
        return z;
    }

    /** +1 if a leaf lies left of a node, -1 if right, 0 if not under it. */
    private int side(int leaf, int node) {
        int at = leaf + weights.length;
        while (at > node) {
            int parent = (at - 1) / 2;
            if (parent == node) {
                return at == 2 * node + 1 ? 1 : -1;
            }
            at = parent;
        }
        return 0;
    }

    private double[] scores(double[] context) {
        double[] z = new double[weights.length];
        double mean = 0;
        for (int node = 0; node < z.length; node++) {
            z[node] = z(node, context);
            mean += Math.abs(z[node]) / z.length;
        }
        double[] scores = new double[leaves.size()];
        for (int l = 0; l < scores.length; l++) {
            for (int node = 0; node < z.length; node++) {
                scores[l] += side(l, node) * (z[node] >= 0 ? mean : -mean);
            }
        }
        return scores;
    }

    private static double[] softmax(double[] scores) {
        double most = Double.NEGATIVE_INFINITY;
        for (double score : scores) {
            most = Math.max(most, score);
        }
        double[] shares = new double[scores.length];
        double sum = 0;
        for (int i = 0; i < shares.length; i++) {
            shares[i] = Math.exp(scores[i] - most);
            sum += shares[i];
        }
        for (int i = 0; i < shares.length; i++) {
            shares[i] /= sum;
        }
        return shares;
    }

    /** The rules of all leaves, one a line, for people: {@code 0.7 rps - 0.2 cpu >= 0.1 and ... : leaf 0}. */
    public List<String> rules(List<String> features) {
        var rules = new ArrayList<String>();
        for (int l = 0; l < leaves.size(); l++) {
            var conditions = new ArrayList<String>();
            for (int at = l + weights.length; at > 0; at = (at - 1) / 2) {
                int node = (at - 1) / 2;
                conditions.add(0, condition(weights[node], features, at == 2 * node + 1));
            }
            rules.add(String.join(" and ", conditions) + " : leaf " + l);
        }
        return rules;
    }

    private static String condition(double[] node, List<String> features, boolean left) {
        var terms = new StringBuilder();
        for (int i = 0; i < features.size(); i++) {
            terms.append(String.format(Locale.ROOT, "%+.2f %s ", node[i], features.get(i)));
        }
        return terms + (left ? ">= " : "< ") + String.format(Locale.ROOT, "%.2f", 0.0 - node[node.length - 1]);
    }
}
