package io.leeway.lazytables.spi;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * A place that all machines reach, where servers say where they are and client processes find them. Tables do not
 * depend on it: while it is away, clients and servers that know each other go on.
 *
 * <p>Used by one server, which registers, or by one client process, which follows. Thread-safe.
 */
public interface ServerRegistry extends AutoCloseable {

    /**
     * Registers a server, and returns when it is registered. It stays so until {@link #close}: what has forgotten it is
     * told again. If the server's process ends without a word, it is forgotten after the time of
     * {@link ServerRegistryProvider.Settings#session()}.
     *
     * @param displaced told once, in words, and by any thread, if another server is found registered under the number;
     *     this one is not any more then
     * @throws IOException if the place does not answer, another server has the number, or servers are registered that
     *     say another count, for longer than {@link ServerRegistryProvider.Settings#timeout()}
     */
    void register(ServerRegistration server, Consumer<String> displaced) throws IOException;

    /**
     * Tells which servers are registered: now, before this returns, and whenever that changes, until {@link #close}; in
     * any order. While the place is away nothing is told.
     *
     * @param listener called by one thread at a time, which it does not hold up
     * @throws IOException if the place does not answer within {@link ServerRegistryProvider.Settings#timeout()}, or
     *     does not say which servers there are
     */
    void follow(Consumer<List<ServerRegistration>> listener) throws IOException;

    /** Ends it; a server is not registered any more. */
    @Override
    void close();
}
