package io.leeway.autotune;

import io.leeway.autotune.services.JdkService;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;

/** A service that sets its own log manager in its main method, later than any agent starts. */
public final class HostWithLogManager {

    private HostWithLogManager() {}

    /** The manager that it wants. */
    public static final class OwnManager extends LogManager {}

    /** Starts it. */
    public static void main(String[] arguments) throws Exception {
        // Long enough for an agent that asks for a logger on a thread of its own.
        TimeUnit.SECONDS.sleep(2);
        System.setProperty("java.util.logging.manager", OwnManager.class.getName());
        System.out.println(
                "log manager " + LogManager.getLogManager().getClass().getName());
        JdkService.main(new String[] {"held=1"});
    }
}
