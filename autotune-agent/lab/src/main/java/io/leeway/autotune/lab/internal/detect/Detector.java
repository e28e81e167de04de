package io.leeway.autotune.lab.internal.detect;

import io.leeway.autotune.lab.internal.trace.Trace;

/** Says of each span of a trace whether it is a bottleneck. */
public interface Detector {

    /**
     * The probability of each span to be one of a bottleneck.
     *
     * @param graph the trace
     * @return as many as there are spans
     */
    double[] probabilities(GraphView graph);

    /** A trace with its features, that only this package looks into. */
    final class GraphView {

        private final Graph graph;

        private GraphView(Graph graph) {
            this.graph = graph;
        }

        static GraphView of(Graph graph) {
            return new GraphView(graph);
        }

        /** Of a trace, against what is usual. */
        public static GraphView of(Trace trace, Features features) {
            return new GraphView(Graph.of(trace, features));
        }

        Graph graph() {
            return graph;
        }
    }
}
