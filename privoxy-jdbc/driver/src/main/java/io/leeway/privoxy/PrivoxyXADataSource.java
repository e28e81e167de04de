package io.leeway.privoxy;

import io.leeway.privoxy.internal.driver.CheckedSource;
import io.leeway.privoxy.internal.driver.Connections;
import io.leeway.privoxy.internal.driver.Targets;
import io.leeway.privoxy.internal.driver.XaSources;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.PooledConnection;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;

/**
 * Checked connections for transaction managers and for pools that want {@link ConnectionPoolDataSource}: by URL, or in
 * front of another XADataSource.
 *
 * <p>The setters are for configuration; otherwise thread-safe.
 *
 * @since 0.1
 */
public final class PrivoxyXADataSource implements XADataSource, ConnectionPoolDataSource {

    private final Targets targets;
    private final Properties options = new Properties();
    private @Nullable XADataSource target;
    private @Nullable CheckedSource source;
    private @Nullable String user;
    private @Nullable String password;

    /** A data source by URL; {@link #setUrl} says which. */
    public PrivoxyXADataSource() {
        this(Targets.installed());
    }

    PrivoxyXADataSource(Targets targets) {
        this.targets = targets;
    }

    /**
     * The check in front of another XADataSource.
     *
     * @param options own options and context parameters, under the same keys as in a URL
     */
    public static PrivoxyXADataSource wrap(XADataSource target, Map<String, String> options) {
        var checked = new PrivoxyXADataSource();
        checked.target = target;
        checked.options.putAll(options);
        return checked;
    }

    /**
     * URL with the prefix {@code jdbc:privoxy:}.
     *
     * @throws SQLException if it is not one, or the real driver has no XADataSource
     */
    public synchronized void setUrl(String url) throws SQLException {
        if (!Connections.accepts(url)) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.CONFIGURATION, "The URL does not begin with jdbc:privoxy:.");
        }
        target = XaSources.real(url);
        options.putAll(XaSources.options(url));
        source = null;
    }

    /** Name of the database's user. */
    public synchronized void setUser(String user) {
        this.user = user;
    }

    /** Password of the database's user. */
    public synchronized void setPassword(String password) {
        this.password = password;
    }

    /** Policy files, comma-separated. */
    public synchronized void setPrivoxyPolicy(String policy) {
        options.setProperty(PrivoxyOptions.POLICY.key(), policy);
        source = null;
    }

    /** Mode: enforce, audit or off. */
    public synchronized void setPrivoxyMode(String mode) {
        options.setProperty(PrivoxyOptions.MODE.key(), mode);
        source = null;
    }

    @Override
    public XAConnection getXAConnection() throws SQLException {
        String name = user;
        if (name != null) {
            return getXAConnection(name, password == null ? "" : password);
        }
        XADataSource real = target();
        return source().check(real.getXAConnection(), real);
    }

    @Override
    public XAConnection getXAConnection(String user, String password) throws SQLException {
        XADataSource real = target();
        return source().check(real.getXAConnection(user, password), real);
    }

    /** An XA connection serves as a pooled one: outside a distributed transaction it is just that. */
    @Override
    public PooledConnection getPooledConnection() throws SQLException {
        return getXAConnection();
    }

    @Override
    public PooledConnection getPooledConnection(String user, String password) throws SQLException {
        return getXAConnection(user, password);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return target().getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        target().setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        target().setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return target().getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Privoxy logs through System.Logger", "0A000");
    }

    private synchronized XADataSource target() throws SQLException {
        XADataSource real = target;
        if (real == null) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.CONFIGURATION, "The data source has no URL.");
        }
        return real;
    }

    private synchronized CheckedSource source() throws SQLException {
        CheckedSource known = source;
        if (known == null) {
            known = new CheckedSource(targets, options);
            source = known;
        }
        return known;
    }
}
