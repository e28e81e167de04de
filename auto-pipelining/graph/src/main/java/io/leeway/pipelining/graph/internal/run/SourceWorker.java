package io.leeway.pipelining.graph.internal.run;

import io.leeway.pipelining.graph.TupleOutput;
import io.leeway.pipelining.graph.TupleSource;

/** Runs a source, and what follows it up to the next ports. */
final class SourceWorker extends Worker {

    private final TupleSource source;
    private final TupleOutput output;
    private final Node node;

    SourceWorker(GraphRun run, Node node, TupleSource source, int nodes) {
        super(run, node.id, "pipelining-source-" + node.id, nodes);
        this.source = source;
        this.node = node;
        this.output = node;
    }

    @Override
    void work() throws Exception {
        boolean more = true;
        while (more && !run.isStopping()) {
            restIfAsked();
            run.throwIfCancelled();
            giveInterruptBack();
            enter(node.id);
            more = source.next(output);
        }
    }
}
