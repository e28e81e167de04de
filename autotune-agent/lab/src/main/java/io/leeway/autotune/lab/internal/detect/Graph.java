package io.leeway.autotune.lab.internal.detect;

import io.leeway.autotune.lab.internal.trace.Trace;
import java.util.List;

/**
 * A trace as models see it.
 *
 * @param rows features of each span
 * @param parents the row of each span's caller; -1 for the root
 */
@SuppressWarnings("ArrayRecordComponent") // Rows of numbers, never compared.
record Graph(double[][] rows, int[] parents) {

    static Graph of(Trace trace, Features features) {
        List<Trace.Node> nodes = trace.nodes();
        int[] parents = new int[nodes.size()];
        for (int i = 0; i < parents.length; i++) {
            Trace.Node parent = nodes.get(i).parent();
            parents[i] = parent == null ? -1 : parent.place();
        }
        return new Graph(features.rows(trace), parents);
    }

    /** Of each span, the mean over what it calls. */
    double[][] fromCalls(double[][] x) {
        double[][] means = new double[x.length][x[0].length];
        int[] counts = new int[x.length];
        for (int parent : parents) {
            if (parent >= 0) {
                counts[parent]++;
            }
        }
        for (int i = 0; i < x.length; i++) {
            if (parents[i] >= 0) {
                add(x[i], 1.0 / counts[parents[i]], means[parents[i]]);
            }
        }
        return means;
    }

    /** The other way: gradients of those means go back to what is called. */
    void backToCalls(double[][] gradient, double[][] into) {
        int[] counts = new int[gradient.length];
        for (int parent : parents) {
            if (parent >= 0) {
                counts[parent]++;
            }
        }
        for (int i = 0; i < gradient.length; i++) {
            if (parents[i] >= 0) {
                add(gradient[parents[i]], 1.0 / counts[parents[i]], into[i]);
            }
        }
    }

    /** Of each span, its caller's. */
    double[][] fromCaller(double[][] x) {
        double[][] callers = new double[x.length][x[0].length];
        for (int i = 0; i < x.length; i++) {
            if (parents[i] >= 0) {
                add(x[parents[i]], 1, callers[i]);
            }
        }
        return callers;
    }

    /** The other way. */
    void backToCaller(double[][] gradient, double[][] into) {
        for (int i = 0; i < gradient.length; i++) {
            if (parents[i] >= 0) {
                add(gradient[i], 1, into[parents[i]]);
            }
        }
    }

    private static void add(double[] from, double factor, double[] into) {
        for (int k = 0; k < into.length; k++) {
            into[k] += factor * from[k];
        }
    }
}
