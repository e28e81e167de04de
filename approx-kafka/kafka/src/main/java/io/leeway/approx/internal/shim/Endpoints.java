package io.leeway.approx.internal.shim;

import java.net.InetSocketAddress;

/** Which address of the shim stands for a broker. */
@FunctionalInterface
interface Endpoints {

    /** The address, which listens from now on. */
    InetSocketAddress of(String host, int port);
}
