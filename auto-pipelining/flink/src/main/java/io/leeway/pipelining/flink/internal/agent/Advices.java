package io.leeway.pipelining.flink.internal.agent;

import io.leeway.pipelining.flink.internal.chain.Chains;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Code that is copied into Flink's methods. What it calls must be public and static. */
final class Advices {

    private Advices() {}

    /** Around what must find the chain as one thread would have left it. */
    static final class Exclusive {

        private Exclusive() {}

        @Advice.OnMethodEnter
        static @Nullable Object enter() throws InterruptedException {
            return Chains.enter();
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Enter @Nullable Object entered) {
            Chains.exit(entered);
        }
    }

    /** Around calls of a chain that may be the first after the agent came. */
    static final class ExclusiveAndKnown {

        private ExclusiveAndKnown() {}

        @Advice.OnMethodEnter
        static @Nullable Object enter(@Advice.This Object chain) throws InterruptedException {
            Chains.opened(chain);
            return Chains.enter();
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Enter @Nullable Object entered) {
            Chains.exit(entered);
        }
    }

    /** Around the end of a chain. */
    static final class Finishing {

        private Finishing() {}

        @Advice.OnMethodEnter
        static @Nullable Object enter() throws InterruptedException {
            Object entered = Chains.enter();
            Chains.finishing();
            return entered;
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Enter @Nullable Object entered) {
            Chains.exit(entered);
        }
    }

    /** After a chain's operators were opened. */
    static final class Opened {

        private Opened() {}

        @Advice.OnMethodExit
        static void exit(@Advice.This Object chain) {
            Chains.opened(chain);
        }
    }

    /** A timer of a task: the first that is seen of a job without checkpoints. */
    static final class Timer {

        private Timer() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.This Object task) {
            Chains.met(task);
        }
    }

    /** Before a task frees what its operators hold. */
    static final class CleanUp {

        private CleanUp() {}

        @Advice.OnMethodEnter
        static void enter() {
            Chains.cleanUp();
        }
    }

    /** When a task's thread is interrupted. */
    static final class Interrupt {

        private Interrupt() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.This Object task) {
            Chains.interrupt(task);
        }
    }

    /** Before someone yields to a mailbox. */
    static final class Yield {

        private Yield() {}

        @Advice.OnMethodEnter
        static void enter() {
            Chains.yielding();
        }
    }

    /** While identities of operators are computed, chains are as they would be without cuts. */
    static final class Identities {

        private Identities() {}

        @Advice.OnMethodEnter
        static void enter() {
            Cuts.identities(true);
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit() {
            Cuts.identities(false);
        }
    }

    /** Whether two operators are chained. */
    static final class Chainable {

        private Chainable() {}

        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) Object edge,
                @Advice.Argument(1) Object graph,
                @Advice.Return(readOnly = false) boolean chainable) {
            chainable = chainable && !Cuts.isCut(edge, graph);
        }
    }
}
