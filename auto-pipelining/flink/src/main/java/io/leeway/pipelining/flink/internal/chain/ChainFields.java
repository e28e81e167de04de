package io.leeway.pipelining.flink.internal.chain;

import io.leeway.pipelining.PipeliningError;
import java.lang.reflect.Field;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorV2;
import org.apache.flink.streaming.api.operators.CountingOutput;
import org.jspecify.annotations.Nullable;

/** The fields of Flink's classes that are read and written. Thread-safe. */
final class ChainFields {

    private static final String TASKS = "org.apache.flink.streaming.runtime.tasks.";

    /** Of the outputs that call the next operator of a chain. */
    static final Field RECORD_PROCESSOR = field(TASKS + "ChainingOutput", "recordProcessor");

    static final Field INPUT = field(TASKS + "ChainingOutput", "input");
    static final Field RECORDS_IN = field(TASKS + "ChainingOutput", "numRecordsIn");

    private static final Field BROADCAST_OUTPUTS = field(TASKS + "BroadcastingOutputCollector", "outputs");
    private static final Field COUNTING_OUTPUT = field(CountingOutput.class.getName(), "output");
    private static final Field OPERATOR_OUTPUT = field(AbstractStreamOperator.class.getName(), "output");
    private static final Field OPERATOR_V2_OUTPUT = field(AbstractStreamOperatorV2.class.getName(), "output");
    private static final Field TASK_CHAIN = field(TASKS + "StreamTask", "operatorChain");
    private static final Field TASK_MAILBOX = field(TASKS + "StreamTask", "mainMailboxExecutor");
    private static final Field WATERMARK_PROCESSOR =
            field(AbstractStreamOperator.class.getName(), "watermarkProcessor");

    private ChainFields() {}

    /** Fails here if this Flink is not as it is known, before anything is changed. */
    static void check() {
        // Loading this class has looked all of them up.
    }

    static @Nullable Object broadcastOutputs(Object output) {
        return isA(output, BROADCAST_OUTPUTS) ? get(BROADCAST_OUTPUTS, output) : null;
    }

    static boolean isChainingOutput(Object output) {
        return isA(output, INPUT);
    }

    /** Without the counting around it. */
    static @Nullable Object unwrapped(@Nullable Object output) {
        return output != null && isA(output, COUNTING_OUTPUT) ? get(COUNTING_OUTPUT, output) : output;
    }

    static @Nullable Object outputOf(Object operator) {
        if (operator instanceof AbstractStreamOperator) {
            return get(OPERATOR_OUTPUT, operator);
        }
        return operator instanceof AbstractStreamOperatorV2 ? get(OPERATOR_V2_OUTPUT, operator) : null;
    }

    static @Nullable Object chainOf(Object task) {
        return get(TASK_CHAIN, task);
    }

    static @Nullable Object mailboxOf(Object task) {
        return get(TASK_MAILBOX, task);
    }

    static boolean hasInterruptibleTimers(Object operator) {
        return operator instanceof AbstractStreamOperator && get(WATERMARK_PROCESSOR, operator) != null;
    }

    static @Nullable Object get(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    static void set(Field field, Object of, Object value) {
        try {
            field.set(of, value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isA(Object object, Field field) {
        return field.getDeclaringClass().isInstance(object);
    }

    private static Field field(String className, String name) {
        try {
            Class<?> type = Class.forName(className, false, AbstractStreamOperator.class.getClassLoader());
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw PipeliningError.HOST_UNKNOWN.with("There is no field " + className + "." + name + ".", e);
        }
    }
}
