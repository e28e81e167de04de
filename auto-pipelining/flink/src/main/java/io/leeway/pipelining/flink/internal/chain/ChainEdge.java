package io.leeway.pipelining.flink.internal.chain;

import io.leeway.pipelining.internal.profile.ExecutionStack;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;

/** One call from an operator of a chain to the next one. Used by the task's thread only, but for what is final. */
final class ChainEdge {

    private final int id;
    private final String name;
    private final Object output;
    private final @Nullable ChainEdge parent;
    private final List<ChainEdge> children = new ArrayList<>();
    private final PortTarget original;
    private final @Nullable TypeSerializer<Object> copier;
    private final @Nullable Counter records;
    private final String refusal;

    private volatile @Nullable ThreadedPort port;

    ChainEdge(
            int id,
            String name,
            Object output,
            @Nullable ChainEdge parent,
            PortTarget original,
            @Nullable TypeSerializer<Object> copier,
            String refusal) {
        this.id = id;
        this.name = name;
        this.output = output;
        this.parent = parent;
        this.original = original;
        this.copier = copier;
        this.refusal = refusal;
        this.records = (Counter) ChainFields.get(ChainFields.RECORDS_IN, output);
        if (parent != null) {
            parent.children.add(this);
        }
    }

    int id() {
        return id;
    }

    String name() {
        return name;
    }

    @Nullable
    ChainEdge parent() {
        return parent;
    }

    @Nullable
    ThreadedPort port() {
        return port;
    }

    /** Records that went over it so far; read from any thread, possibly a little old. */
    long processed() {
        return records == null ? 0 : records.getCount();
    }

    /** Why there may be no port: the reason of this operator, or of one that the port's thread would run too. */
    String refusal() {
        if (!refusal.isEmpty()) {
            return refusal;
        }
        for (ChainEdge child : children) {
            String behind = child.refusal();
            if (!behind.isEmpty()) {
                return behind;
            }
        }
        return "";
    }

    /** Puts a port in. All queues are empty, and nobody but the caller is in the chain. */
    void insert(TaskChain chain, int capacity, ExecutionStack upstream) {
        var fresh = new ThreadedPort(chain, "pipelining-" + name, original, copier, capacity, upstream);
        fresh.start();
        port = fresh;
    }

    /** Takes it out. */
    void remove() throws InterruptedException {
        ThreadedPort present = port;
        if (present != null) {
            port = null;
            present.close();
        }
    }

    /** Writes the fields for the present state. */
    void wire(ExecutionStack upstream, boolean profiling) {
        ThreadedPort present = port;
        ExecutionStack runner = present == null ? upstream : present.stack();
        PortTarget target = profiling ? original.profiled(runner, id) : original;
        if (present == null) {
            ChainFields.set(ChainFields.RECORD_PROCESSOR, output, target.records());
            ChainFields.set(ChainFields.INPUT, output, target.input());
        } else {
            present.wire(target, upstream);
            ChainFields.set(ChainFields.RECORD_PROCESSOR, output, RecordTap.into(present));
            ChainFields.set(ChainFields.INPUT, output, present);
        }
    }

    /** As Flink made it. */
    void unwire() {
        ChainFields.set(ChainFields.RECORD_PROCESSOR, output, original.records());
        ChainFields.set(ChainFields.INPUT, output, original.input());
    }
}
