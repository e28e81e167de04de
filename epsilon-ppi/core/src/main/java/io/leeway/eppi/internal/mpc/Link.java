package io.leeway.eppi.internal.mpc;

/**
 * An ordered, authentic and secret connection to another party. {@link #send} must not wait for the other side to
 * receive what was sent in the same round: both sides send first and receive then.
 */
public interface Link {

    /** Sends a message. */
    void send(byte[] message);

    /** Waits for the next message, up to the limit of the transport. */
    byte[] receive();
}
