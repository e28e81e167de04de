package io.leeway.autotune.lab.internal.forest;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A regression tree that is grown by the largest fall of the sum of squares. Nodes are in arrays, so that thousands of
 * predictions cost little and so that the boxes of its leaves can be read, which libraries' trees do not offer and the
 * importance of parameters needs.
 */
public final class Tree {

    /**
     * How trees grow.
     *
     * @param depth at most
     * @param leaf samples in a leaf at least
     * @param features looked at for a split; 0 for all
     */
    public record Growth(int depth, int leaf, int features) {}

    private final double[][] x;
    private final double[] y;
    private final Growth growth;
    private final SplittableRandom random;
    private int[] feature = new int[64];
    private double[] threshold = new double[64];
    private double[] value = new double[64];
    /** The left child; the right one is next to it; 0 for a leaf. */
    private int[] left = new int[64];

    private int nodes;

    private Tree(double[][] x, double[] y, Growth growth, SplittableRandom random) {
        this.x = x;
        this.y = y;
        this.growth = growth;
        this.random = random;
    }

    /** A tree of some of the samples. */
    public static Tree grow(double[][] x, double[] y, int[] samples, Growth growth, SplittableRandom random) {
        var tree = new Tree(x, y, growth, random);
        tree.nodes = 1;
        tree.split(0, samples.clone(), 0, samples.length, 0);
        return tree;
    }

    private void split(int node, int[] samples, int from, int to, int depth) {
        double sum = 0;
        for (int k = from; k < to; k++) {
            sum += y[samples[k]];
        }
        value[node] = sum / (to - from);
        if (depth >= growth.depth() || to - from < 2 * growth.leaf()) {
            return;
        }
        int bestFeature = -1;
        double bestGain = 1e-12;
        double bestThreshold = 0;
        for (int f : candidates()) {
            long[] order = sorted(samples, from, to, f);
            double leftSum = 0;
            for (int k = 0; k + 1 < order.length; k++) {
                leftSum += y[samples[from + (int) (order[k] & 0xFFFF)]];
                double a = x[samples[from + (int) (order[k] & 0xFFFF)]][f];
                double b = x[samples[from + (int) (order[k + 1] & 0xFFFF)]][f];
                int count = k + 1;
                int others = order.length - count;
                if (count < growth.leaf() || others < growth.leaf() || b - a < 1e-9) {
                    continue;
                }
                double rightSum = sum - leftSum;
                double gain = leftSum * leftSum / count + rightSum * rightSum / others - sum * sum / order.length;
                if (gain > bestGain) {
                    bestGain = gain;
                    bestFeature = f;
                    // Anywhere between: trees of a forest then differ where there are few samples.
                    bestThreshold = a + (b - a) * (growth.features() > 0 ? random.nextDouble(0.05, 0.95) : 0.5);
                }
            }
        }
        if (bestFeature < 0) {
            return;
        }
        int middle = partition(samples, from, to, bestFeature, bestThreshold);
        int children = nodes;
        nodes += 2;
        reserve();
        feature[node] = bestFeature;
        threshold[node] = bestThreshold;
        left[node] = children;
        split(children, samples, from, middle, depth + 1);
        split(children + 1, samples, middle, to, depth + 1);
    }

    private int[] candidates() {
        int all = x[0].length;
        int[] features = new int[all];
        Arrays.setAll(features, i -> i);
        int wanted = growth.features() == 0 ? all : Math.min(all, growth.features());
        for (int i = 0; i < wanted && wanted < all; i++) {
            int j = random.nextInt(i, all);
            int kept = features[i];
            features[i] = features[j];
            features[j] = kept;
        }
        return Arrays.copyOf(features, wanted);
    }

    /** Sample numbers by the value of a feature; values are in [0, 1], so that both fit into one long. */
    private long[] sorted(int[] samples, int from, int to, int f) {
        long[] order = new long[to - from];
        for (int k = 0; k < order.length; k++) {
            order[k] = ((long) (x[samples[from + k]][f] * (1L << 40)) << 16) | k;
        }
        Arrays.sort(order);
        return order;
    }

    private int partition(int[] samples, int from, int to, int f, double at) {
        int middle = from;
        for (int k = from; k < to; k++) {
            if (x[samples[k]][f] <= at) {
                int kept = samples[middle];
                samples[middle] = samples[k];
                samples[k] = kept;
                middle++;
            }
        }
        return middle;
    }

    private void reserve() {
        if (nodes + 2 > feature.length) {
            int size = 2 * feature.length;
            feature = Arrays.copyOf(feature, size);
            threshold = Arrays.copyOf(threshold, size);
            value = Arrays.copyOf(value, size);
            left = Arrays.copyOf(left, size);
        }
    }

    /** The leaf that a point falls into. */
    int leaf(double[] point) {
        int node = 0;
        while (left[node] != 0) {
            node = point[feature[node]] <= threshold[node] ? left[node] : left[node] + 1;
        }
        return node;
    }

    /** The mean of the samples in the leaf of a point. */
    public double predict(double[] point) {
        return value[leaf(point)];
    }

    /** Gives a leaf another value, as boosting by quantiles does. */
    void setValue(int leaf, double newValue) {
        value[leaf] = newValue;
    }

    /** Told of every leaf: its box as bounds of each feature, and its value. */
    @FunctionalInterface
    interface LeafVisitor {
        void leaf(double[] low, double[] high, double value);
    }

    /** Visits the leaves; the bounds are only valid during the call. */
    void leaves(int features, LeafVisitor visitor) {
        double[] low = new double[features];
        double[] high = new double[features];
        Arrays.fill(high, 1);
        visit(0, low, high, visitor);
    }

    private void visit(int node, double[] low, double[] high, LeafVisitor visitor) {
        if (left[node] == 0) {
            visitor.leaf(low, high, value[node]);
            return;
        }
        int f = feature[node];
        double kept = high[f];
        high[f] = Math.min(kept, threshold[node]);
        visit(left[node], low, high, visitor);
        high[f] = kept;
        kept = low[f];
        low[f] = Math.max(kept, threshold[node]);
        visit(left[node] + 1, low, high, visitor);
        low[f] = kept;
    }
}
