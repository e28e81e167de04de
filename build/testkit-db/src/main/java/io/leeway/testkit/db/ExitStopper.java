package io.leeway.testkit.db;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Stops the shared servers when the JVM ends, the last started first. */
final class ExitStopper {

    private static final Deque<RunningServer> RUNNING = new ArrayDeque<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ExitStopper::stopAll, "testkit-shutdown"));
    }

    private ExitStopper() {}

    static RunningServer stopAtExit(RunningServer server) {
        synchronized (RUNNING) {
            RUNNING.push(server);
        }
        return server;
    }

    /** One that cannot be stopped must not keep the others running; its watchdog ends it. */
    private static void stopAll() {
        synchronized (RUNNING) {
            while (!RUNNING.isEmpty()) {
                RunningServer server = RUNNING.pop();
                try {
                    server.stop();
                } catch (IOException | RuntimeException e) {
                    System.err.println("testkit: could not stop " + server.kind() + ": " + e);
                }
            }
        }
    }
}
