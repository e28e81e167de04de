package io.leeway.pipelining.flink.internal.agent;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.leeway.pipelining.PipeliningOptions;
import java.lang.instrument.Instrumentation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.utility.JavaModule;
import org.jspecify.annotations.Nullable;

/** Which methods of Flink are changed, and how. None of them is called for a record. */
public final class Changes {

    private static final String TASKS = "org.apache.flink.streaming.runtime.tasks.";
    private static final String GRAPH = "org.apache.flink.streaming.api.graph.";

    private final Map<String, AsmVisitorWrapper> byClass = new LinkedHashMap<>();
    private final Map<String, Throwable> failed = new ConcurrentHashMap<>();

    private Changes() {
        var exclusive = Advice.to(Advices.Exclusive.class);
        var known = Advice.to(Advices.ExclusiveAndKnown.class);
        add(TASKS + "mailbox.Mail", exclusive, named("run").and(takesArguments(0)));
        add(
                TASKS + "SubtaskCheckpointCoordinatorImpl",
                exclusive,
                namedOneOf("checkpointState", "abortCheckpointOnBarrier").and(isPublic()));
        add(
                TASKS + "OperatorChain",
                exclusive,
                namedOneOf("broadcastEvent", "flushOutputs", "alignedBarrierTimeout", "abortCheckpoint"));
        add(
                TASKS + "RegularOperatorChain",
                known,
                namedOneOf(
                        "dispatchOperatorEvent",
                        "prepareSnapshotPreBarrier",
                        "snapshotState",
                        "notifyCheckpointComplete",
                        "notifyCheckpointAborted",
                        "notifyCheckpointSubsumed"));
        add(TASKS + "RegularOperatorChain", exclusive, named("endInput"));
        add(
                TASKS + "RegularOperatorChain",
                Advice.to(Advices.Finishing.class),
                namedOneOf("finishOperators", "closeAllOperators"));
        add(TASKS + "RegularOperatorChain", Advice.to(Advices.Opened.class), named("initializeStateAndOpenOperators"));
        add(TASKS + "StreamTask", Advice.to(Advices.CleanUp.class), named("cleanUp"));
        add(TASKS + "StreamTask", Advice.to(Advices.Interrupt.class), named("maybeInterruptOnCancel"));
        add(TASKS + "StreamTask", Advice.to(Advices.Timer.class), named("invokeProcessingTimeCallback"));
        add(TASKS + "mailbox.MailboxExecutorImpl", Advice.to(Advices.Yield.class), namedOneOf("yield", "tryYield"));
    }

    /** Those for whoever submits jobs. */
    private void addCuts() {
        add(
                GRAPH + "StreamingJobGraphGenerator",
                Advice.to(Advices.Chainable.class),
                named("isChainable").and(takesArguments(3)));
        add(
                GRAPH + "StreamGraphHasherV2",
                Advice.to(Advices.Identities.class),
                namedOneOf("traverseStreamGraphAndGenerateHashes", "generateHashesByStreamNodeId"));
    }

    private void add(String type, Advice advice, ElementMatcher<? super MethodDescription> methods) {
        AsmVisitorWrapper change = advice.on(methods);
        byClass.merge(type, change, (one, other) -> new AsmVisitorWrapper.Compound(one, other));
    }

    /**
     * Changes the classes, those too that are loaded already.
     *
     * @return what could not be changed, by class; the agent is of no use then
     */
    public static Map<String, Throwable> install(Instrumentation instrumentation, PipeliningOptions options) {
        Cuts.configure(options);
        var changes = new Changes();
        if (!options.get(PipeliningOptions.FLINK_CUT).isBlank()) {
            changes.addCuts();
        }
        changes.install(instrumentation);
        return Map.copyOf(changes.failed);
    }

    private void install(Instrumentation instrumentation) {
        Set<String> names = byClass.keySet();
        AgentBuilder builder = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .with(new Failures())
                .ignore(type -> !names.contains(type.getName()));
        for (var change : byClass.entrySet()) {
            builder = builder.type(named(change.getKey()))
                    .transform((type, description, loader, module, domain) -> type.visit(change.getValue()));
        }
        builder.installOn(instrumentation);
    }

    /** Keeps what went wrong. */
    private final class Failures extends AgentBuilder.Listener.Adapter {
        @Override
        public void onError(
                String type,
                @Nullable ClassLoader loader,
                @Nullable JavaModule module,
                boolean loaded,
                Throwable cause) {
            failed.put(type, cause);
        }
    }
}
