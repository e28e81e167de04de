package io.leeway.testkit.db;

/** Starts servers. */
interface ServerProvider {

    /** The name that the system property uses. */
    String name();

    /** Starts a server and waits until it answers. */
    RunningServer start(ServerKind kind);
}
