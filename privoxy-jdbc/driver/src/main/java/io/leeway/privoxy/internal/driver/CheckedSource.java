package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.config.PrivoxyConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import javax.sql.PooledConnection;
import javax.sql.XAConnection;

/**
 * Puts the check in front of connections that are made elsewhere, by a data source or a pool. What the database is,
 * each connection is asked. Thread-safe.
 *
 * <p>For applications that make connections by a data source or a pool of their own, where no URL with the prefix is.
 */
public final class CheckedSource {

    private final Targets targets;
    private final PrivoxyConfig config;
    private final Map<String, String> context;

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

    /**
     * A checked connection in place of a real one, which is closed if it cannot be checked.
     *
     * @param origin the source that has given it out
     */
    public Connection check(Connection raw, Object origin) throws SQLException {
        return targets.wrap(raw, identity(raw), config, context, Beginning.from(origin));
    }

    /** A checked handle in place of one of a pooled connection, which may be in the middle of a transaction. */
    CheckedConnection checkHandle(Connection raw, Beginning beginning) throws SQLException {
        return targets.wrap(raw, identity(raw), config, context, beginning);
    }

    /** A pooled connection whose handles are checked. */
    public PooledConnection check(PooledConnection raw, Object origin) {
        return new CheckedPooledConnection<>(raw, this, Beginning.makes(origin));
    }

    /** An XA connection whose handles are checked. */
    public XAConnection check(XAConnection raw, Object origin) {
        return new CheckedXAConnection(raw, this, Beginning.makes(origin));
    }

    /** A data source may lead each connection somewhere else. */
    private static DatabaseIdentity identity(Connection raw) throws SQLException {
        boolean done = false;
        try {
            DatabaseIdentity identity = DatabaseIdentity.of(raw);
            done = true;
            return identity;
        } finally {
            if (!done) {
                // Not given back unchecked, nor left open.
                raw.close();
            }
        }
    }
}
