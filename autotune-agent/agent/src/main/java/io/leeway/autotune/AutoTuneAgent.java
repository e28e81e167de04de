package io.leeway.autotune;

import io.leeway.autotune.internal.agent.Agent;
import io.leeway.autotune.internal.agent.BridgeHead;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What {@code -javaagent:autotune-agent.jar} and attaching start. Never keeps the service from starting: what goes
 * wrong is said on standard error, and the service runs as without the agent.
 *
 * @since 0.1
 */
public final class AutoTuneAgent {

    private static final AtomicBoolean STARTED = new AtomicBoolean();

    private AutoTuneAgent() {}

    /** Before the service's main method. */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        start(arguments, instrumentation);
    }

    /** In a service that runs. A second time does nothing. */
    public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
        start(arguments, instrumentation);
    }

    private static void start(@Nullable String arguments, Instrumentation instrumentation) {
        // Byte Buddy must not use what newer JDKs warn about; the name is relocated with it.
        System.setProperty("io.leeway.autotune.shaded.bytebuddy.safe", "true");
        if (!STARTED.compareAndSet(false, true)) {
            return;
        }
        try {
            // Before anything asks for the bridge.
            BridgeHead.build(instrumentation);
            Agent.start(arguments, instrumentation);
        } catch (Throwable e) {
            System.err.println("[autotune] switched itself off, the service is as without it: " + e);
        }
    }
}
