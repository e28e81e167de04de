package io.leeway.lazytables.internal.net;

/** What a frame is: the upper four bits of its header. */
final class Kind {

    /** A message. */
    static final int DATA = 0;
    /** A message in LZ4, behind its length without. */
    static final int LZ4 = 1;
    /** A sign of life, empty. */
    static final int HEARTBEAT = 2;
    /** The last frame: why the connection ends. */
    static final int GOODBYE = 3;
    /** Server to client: what it asks for, and a number used once. */
    static final int CHALLENGE = 4;
    /** Client to server: its limit, a number used once, the proof. */
    static final int PROOF = 5;
    /** Server to client: its limit, its own proof. From here on there are messages. */
    static final int WELCOME = 6;

    private Kind() {}
}
