package io.leeway.autotune.lab.internal.detect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The first stage, a deep graph convolutional network: four graph convolutions, of which the last has one channel that
 * orders the spans; the first so many of them, all channels beside each other, go through a one-dimensional convolution
 * over each span, a maximum over pairs, a second convolution over neighbours, and two dense layers, to the probability
 * that the trace is anomalous (Gagan Somashekhar, "Performance Management of Large-Scale Microservices Applications",
 * 2023, section 5.1).
 */
final class TraceNetwork {

    private static final int WIDTH = 12;
    /** Spans that are kept by the sorting. */
    private static final int KEPT = 12;

    private static final int CHANNELS1 = 12;
    private static final int CHANNELS2 = 12;
    private static final int KERNEL = 3;
    private static final int HIDDEN = 24;
    private static final int POOLED = KEPT / 2;
    private static final int LENGTH2 = POOLED - KERNEL + 1;

    private final List<GraphConvolution> layers = new ArrayList<>();
    private final Tensor convolution1;
    private final Tensor bias1 = new Tensor(1, CHANNELS1);
    private final Tensor convolution2;
    private final Tensor bias2 = new Tensor(1, CHANNELS2);
    private final Tensor dense1;
    private final Tensor biasDense = new Tensor(1, HIDDEN);
    private final Tensor dense2;
    private final Tensor biasOut = new Tensor(1, 1);

    TraceNetwork(int features, SplittableRandom random) {
        layers.add(new GraphConvolution(features, WIDTH, random));
        layers.add(new GraphConvolution(WIDTH, WIDTH, random));
        layers.add(new GraphConvolution(WIDTH, WIDTH, random));
        layers.add(new GraphConvolution(WIDTH, 1, random));
        this.convolution1 = Tensor.random(3 * WIDTH + 1 + features, CHANNELS1, random);
        this.convolution2 = Tensor.random(KERNEL * CHANNELS1, CHANNELS2, random);
        this.dense1 = Tensor.random(LENGTH2 * CHANNELS2, HIDDEN, random);
        this.dense2 = Tensor.random(HIDDEN, 1, random);
    }

    List<Tensor> weights() {
        var weights = new ArrayList<Tensor>();
        layers.forEach(layer -> weights.addAll(layer.weights()));
        weights.addAll(List.of(convolution1, bias1, convolution2, bias2, dense1, biasDense, dense2, biasOut));
        return weights;
    }

    /** What a pass forward leaves for the pass back. */
    private static final class Pass {
        private final List<GraphConvolution.Pass> layers = new ArrayList<>();
        private int[] order = new int[0];
        private double[][] sorted = new double[0][];
        private double[][] convolved = new double[0][];
        private int[][] taken = new int[0][];
        private double[][] windows = new double[0][];
        private double[][] convolved2 = new double[0][];
        private double[][] flat = new double[0][];
        private double[][] hidden = new double[0][];
        private double probability;
    }

    /** Moves the cut: what had these log odds has a probability of a half from now on. */
    void shift(double logOdds) {
        biasOut.values[0] -= logOdds;
    }

    /** The probability that a trace is anomalous. */
    double probability(Graph graph) {
        return forward(graph).probability;
    }

    private Pass forward(Graph graph) {
        var pass = new Pass();
        double[][] x = graph.rows();
        for (GraphConvolution layer : layers) {
            GraphConvolution.Pass next = layer.forward(graph, x);
            pass.layers.add(next);
            x = next.out();
        }
        double[][] key = x;
        pass.order = IntStream.range(0, key.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -key[i][0]))
                .limit(KEPT)
                .mapToInt(Integer::intValue)
                .toArray();
        pass.sorted = sorted(graph, pass);
        pass.convolved = new double[KEPT][CHANNELS1];
        convolution1.times(pass.sorted, pass.convolved);
        rectify(pass.convolved, bias1);
        pool(pass);
        pass.convolved2 = new double[LENGTH2][CHANNELS2];
        convolution2.times(pass.windows, pass.convolved2);
        rectify(pass.convolved2, bias2);
        pass.flat = new double[][] {
            Arrays.stream(pass.convolved2).flatMapToDouble(Arrays::stream).toArray()
        };
        pass.hidden = new double[1][HIDDEN];
        dense1.times(pass.flat, pass.hidden);
        rectify(pass.hidden, biasDense);
        double[][] out = new double[1][1];
        dense2.times(pass.hidden, out);
        pass.probability = 1 / (1 + StrictMath.exp(-out[0][0] - biasOut.values[0]));
        return pass;
    }

    /** All channels of the spans in their order; a trace of few spans is filled with zeros. */
    private static double[][] sorted(Graph graph, Pass pass) {
        int features = graph.rows()[0].length;
        double[][] sorted = new double[KEPT][3 * WIDTH + 1 + features];
        for (int k = 0; k < pass.order.length; k++) {
            int i = pass.order[k];
            int at = 0;
            for (GraphConvolution.Pass layer : pass.layers) {
                System.arraycopy(layer.out()[i], 0, sorted[k], at, layer.out()[i].length);
                at += layer.out()[i].length;
            }
            System.arraycopy(graph.rows()[i], 0, sorted[k], at, features);
        }
        return sorted;
    }

    private static void rectify(double[][] x, Tensor bias) {
        for (double[] row : x) {
            for (int j = 0; j < row.length; j++) {
                row[j] = Math.max(0, row[j] + bias.values[j]);
            }
        }
    }

    /** The maximum of every two spans, and of these every three neighbours beside each other. */
    private static void pool(Pass pass) {
        double[][] pooled = new double[POOLED][CHANNELS1];
        pass.taken = new int[POOLED][CHANNELS1];
        for (int p = 0; p < POOLED; p++) {
            for (int c = 0; c < CHANNELS1; c++) {
                boolean isFirst = pass.convolved[2 * p][c] >= pass.convolved[2 * p + 1][c];
                pass.taken[p][c] = isFirst ? 2 * p : 2 * p + 1;
                pooled[p][c] = pass.convolved[pass.taken[p][c]][c];
            }
        }
        pass.windows = new double[LENGTH2][KERNEL * CHANNELS1];
        for (int w = 0; w < LENGTH2; w++) {
            for (int k = 0; k < KERNEL; k++) {
                System.arraycopy(pooled[w + k], 0, pass.windows[w], k * CHANNELS1, CHANNELS1);
            }
        }
    }

    /** Adds the gradient of the cross entropy for one trace. */
    void learn(Graph graph, boolean isAnomalous, double weight) {
        Pass pass = forward(graph);
        double[][] gradient = {{weight * (pass.probability - (isAnomalous ? 1 : 0))}};
        biasOut.gradient[0] += gradient[0][0];
        double[][] toHidden = new double[1][HIDDEN];
        dense2.back(pass.hidden, gradient, toHidden);
        gate(toHidden, pass.hidden, biasDense);
        double[][] toFlat = new double[1][LENGTH2 * CHANNELS2];
        dense1.back(pass.flat, toHidden, toFlat);
        double[][] toConvolved2 = new double[LENGTH2][];
        for (int w = 0; w < LENGTH2; w++) {
            toConvolved2[w] = Arrays.copyOfRange(toFlat[0], w * CHANNELS2, (w + 1) * CHANNELS2);
        }
        gate(toConvolved2, pass.convolved2, bias2);
        double[][] toWindows = new double[LENGTH2][KERNEL * CHANNELS1];
        convolution2.back(pass.windows, toConvolved2, toWindows);
        double[][] toConvolved = new double[KEPT][CHANNELS1];
        for (int w = 0; w < LENGTH2; w++) {
            for (int k = 0; k < KERNEL; k++) {
                for (int c = 0; c < CHANNELS1; c++) {
                    toConvolved[pass.taken[w + k][c]][c] += toWindows[w][k * CHANNELS1 + c];
                }
            }
        }
        gate(toConvolved, pass.convolved, bias1);
        double[][] toSorted = new double[KEPT][convolution1.rows];
        convolution1.back(pass.sorted, toConvolved, toSorted);
        backThroughLayers(graph, pass, toSorted);
    }

    private static void gate(double[][] gradient, double[][] out, Tensor bias) {
        for (int r = 0; r < gradient.length; r++) {
            for (int j = 0; j < gradient[r].length; j++) {
                gradient[r][j] = out[r][j] > 0 ? gradient[r][j] : 0;
                bias.gradient[j] += gradient[r][j];
            }
        }
    }

    private void backThroughLayers(Graph graph, Pass pass, double[][] toSorted) {
        int n = graph.rows().length;
        double[][] down = new double[n][1];
        for (int l = layers.size() - 1; l >= 0; l--) {
            int width = l == layers.size() - 1 ? 1 : WIDTH;
            for (int k = 0; k < pass.order.length; k++) {
                for (int j = 0; j < width; j++) {
                    down[pass.order[k]][j] += toSorted[k][l * WIDTH + j];
                }
            }
            down = layers.get(l).back(graph, pass.layers.get(l), down);
        }
    }
}
