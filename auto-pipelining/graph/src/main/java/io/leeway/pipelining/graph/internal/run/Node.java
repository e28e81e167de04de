package io.leeway.pipelining.graph.internal.run;

import io.leeway.pipelining.graph.TupleOperator;
import io.leeway.pipelining.graph.TupleOutput;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One operator or source of a running graph. Its fields change only while all workers rest. */
final class Node implements TupleOutput {

    /** Whom one output port feeds: two arrays of the same length. */
    private static final class Fan {
        private final Node[] nodes;
        private final int[] inputs;

        Fan(Node[] nodes, int[] inputs) {
            this.nodes = nodes;
            this.inputs = inputs;
        }
    }

    final int id;
    private final GraphRun run;
    private final @Nullable TupleOperator operator;
    private Fan[] outputs = new Fan[0];

    /** The lock of a stateful operator that more than one thread reaches; null if no lock is needed. */
    private @Nullable ReentrantLock lock;

    private @Nullable PortWorker port;

    Node(GraphRun run, int id, @Nullable TupleOperator operator) {
        this.run = run;
        this.id = id;
        this.operator = operator;
    }

    void connect(NodeSpec spec, Node[] all) {
        int ports =
                spec.targets().stream().mapToInt(NodeSpec.Target::output).max().orElse(-1) + 1;
        outputs = new Fan[ports];
        for (int port = 0; port < ports; port++) {
            int output = port;
            var targets = spec.targets().stream()
                    .filter(target -> target.output() == output)
                    .toList();
            outputs[port] = new Fan(
                    targets.stream().map(target -> all[target.node()]).toArray(Node[]::new),
                    targets.stream().mapToInt(NodeSpec.Target::input).toArray());
        }
    }

    @Nullable
    PortWorker port() {
        return port;
    }

    void port(@Nullable PortWorker now) {
        port = now;
    }

    void lock(@Nullable ReentrantLock now) {
        lock = now;
    }

    boolean isLocked() {
        return lock != null;
    }

    @Override
    public void submit(int output, Object tuple) {
        java.util.Objects.requireNonNull(tuple, "tuple");
        if (output >= outputs.length) {
            return;
        }
        Fan fan = outputs[output];
        for (int i = 0; i < fan.nodes.length; i++) {
            fan.nodes[i].deliver(fan.inputs[i], tuple);
        }
    }

    private void deliver(int input, Object tuple) {
        PortWorker threaded = port;
        if (threaded == null) {
            process(Worker.current(), input, tuple);
        } else {
            threaded.put(Worker.current(), input, tuple);
        }
    }

    /** Runs the operator, in the worker's thread. */
    void process(Worker worker, int input, Object tuple) {
        worker.enter(id);
        if (run.isProfiling()) {
            int before = worker.stack.enter(id);
            try {
                locked(input, tuple);
            } finally {
                worker.stack.leave(before);
            }
        } else {
            locked(input, tuple);
        }
    }

    private void locked(int input, Object tuple) {
        ReentrantLock on = lock;
        if (on == null) {
            call(input, tuple);
            return;
        }
        on.lock();
        try {
            call(input, tuple);
        } finally {
            on.unlock();
        }
    }

    private void call(int input, Object tuple) {
        TupleOperator called = operator;
        if (called == null) {
            throw new IllegalStateException("a source takes no tuples");
        }
        try {
            called.process(input, tuple, this);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Exception e) {
            throw new OperatorException(e);
        }
    }

    void finish() throws Exception {
        if (operator != null) {
            operator.finish(this);
        }
    }

    /** Carries an operator's checked exception up to the worker. */
    static final class OperatorException extends RuntimeException {

        private static final long serialVersionUID = 1;

        OperatorException(Exception cause) {
            super(cause);
        }
    }
}
