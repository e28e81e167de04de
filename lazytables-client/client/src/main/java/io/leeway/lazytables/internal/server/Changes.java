package io.leeway.lazytables.internal.server;

/**
 * What messages change: how often, by which snapshots are told apart, and whether the present one has begun to. A
 * message that fails before it has leaves the server as it was; one that fails after it leaves what cannot be told from
 * what is missing.
 */
final class Changes {

    private long number;
    private boolean begun;

    /** Another message, or another task, of which nothing was done yet. */
    void next() {
        begun = false;
    }

    /** Tables change from here on. */
    void begin() {
        begun = true;
    }

    boolean hasBegun() {
        return begun;
    }

    /** A snapshot would be another one. */
    void count() {
        number++;
    }

    long number() {
        return number;
    }
}
