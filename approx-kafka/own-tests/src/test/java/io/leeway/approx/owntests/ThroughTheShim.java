package io.leeway.approx.owntests;

import java.util.function.Predicate;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Before any test runs: the clusters of Kafka's tests give the shim's address for that of their brokers. */
public final class ThroughTheShim implements LauncherSessionListener {

    private static final String CLUSTER =
            "org.apache.kafka.common.test.junit.RaftClusterInvocationContext$RaftClusterInstance";

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .type(ElementMatchers.named(CLUSTER))
                .transform((builder, type, loader, module, domain) -> builder.visit(
                                Advice.to(Bootstrap.class).on(ElementMatchers.named("bootstrapServers")))
                        .visit(Advice.to(Stop.class).on(ElementMatchers.named("stop"))))
                .type(ElementMatchers.named("org.apache.kafka.common.test.api.DetectThreadLeak"))
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(Advice.to(Threads.class).on(ElementMatchers.named("of"))))
                .type(ElementMatchers.named("org.apache.kafka.test.TestUtils"))
                .transform((builder, type, loader, module, domain) -> builder.visit(Advice.to(Waits.class)
                        .on(ElementMatchers.named("retryOnExceptionWithTimeout")
                                .and(ElementMatchers.takesArgument(0, long.class)))))
                .installOn(ByteBuddyAgent.install());
    }

    /** What is added to the method that waits for a condition: 15 seconds are for machines with nothing else to do. */
    public static final class Waits {

        private Waits() {}

        @Advice.OnMethodEnter
        @SuppressWarnings("UnusedVariable") // it is what the method gets
        static void enter(@Advice.Argument(value = 0, readOnly = false) long millis) {
            millis = Math.max(millis, 120_000);
        }
    }

    /** What is added to the method that gives the address. */
    public static final class Bootstrap {

        private Bootstrap() {}

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable") // it is what the caller gets
        static void exit(@Advice.Return(readOnly = false) String servers) {
            servers = Shims.before(servers);
        }
    }

    /** What is added to the method that stops the cluster. */
    public static final class Stop {

        private Stop() {}

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit() {
            Shims.close();
        }
    }

    /** What is added to the method that says which threads are looked at when a test is over: before the cluster ends. */
    public static final class Threads {

        private Threads() {}

        @Advice.OnMethodEnter
        @SuppressWarnings("UnusedVariable") // it is what the method gets
        static void enter(@Advice.Argument(value = 0, readOnly = false) Predicate<Thread> looked) {
            looked = Shims.withoutTheirThreads(looked);
        }
    }
}
