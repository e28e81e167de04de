package io.leeway.privoxy;

import io.leeway.privoxy.internal.driver.Connections;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The driver for URLs that begin with {@code jdbc:privoxy:}, in front of the driver for the rest of the URL. It registers
 * itself.
 *
 * <pre>{@code jdbc:privoxy:postgresql://db/app?privoxyPolicy=policy.sql}</pre>
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class PrivoxyDriver implements Driver {

    private static final int MAJOR = 0;
    private static final int MINOR = 1;

    static {
        try {
            DriverManager.registerDriver(new PrivoxyDriver());
        } catch (SQLException refused) {
            System.getLogger(PrivoxyDriver.class.getName())
                    .log(Level.ERROR, "The driver cannot be registered", refused);
        }
    }

    private final @Nullable Connections connections;

    /** Made by DriverManager, or by pools and tools that ask for a driver class. */
    public PrivoxyDriver() {
        this(null);
    }

    PrivoxyDriver(@Nullable Connections connections) {
        this.connections = connections;
    }

    @Override
    public @Nullable Connection connect(String url, @Nullable Properties info) throws SQLException {
        return acceptsURL(url) ? connections().open(url, info == null ? new Properties() : info) : null;
    }

    @Override
    public boolean acceptsURL(@Nullable String url) {
        return Connections.accepts(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties info) throws SQLException {
        return acceptsURL(url)
                ? Connections.properties(url, info == null ? new Properties() : info)
                : new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return MAJOR;
    }

    @Override
    public int getMinorVersion() {
        return MINOR;
    }

    /** False, as for most drivers: it depends on the one behind. */
    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Privoxy logs through System.Logger", "0A000");
    }

    /** Looked up when first needed: registering must not load a guard. */
    private Connections connections() {
        return connections == null ? Connections.installed() : connections;
    }
}
