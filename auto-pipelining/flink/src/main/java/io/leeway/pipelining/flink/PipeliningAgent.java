package io.leeway.pipelining.flink;

import io.leeway.pipelining.AutoPipelining;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.flink.internal.agent.Changes;
import io.leeway.pipelining.flink.internal.chain.Chains;
import io.leeway.pipelining.flink.internal.host.FlinkHost;
import java.lang.instrument.Instrumentation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The java agent of task managers: {@code -javaagent:auto-pipelining-flink.jar=observe=true,page.port=7373}. Options are
 * separated by commas, and may leave their prefix out; system properties of the same keys count where the argument says nothing.
 *
 * <p>It fails open: whatever goes wrong while it starts, Flink runs as without it, and one line on the error stream says so.
 *
 * @since 0.1
 */
public final class PipeliningAgent {

    private static @Nullable AutoPipelining running;

    private PipeliningAgent() {}

    /** Called by the JVM when it starts. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        start(arguments, instrumentation);
    }

    /** Called by the JVM when the agent is attached to it. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        start(arguments, instrumentation);
    }

    private static synchronized void start(@Nullable String arguments, Instrumentation instrumentation) {
        if (running != null) {
            say("is here already; the second one does nothing.");
            return;
        }
        try {
            PipeliningOptions options = options(arguments == null ? "" : arguments);
            Chains.configure(options);
            Map<String, Throwable> failed = Changes.install(instrumentation, options);
            if (!failed.isEmpty()) {
                say("could not change " + failed + "; it does nothing.");
                return;
            }
            // Task managers of one machine have the same options: the port is the first one's, and others take another.
            AutoPipelining keeper = AutoPipelining.start(new FlinkHost(options), options);
            running = keeper;
            say("watches this process"
                    + (options.get(PipeliningOptions.OBSERVE) ? ", and only that" : "")
                    + (keeper.pagePort() < 0 ? "." : "; its page: http://127.0.0.1:" + keeper.pagePort() + "/"));
        } catch (Throwable e) {
            say("does nothing: " + e);
        }
    }

    /** The options of an agent's argument, over those of system properties. */
    static PipeliningOptions options(String arguments) {
        var given = new LinkedHashMap<String, String>();
        for (String key : System.getProperties().stringPropertyNames()) {
            if (key.startsWith(PipeliningOptions.PREFIX)) {
                given.put(key, System.getProperty(key));
            }
        }
        for (String part : arguments.split(",")) {
            if (!part.isBlank()) {
                int equals = part.indexOf('=');
                String key = (equals < 0 ? part : part.substring(0, equals)).strip();
                String full = key.startsWith(PipeliningOptions.PREFIX) ? key : PipeliningOptions.PREFIX + key;
                given.put(full, equals < 0 ? "true" : part.substring(equals + 1).strip());
            }
        }
        return PipeliningOptions.of(given);
    }

    /** Before the application has started, no logging may be touched: it would fix the JVM's log manager. */
    private static void say(String what) {
        System.err.println("auto-pipelining " + what);
    }
}
