package io.leeway.lazybase.internal.door;

import io.leeway.lazybase.internal.pg.Users;
import io.leeway.lazybase.internal.sql.Engine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Another way in, for clients that move many rows. Whoever comes in there has the same users and the same SQL. Thread-safe. */
public interface BulkDoor extends AutoCloseable {

    /** Where clients connect, as they write it. */
    String uri();

    /** Ends what runs, and lets nobody in any more. */
    @Override
    void close();

    /**
     * How it is to be opened.
     *
     * @param address where to listen
     * @param users who may come in; without any, everybody
     * @param tls how connections are encrypted; null if they are not
     * @param mostCalls calls at once at most
     * @param mostMessage bytes of a message at most
     */
    record Settings(
            InetSocketAddress address,
            Users users,
            @Nullable Tls tls,
            int mostCalls,
            int mostMessage) {}

    /** A chain of certificates and the key of the first, in PEM. */
    record Tls(Path certificate, Path key) {}

    /** Opens doors. Found with {@link java.util.ServiceLoader}. */
    interface Provider {

        /**
         * Begins to listen.
         *
         * @throws io.leeway.lazybase.LazyBaseException if it cannot, saying why
         */
        BulkDoor open(Engine engine, Settings settings) throws IOException;
    }
}
