package io.leeway.lazytables.internal.server;

/**
 * What is to be told to a client and waits for room: written only then, so that it takes little memory until then and
 * says what is so by then.
 */
interface Due {

    /** Writes it for its client, at this clock. */
    void write(int globalClock);
}
