package io.leeway.autotune.lab.internal.detect;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A layer: tanh of a span's own features, the mean of those it calls and its caller's, each with weights of its own.
 * The paper's layers do not tell the two directions apart; a victim of a slow call looks like its cause from one side
 * and not from the other, so that these do (Gagan Somashekhar, "Performance Management of Large-Scale Microservices
 * Applications", 2023, section 5.1).
 */
final class GraphConvolution {

    private final Tensor own;
    private final Tensor calls;
    private final Tensor caller;
    private final Tensor bias;

    GraphConvolution(int in, int out, SplittableRandom random) {
        this.own = Tensor.random(in, out, random);
        this.calls = Tensor.random(in, out, random);
        this.caller = Tensor.random(in, out, random);
        this.bias = new Tensor(1, out);
    }

    List<Tensor> weights() {
        return List.of(own, calls, caller, bias);
    }

    /** What a pass forward leaves for the pass back. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Pass(double[][] x, double[][] fromCalls, double[][] fromCaller, double[][] out) {}

    Pass forward(Graph graph, double[][] x) {
        double[][] fromCalls = graph.fromCalls(x);
        double[][] fromCaller = graph.fromCaller(x);
        double[][] out = new double[x.length][bias.columns];
        own.times(x, out);
        calls.times(fromCalls, out);
        caller.times(fromCaller, out);
        for (double[] row : out) {
            for (int j = 0; j < row.length; j++) {
                row[j] = StrictMath.tanh(row[j] + bias.values[j]);
            }
        }
        return new Pass(x, fromCalls, fromCaller, out);
    }

    /** The gradient by what came in. */
    double[][] back(Graph graph, Pass pass, double[][] gradient) {
        int in = own.rows;
        double[][] inner = new double[gradient.length][bias.columns];
        for (int i = 0; i < inner.length; i++) {
            for (int j = 0; j < bias.columns; j++) {
                double value = pass.out()[i][j];
                inner[i][j] = gradient[i][j] * (1 - value * value);
                bias.gradient[j] += inner[i][j];
            }
        }
        double[][] into = new double[gradient.length][in];
        double[][] toCalls = new double[gradient.length][in];
        double[][] toCaller = new double[gradient.length][in];
        own.back(pass.x(), inner, into);
        calls.back(pass.fromCalls(), inner, toCalls);
        caller.back(pass.fromCaller(), inner, toCaller);
        graph.backToCalls(toCalls, into);
        graph.backToCaller(toCaller, into);
        return into;
    }
}
