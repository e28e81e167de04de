package io.leeway.privoxy;

import io.leeway.privoxy.internal.driver.CheckedSource;
import io.leeway.privoxy.internal.driver.Connections;
import io.leeway.privoxy.internal.driver.Targets;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source of checked connections: by URL, or in front of another data source.
 *
 * <pre>{@code
 * DataSource checked = PrivoxyDataSource.wrap(pool, Map.of("privoxyPolicy", "policy.sql"));
 * }</pre>
 *
 * <p>Beneath a pool (as its driver) a session's settings are read once for each real connection; in front of a pool they
 * are read each time a connection is taken, which costs one round trip. A connection that is closed ends its request in
 * both cases, as far as the pool lets it be seen: beneath a pool, give the identity by thread.
 *
 * <p>The setters are for configuration; otherwise thread-safe.
 *
 * @since 0.1
 */
public final class PrivoxyDataSource implements DataSource, AutoCloseable {

    private final @Nullable DataSource target;
    private final @Nullable CheckedSource source;
    private final Properties properties = new Properties();
    private @Nullable String url;

    /** A data source by URL; {@link #setUrl} says which. */
    public PrivoxyDataSource() {
        this(null, null);
    }

    private PrivoxyDataSource(@Nullable DataSource target, @Nullable CheckedSource source) {
        this.target = target;
        this.source = source;
    }

    /** A data source by URL with the prefix. */
    public static PrivoxyDataSource of(String url) {
        var source = new PrivoxyDataSource();
        source.setUrl(url);
        return source;
    }

    /**
     * The check in front of another data source.
     *
     * @param options own options and context parameters, under the same keys as in a URL
     * @throws SQLException if an option is unknown or wrong
     */
    public static PrivoxyDataSource wrap(DataSource target, Map<String, String> options) throws SQLException {
        var properties = new Properties();
        properties.putAll(options);
        return wrap(target, properties, Targets.installed());
    }

    static PrivoxyDataSource wrap(DataSource target, Properties options, Targets targets) throws SQLException {
        return new PrivoxyDataSource(target, new CheckedSource(targets, options));
    }

    /** URL with the prefix {@code jdbc:privoxy:}. */
    public void setUrl(String url) {
        this.url = url;
    }

    /** The URL without what may be secret, for display. */
    public @Nullable String getUrl() {
        return url == null ? null : Connections.display(url);
    }

    /** Name of the database's user. */
    public void setUser(String user) {
        properties.setProperty("user", user);
    }

    /** Password of the database's user. */
    public void setPassword(String password) {
        properties.setProperty("password", password);
    }

    /** Properties for the real driver, own options and context parameters. */
    public void setProperties(Properties more) {
        more.stringPropertyNames().forEach(key -> properties.setProperty(key, more.getProperty(key)));
    }

    /** Policy files, comma-separated. */
    public void setPrivoxyPolicy(String policy) {
        properties.setProperty(PrivoxyOptions.POLICY.key(), policy);
    }

    /** Mode: enforce, audit or off. */
    public void setPrivoxyMode(String mode) {
        properties.setProperty(PrivoxyOptions.MODE.key(), mode);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (target != null && source != null) {
            return source.check(target.getConnection(), target);
        }
        return Connections.installed().open(configuredUrl(), properties);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        if (target != null && source != null) {
            return source.check(target.getConnection(user, password), target);
        }
        var own = new Properties();
        own.putAll(properties);
        own.setProperty("user", user);
        own.setProperty("password", password);
        return Connections.installed().open(configuredUrl(), own);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return target == null ? null : target.getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        if (target != null) {
            target.setLogWriter(out);
        }
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        if (target != null) {
            target.setLoginTimeout(seconds);
        } else {
            properties.setProperty("loginTimeout", Integer.toString(seconds));
        }
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return target == null
                ? Integer.parseInt(properties.getProperty("loginTimeout", "0"))
                : target.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Privoxy logs through System.Logger", "0A000");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new PolicyViolationException(
                PrivoxyErrorCode.UNWRAP_REFUSED,
                Refusal.of("", "", "unwrap(" + type.getName() + ") would give connections without a check."));
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    /** Closes the data source behind, if it can be closed. */
    @Override
    public void close() throws SQLException {
        if (target instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (SQLException | RuntimeException failed) {
                throw failed;
            } catch (Exception failed) {
                throw new SQLException("The data source cannot be closed", failed);
            }
        }
    }

    private String configuredUrl() throws SQLException {
        if (url == null || !Connections.accepts(url)) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.CONFIGURATION, "The data source has no URL that begins with jdbc:privoxy:.");
        }
        return url;
    }
}
