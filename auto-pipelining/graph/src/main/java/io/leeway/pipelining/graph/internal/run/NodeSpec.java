package io.leeway.pipelining.graph.internal.run;

import io.leeway.pipelining.graph.TupleOperator;
import io.leeway.pipelining.graph.TupleSource;
import java.util.List;

/** What a node does and whom it feeds. Its number is its place in the list of all. */
public record NodeSpec(Work work, List<Target> targets) {

    /** Copies the list. */
    public NodeSpec {
        targets = List.copyOf(targets);
    }

    /** What it does. */
    public sealed interface Work {}

    /** It makes tuples. */
    public record Sourcing(TupleSource source) implements Work {}

    /** It takes them. */
    public record Operating(TupleOperator operator) implements Work {}

    /** From one of its output ports to an input port of another. */
    public record Target(int output, int node, int input) {}
}
