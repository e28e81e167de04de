package io.leeway.autotune;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
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
            start(arguments, instrumentation, isolated());
        } catch (Throwable e) {
            Throwable cause = e instanceof InvocationTargetException invoked ? invoked.getCause() : e;
            System.err.println("[autotune] switched itself off, the service is as without it: " + cause);
        }
    }

    /**
     * Agents are put at the end of the service's class path. So that classes of the same names there, as of a service
     * that tunes something in process, are not taken for the agent's, and the service sees none of the agent's, all but
     * this class comes from a loader that knows nothing but the agent's jar and the JDK.
     */
    private static ClassLoader isolated() {
        URL jar = AutoTuneAgent.class.getProtectionDomain().getCodeSource().getLocation();
        return new URLClassLoader("autotune", new URL[] {jar}, ClassLoader.getPlatformClassLoader());
    }

    private static void start(@Nullable String arguments, Instrumentation instrumentation, ClassLoader loader)
            throws ReflectiveOperationException {
        // The bridge comes before anything asks for it.
        loader.loadClass("io.leeway.autotune.internal.agent.BridgeHead")
                .getMethod("build", Instrumentation.class)
                .invoke(null, instrumentation);
        loader.loadClass("io.leeway.autotune.internal.agent.Agent")
                .getMethod("start", String.class, Instrumentation.class)
                .invoke(null, arguments, instrumentation);
    }
}
