package io.leeway.lazytables.spi;

import io.leeway.lazytables.HostAndPort;

/**
 * A server as a registry knows it.
 *
 * @param number its place in the order of all servers, from 0; rows belong to numbers, so a server that is started
 *     again, wherever that is, has the one that it had
 * @param count how many servers there are altogether, as this one was told
 * @param address where clients reach it
 */
public record ServerRegistration(int number, int count, HostAndPort address) {

    /** Checked. */
    public ServerRegistration {
        if (count < 1 || number < 0 || number >= count) {
            throw new IllegalArgumentException("there is no server " + number + " of " + count);
        }
    }
}
