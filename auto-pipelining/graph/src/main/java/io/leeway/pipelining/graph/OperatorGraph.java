package io.leeway.pipelining.graph;

import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Merge;
import io.leeway.pipelining.PipeliningError;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.graph.internal.run.GraphRun;
import io.leeway.pipelining.graph.internal.run.NodeSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Operators and the streams between them. Unless threads are put in, each source's thread runs all that follows from its tuples
 * by plain calls. To be built by one thread; may be started several times if its operators allow it.
 *
 * <pre>{@code
 * var graph = new OperatorGraph();
 * var numbers = graph.source("numbers", counter);
 * var parse = graph.operator("parse", parser);
 * var store = graph.operator("store", sink).stateful();
 * graph.connect(numbers, parse).connect(parse, store);
 * try (var running = graph.start(PipeliningOptions.defaults());
 *         var keeper = AutoPipelining.start(running.host(), PipeliningOptions.defaults())) {
 *     running.join();
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class OperatorGraph {

    private final List<Vertex> vertices = new ArrayList<>();

    /** One operator or source of a graph. */
    public static final class Vertex {

        private final int id;
        private final String name;
        private final NodeSpec.Work work;
        private final List<NodeSpec.Target> targets = new ArrayList<>();
        private boolean stateful;
        private Merge merge = Merge.AS_SEQUENTIAL;
        private String refusal = "";

        private Vertex(int id, String name, NodeSpec.Work work) {
            this.id = id;
            this.name = name;
            this.work = work;
        }

        /** It has state: never two threads in it at once. */
        public Vertex stateful() {
            stateful = true;
            return this;
        }

        /** It takes tuples of different inputs in any order, as long as each input's are in order. */
        public Vertex anyOrderBetweenInputs() {
            merge = Merge.PER_INPUT;
            return this;
        }

        /** There must be no thread in front of it, for this reason. */
        public Vertex neverThreaded(String why) {
            refusal = why;
            return this;
        }

        /** Its number in the graph. */
        public int id() {
            return id;
        }
    }

    /** Adds a source. */
    public Vertex source(String name, TupleSource source) {
        return add(name, new NodeSpec.Sourcing(source));
    }

    /** Adds an operator; it counts as without state unless it is said to have some. */
    public Vertex operator(String name, TupleOperator operator) {
        return add(name, new NodeSpec.Operating(operator));
    }

    /** Connects output port 0 of one with input port 0 of the other. */
    public OperatorGraph connect(Vertex from, Vertex to) {
        return connect(from, 0, to, 0);
    }

    /** Connects an output port of one with an input port of the other, both from 0. */
    public OperatorGraph connect(Vertex from, int output, Vertex to, int input) {
        if (output < 0 || input < 0 || output > 255 || input > 255) {
            throw PipeliningError.BAD_GRAPH.with("Ports are 0 to 255, not " + output + " and " + input + ".");
        }
        if (to.work instanceof NodeSpec.Sourcing) {
            throw PipeliningError.BAD_GRAPH.with("The source \"" + to.name + "\" takes no tuples.");
        }
        if (!vertices.contains(from) || !vertices.contains(to)) {
            throw PipeliningError.BAD_GRAPH.with("\"" + from.name + "\" or \"" + to.name + "\" is of another graph.");
        }
        from.targets.add(new NodeSpec.Target(output, to.id, input));
        return this;
    }

    /** The graph as others see it. */
    public PipelineGraph describe() {
        var operators = new ArrayList<PipelineGraph.Operator>();
        var streams = new ArrayList<PipelineGraph.Stream>();
        for (Vertex vertex : vertices) {
            if (vertex.work instanceof NodeSpec.Sourcing) {
                operators.add(PipelineGraph.Operator.source(vertex.id, vertex.name));
            } else {
                var operator = PipelineGraph.Operator.of(vertex.id, vertex.name, vertex.stateful, vertex.merge);
                operators.add(vertex.refusal.isEmpty() ? operator : operator.refused(vertex.refusal));
            }
            vertex.targets.forEach(target -> streams.add(new PipelineGraph.Stream(vertex.id, target.node())));
        }
        return new PipelineGraph(operators, streams);
    }

    /**
     * Starts all sources.
     *
     * @throws io.leeway.pipelining.PipeliningException with {@link PipeliningError#BAD_GRAPH} if there is none
     */
    public RunningGraph start(PipeliningOptions options) {
        var specs = new ArrayList<NodeSpec>();
        vertices.forEach(vertex -> specs.add(new NodeSpec(vertex.work, vertex.targets)));
        if (vertices.stream().noneMatch(vertex -> vertex.work instanceof NodeSpec.Sourcing)) {
            throw PipeliningError.BAD_GRAPH.with("The graph has no source.");
        }
        return new RunningGraph(GraphRun.start(describe(), specs, options));
    }

    private Vertex add(String name, NodeSpec.Work work) {
        var vertex = new Vertex(vertices.size(), name, work);
        vertices.add(vertex);
        return vertex;
    }
}
