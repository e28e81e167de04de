package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Makes guards. The driver finds the one implementation by {@link java.util.ServiceLoader} and keeps each guard for all
 * connections with the same URL, user and configuration. Thread-safe.
 *
 * <p>A service, so that the driver's own tests can put a guard of theirs in its place.
 */
public interface GuardFactory {

    /**
     * In an identity, behind where names are looked up; what stands behind it is the database alone.
     *
     * <p>A control character, so that no URL and no name of a schema can contain it.
     */
    String END_OF_PATH = "\u001e";

    /**
     * Reads policy and schema.
     *
     * @param config options of the connection
     * @param metadata a connection to the real database, unchecked, for reading the schema now; not to be kept or
     *     closed
     * @param dialect of the database
     * @throws SQLException if policy or schema cannot be used; nothing is kept then
     */
    Guard open(PrivoxyConfig config, Connection metadata, Dialect dialect) throws SQLException;

    /**
     * The same for a database that was told from others.
     *
     * @param identity equal for connections that see the same tables of the same database, and for no others
     */
    default Guard open(PrivoxyConfig config, Connection metadata, Dialect dialect, String identity)
            throws SQLException {
        return open(config, metadata, dialect);
    }

    /**
     * The same for a transaction that has changed the schema: nothing that is read there is kept for others, and parts
     * of the policy that do not fit that schema have no effect.
     *
     * <p>Others must not learn of a schema that may be rolled back; and the transaction must not be decided on with the
     * one of before.
     */
    default Guard openForTransaction(PrivoxyConfig config, Connection metadata, Dialect dialect, String identity)
            throws SQLException {
        return open(config, metadata, dialect);
    }
}
