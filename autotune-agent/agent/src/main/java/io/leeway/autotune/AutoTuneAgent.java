package io.leeway.autotune;

import io.leeway.autotune.internal.agent.Agent;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * What {@code -javaagent:autotune-agent.jar} and attaching start. Never keeps the service from starting: what goes
 * wrong is said on standard error, and the service runs as without the agent.
 *
 * @since 0.1
 */
public final class AutoTuneAgent {

    private static final String BRIDGE = "io/leeway/autotune/internal/bridge/";
    private static final String[] PARTS = {
        "Bridge", "Bridge$Sink", "Bridge$Entry", "Bridge$Identity", "Bridge$Pending", "Getter", "Kinds"
    };
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
            bootstrap(instrumentation);
            Agent.start(arguments, instrumentation);
        } catch (Throwable e) {
            System.err.println("[autotune] switched itself off, the service is as without it: " + e);
        }
    }

    /** The bridge goes onto the bootstrap class path before anybody asks for it, alone in a jar that is deleted at the end. */
    private static void bootstrap(Instrumentation instrumentation) throws IOException {
        Path file = Files.createTempFile("autotune-bridge-", ".jar");
        file.toFile().deleteOnExit();
        try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
            for (String part : PARTS) {
                String name = BRIDGE + part + ".class";
                try (InputStream in = AutoTuneAgent.class.getClassLoader().getResourceAsStream(name)) {
                    if (in == null) {
                        throw new IOException(name + " is not in the agent's jar");
                    }
                    jar.putNextEntry(new JarEntry(name));
                    in.transferTo(jar);
                }
            }
        }
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(file.toFile()));
    }
}
