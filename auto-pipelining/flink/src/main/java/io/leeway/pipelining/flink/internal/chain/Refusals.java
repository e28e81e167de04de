package io.leeway.pipelining.flink.internal.chain;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractUdfStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.async.AsyncWaitOperator;
import org.apache.flink.streaming.runtime.operators.asyncprocessing.AsyncKeyOrderedProcessing;
import org.apache.flink.streaming.runtime.tasks.StreamTask;

/** Which operators may not be run by a port's thread, and why. Thread-safe. */
final class Refusals {

    private static final String SINK_WRITER = "org.apache.flink.streaming.runtime.operators.sink.SinkWriterOperator";

    /** Operators that were seen to yield behind a port, which fails a job once; not twice. */
    private static final Set<String> SEEN_TO_YIELD = ConcurrentHashMap.newKeySet();

    private final List<String> denied;

    /** Refuses also classes with these prefixes. */
    Refusals(List<String> denied) {
        this.denied = List.copyOf(denied);
    }

    static void sawYield(String operatorName) {
        SEEN_TO_YIELD.add(operatorName);
    }

    /** Why no port may be in this task at all; empty if there may. */
    @SuppressWarnings("deprecation") // what is refused is refused for its age
    String ofTask(StreamTask<?, ?> task) {
        return task instanceof org.apache.flink.streaming.runtime.tasks.SourceStreamTask
                ? "the task's source is of the old kind: it emits from a thread of its own under a lock"
                : "";
    }

    /** Why no port may be in front of this operator, nor further up; empty if there may. */
    String of(StreamOperator<?> operator, String name) {
        if (operator instanceof AsyncWaitOperator) {
            return "it waits for asynchronous calls by yielding to the task's mailbox";
        }
        if (SEEN_TO_YIELD.contains(name)) {
            return "it was seen to yield to the task's mailbox";
        }
        if (operator instanceof AsyncKeyOrderedProcessing async && async.isAsyncKeyOrderedProcessingEnabled()) {
            return "it uses asynchronous state, whose callbacks yield to the task's mailbox";
        }
        if (ChainFields.hasInterruptibleTimers(operator)) {
            return "it uses interruptible timers, which look at the task's mailbox between each other";
        }
        if (keepsMailbox(operator)) {
            return "it keeps the task's mailbox, to which it could yield";
        }
        return ofUserCode(operator);
    }

    private String ofUserCode(StreamOperator<?> operator) {
        if (isDenied(operator.getClass())) {
            return "it is denied by pipelining.flink.deny";
        }
        if (operator instanceof AbstractUdfStreamOperator<?, ?> udf) {
            Class<?> function = udf.getUserFunction().getClass();
            if (isDenied(function)) {
                return "its function is denied by pipelining.flink.deny";
            }
            if (hasField(function, Object.class, ThreadLocal.class)) {
                return "its function has a thread-local variable";
            }
        }
        return "";
    }

    private boolean isDenied(Class<?> type) {
        return denied.stream().anyMatch(type.getName()::startsWith);
    }

    private static boolean keepsMailbox(StreamOperator<?> operator) {
        if (!operator.getClass().getName().equals(SINK_WRITER)) {
            return hasField(operator.getClass(), AbstractStreamOperator.class, MailboxExecutor.class);
        }
        // Every sink's operator keeps it, to hand it to its writer; what counts is whether the writer kept it.
        try {
            Field field = operator.getClass().getDeclaredField("sinkWriter");
            field.setAccessible(true);
            Object writer = field.get(operator);
            return writer == null || hasField(writer.getClass(), Object.class, MailboxExecutor.class);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return true;
        }
    }

    /** Whether a class, or one that it extends below {@code top}, has a field of a type. */
    private static boolean hasField(Class<?> type, Class<?> top, Class<?> wanted) {
        for (Class<?> at = type; at != null && at != top && at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                boolean own = !Modifier.isStatic(field.getModifiers()) || wanted == ThreadLocal.class;
                if (own && wanted.isAssignableFrom(field.getType())) {
                    return true;
                }
            }
        }
        return false;
    }
}
