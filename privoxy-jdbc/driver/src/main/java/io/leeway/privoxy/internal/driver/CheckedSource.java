package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.config.PrivoxyConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.PooledConnection;
import javax.sql.XAConnection;

/**
 * Puts the check in front of connections that are made elsewhere, by a data source or a pool. What the database is, is
 * asked of the first connection of each user only. Thread-safe.
 */
public final class CheckedSource {

    private final Targets targets;
    private final PrivoxyConfig config;
    private final Map<String, String> context;
    private final Map<String, DatabaseIdentity> identities = new ConcurrentHashMap<>();

    /**
     * A check with some options.
     *
     * @param options own options and context parameters, and nothing else
     */
    public CheckedSource(Targets targets, Properties options) throws SQLException {
        var own = new LinkedHashMap<String, String>();
        var parameters = new LinkedHashMap<String, String>();
        Properties others = ConnectionUrl.stripped(options, own, parameters);
        // There is no driver to take them, so they are mistakes and to be reported with the others.
        others.stringPropertyNames().forEach(key -> own.put(key, others.getProperty(key)));
        this.targets = targets;
        this.config = PrivoxyConfig.of(own);
        this.context = Map.copyOf(parameters);
    }

    /** A checked connection in place of a real one, which is closed if it cannot be checked. */
    public Connection check(Connection raw, String user) throws SQLException {
        return targets.wrap(raw, identity(raw, user), config, context, true);
    }

    /** A checked handle in place of one of a pooled connection, which may be in the middle of a transaction. */
    CheckedConnection checkHandle(Connection raw, String user) throws SQLException {
        return targets.wrap(raw, identity(raw, user), config, context, false);
    }

    /** A pooled connection whose handles are checked. */
    public PooledConnection check(PooledConnection raw, String user) {
        return new CheckedPooledConnection<>(raw, this, user);
    }

    /** An XA connection whose handles are checked. */
    public XAConnection check(XAConnection raw, String user) {
        return new CheckedXAConnection(raw, this, user);
    }

    private DatabaseIdentity identity(Connection raw, String user) throws SQLException {
        DatabaseIdentity known = identities.get(user);
        if (known == null) {
            boolean done = false;
            try {
                known = DatabaseIdentity.of(raw);
                identities.put(user, known);
                done = true;
            } finally {
                if (!done) {
                    raw.close();
                }
            }
        }
        return known;
    }
}
