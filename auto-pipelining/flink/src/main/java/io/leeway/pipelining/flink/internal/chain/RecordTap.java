package io.leeway.pipelining.flink.internal.chain;

import io.leeway.pipelining.internal.profile.ExecutionStack;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.function.ThrowingConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a chained output's field for records while there is a port or a profile. One class for both: all chained
 * outputs call from one place, and the compiler of the JVM goes on inlining what it sees there only as long as Flink's own and
 * one other class come by.
 */
final class RecordTap implements ThrowingConsumer<StreamRecord<Object>, Exception> {

    private final ThrowingConsumer<StreamRecord<Object>, Exception> records;
    private final @Nullable ThreadedPort port;
    private final ExecutionStack stack;
    private final int operator;

    private RecordTap(
            ThrowingConsumer<StreamRecord<Object>, Exception> records,
            @Nullable ThreadedPort port,
            ExecutionStack stack,
            int operator) {
        this.records = records;
        this.port = port;
        this.stack = stack;
        this.operator = operator;
    }

    /** Into a port. */
    static RecordTap into(ThreadedPort port) {
        return new RecordTap(port, port, port.stack(), 0);
    }

    /** Straight on, seen by the profile while records are in it. */
    static RecordTap profiled(
            ThrowingConsumer<StreamRecord<Object>, Exception> records, ExecutionStack stack, int operator) {
        return new RecordTap(records, null, stack, operator);
    }

    @Override
    public void accept(StreamRecord<Object> record) throws Exception {
        if (port != null) {
            port.accept(record);
            return;
        }
        int before = stack.enter(operator);
        try {
            records.accept(record);
        } finally {
            stack.leave(before);
        }
    }
}
