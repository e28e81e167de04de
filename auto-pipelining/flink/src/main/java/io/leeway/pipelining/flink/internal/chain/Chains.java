package io.leeway.pipelining.flink.internal.chain;

import io.leeway.pipelining.PipeliningOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.OperatorChain;
import org.apache.flink.streaming.runtime.tasks.RegularOperatorChain;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.apache.flink.util.function.ThrowingConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All chains of this process, and what the changed methods of Flink call. One for a process, since those methods can reach
 * nothing but static ones. Thread-safe.
 */
public final class Chains {

    /** Of the task that the current thread runs. */
    private static final ThreadLocal<TaskChain> CURRENT = new ThreadLocal<>();

    private static final Map<OperatorChain<?, ?>, TaskChain> ALL = new ConcurrentHashMap<>();
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static volatile Refusals refusals = new Refusals(List.of());

    private Chains() {}

    /** Takes options, and looks whether this Flink is as it is known. */
    public static void configure(PipeliningOptions options) {
        ChainFields.check();
        refusals = new Refusals(
                Arrays.stream(options.get(PipeliningOptions.FLINK_DENY).split(";"))
                        .map(String::strip)
                        .filter(prefix -> !prefix.isEmpty())
                        .toList());
    }

    /** The chains at present. */
    public static Collection<TaskChain> all() {
        ALL.values().removeIf(TaskChain::isEnded);
        return List.copyOf(ALL.values());
    }

    // What Flink's methods call, in the task's thread unless it is said otherwise.

    /** The operators of a chain were opened, or a chain was met that runs since before the agent came. */
    public static void opened(Object chain) {
        if (chain instanceof RegularOperatorChain<?, ?> regular && !ALL.containsKey(regular)) {
            TaskChain built = build(regular);
            if (built != null) {
                ALL.put(regular, built);
                CURRENT.set(built);
            }
        }
    }

    /** An exclusive section begins; gives what {@link #exit} takes, null in other threads than tasks'. */
    public static @Nullable Object enter() throws InterruptedException {
        TaskChain current = CURRENT.get();
        if (current != null) {
            current.enter();
        }
        return current;
    }

    /** It ends. */
    public static void exit(@Nullable Object entered) {
        if (entered != null) {
            ((TaskChain) entered).exit();
        }
    }

    /** The operators are about to be finished or closed, in an exclusive section. */
    public static void finishing() throws InterruptedException {
        TaskChain current = CURRENT.get();
        if (current != null && !current.isEnded()) {
            current.finish();
        }
    }

    /** The task is over, in whatever way. */
    public static void cleanUp() {
        TaskChain current = CURRENT.get();
        if (current != null) {
            current.abandon();
            CURRENT.remove();
            ALL.values().remove(current);
        }
    }

    /** A task was met, between two records. */
    public static void met(Object task) {
        Object chain = ChainFields.chainOf(task);
        if (chain != null && CURRENT.get() == null) {
            opened(chain);
        }
    }

    /** A task is cancelled; any thread. */
    public static void interrupt(Object task) {
        Object chain = ChainFields.chainOf(task);
        TaskChain known = chain == null ? null : ALL.get(chain);
        if (known != null) {
            known.interrupt();
        }
    }

    /** Someone yields to the mailbox; any thread. Throws if it is a port's, which must not. */
    public static void yielding() {
        Thread thread = Thread.currentThread();
        for (TaskChain chain : ALL.values()) {
            if (!chain.isTask(thread) && !chain.runBy(thread).isEmpty()) {
                chain.links().stream()
                        .filter(link -> chain.runBy(thread).contains(link.operator()))
                        .forEach(link -> Refusals.sawYield(link.name()));
                throw new IllegalStateException("An operator behind a threaded port of " + chain.name()
                        + " yielded to the mailbox; it is not put behind one again in this process.");
            }
        }
    }

    private static @Nullable TaskChain build(RegularOperatorChain<?, ?> chain) {
        StreamOperator<?> main = chain.getMainOperator();
        if (main == null) {
            return null;
        }
        var builder = new Builder();
        Object output = ChainFields.outputOf(main);
        if (output != null) {
            builder.walk(output, null);
        }
        StreamTask<?, ?> task = builder.task;
        Object mailbox = task == null ? null : ChainFields.mailboxOf(task);
        if (task == null || mailbox == null) {
            return null;
        }
        return new TaskChain(
                task.getName(),
                NUMBERS.incrementAndGet(),
                headName(main, task),
                (MailboxExecutor) mailbox,
                builder.edges);
    }

    private static String headName(StreamOperator<?> main, StreamTask<?, ?> task) {
        return main instanceof AbstractStreamOperator<?> known
                ? known.getOperatorConfig().getOperatorName()
                : task.getConfiguration().getOperatorName();
    }

    /** Finds the edges of a chain, upstream first. */
    private static final class Builder {

        private final List<ChainEdge> edges = new ArrayList<>();
        private @Nullable StreamTask<?, ?> task;

        void walk(Object output, @Nullable ChainEdge parent) {
            Object inner = ChainFields.unwrapped(output);
            Object several = inner == null ? null : ChainFields.broadcastOutputs(inner);
            if (several != null) {
                for (Object one : (Object[]) several) {
                    walk(one, parent);
                }
            } else if (inner != null && ChainFields.isChainingOutput(inner)) {
                add(inner, parent);
            }
        }

        @SuppressWarnings("unchecked") // the types of what is chained were erased by Flink
        private void add(Object output, @Nullable ChainEdge parent) {
            Object input = ChainFields.get(ChainFields.INPUT, output);
            if (!(input instanceof AbstractStreamOperator<?> operator)) {
                return;
            }
            StreamTask<?, ?> container = operator.getContainingTask();
            task = container;
            boolean copies = output.getClass().getSimpleName().startsWith("Copying");
            TypeSerializer<Object> serializer =
                    operator.getOperatorConfig().getTypeSerializerIn(0, container.getUserCodeClassLoader());
            String name = operator.getOperatorConfig().getOperatorName();
            String refusal = refusals.ofTask(container);
            if (refusal.isEmpty()) {
                refusal = refusals.of(operator, name);
            }
            if (refusal.isEmpty() && !copies && serializer == null) {
                refusal = "objects are reused, and there is no serializer to copy them";
            }
            var original = new PortTarget(
                    (ThrowingConsumer<StreamRecord<Object>, Exception>)
                            Objects.requireNonNull(ChainFields.get(ChainFields.RECORD_PROCESSOR, output)),
                    (Input<Object>) input);
            var edge = new ChainEdge(
                    NUMBERS.incrementAndGet(), name, output, parent, original, copies ? null : serializer, refusal);
            edges.add(edge);
            Object next = ChainFields.outputOf(operator);
            if (next != null) {
                walk(next, edge);
            }
        }
    }
}
