package io.leeway.autotune.lab.internal.detect;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The second stage: three graph convolutions, a dense layer, and a probability of each span to be a bottleneck
 * (Gagan Somashekhar, "Performance Management of Large-Scale Microservices Applications", 2023, section 5.1).
 */
final class NodeNetwork {

    static final int WIDTH = 16;

    private final List<GraphConvolution> layers = new ArrayList<>();
    private final Tensor dense;
    private final Tensor bias = new Tensor(1, 1);

    NodeNetwork(int features, SplittableRandom random) {
        layers.add(new GraphConvolution(features, WIDTH, random));
        layers.add(new GraphConvolution(WIDTH, WIDTH, random));
        layers.add(new GraphConvolution(WIDTH, WIDTH, random));
        this.dense = Tensor.random(features + WIDTH, 1, random);
    }

    List<Tensor> weights() {
        var weights = new ArrayList<Tensor>();
        layers.forEach(layer -> weights.addAll(layer.weights()));
        weights.add(dense);
        weights.add(bias);
        return weights;
    }

    /** Moves the cut: what had these log odds has a probability of a half from now on. */
    void shift(double logOdds) {
        bias.values[0] -= logOdds;
    }

    /** The probability of each span. */
    double[] probabilities(Graph graph) {
        double[][] x = graph.rows();
        for (GraphConvolution layer : layers) {
            x = layer.forward(graph, x).out();
        }
        return output(joined(graph, x));
    }

    private double[] output(double[][] joined) {
        double[][] out = new double[joined.length][1];
        dense.times(joined, out);
        double[] probabilities = new double[out.length];
        for (int i = 0; i < out.length; i++) {
            probabilities[i] = 1 / (1 + StrictMath.exp(-out[i][0] - bias.values[0]));
        }
        return probabilities;
    }

    /** What came in goes beside what the layers made of it. */
    private static double[][] joined(Graph graph, double[][] x) {
        double[][] joined = new double[x.length][];
        for (int i = 0; i < joined.length; i++) {
            double[] row = graph.rows()[i];
            joined[i] = new double[row.length + x[i].length];
            System.arraycopy(row, 0, joined[i], 0, row.length);
            System.arraycopy(x[i], 0, joined[i], row.length, x[i].length);
        }
        return joined;
    }

    /**
     * Adds the gradient of the cross entropy for one trace.
     *
     * @param labels 1 for spans of a bottleneck, 0 for others
     * @param positive what a span of a bottleneck weighs against another one
     */
    void learn(Graph graph, double[] labels, double positive) {
        var passes = new ArrayList<GraphConvolution.Pass>();
        double[][] x = graph.rows();
        for (GraphConvolution layer : layers) {
            GraphConvolution.Pass pass = layer.forward(graph, x);
            passes.add(pass);
            x = pass.out();
        }
        double[][] joined = joined(graph, x);
        double[] probabilities = output(joined);
        double[][] gradient = new double[labels.length][1];
        for (int i = 0; i < labels.length; i++) {
            double weight = labels[i] > 0 ? positive : 1;
            gradient[i][0] = weight * (probabilities[i] - labels[i]) / labels.length;
            bias.gradient[0] += gradient[i][0];
        }
        double[][] toJoined = new double[labels.length][dense.rows];
        dense.back(joined, gradient, toJoined);
        int features = graph.rows()[0].length;
        double[][] down = new double[labels.length][];
        for (int i = 0; i < down.length; i++) {
            down[i] = java.util.Arrays.copyOfRange(toJoined[i], features, toJoined[i].length);
        }
        for (int k = layers.size() - 1; k >= 0; k--) {
            down = layers.get(k).back(graph, passes.get(k), down);
        }
    }
}
