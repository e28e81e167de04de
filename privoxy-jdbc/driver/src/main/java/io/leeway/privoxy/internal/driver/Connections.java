package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Opens checked connections by URL. Thread-safe.
 *
 * <p>For the driver and the data sources; the application gets nothing but {@link CheckedConnection}s.
 */
public final class Connections {

    private final Targets targets;

    /** Connections to some targets. */
    public Connections(Targets targets) {
        this.targets = targets;
    }

    /** The connections of this JVM. */
    public static Connections installed() {
        return new Connections(Targets.installed());
    }

    /** Whether a URL has the prefix. */
    public static boolean accepts(@Nullable String url) {
        return url != null && ConnectionUrl.isOurs(url);
    }

    /** A URL without parameters and credentials. */
    public static String display(String url) {
        return ConnectionUrl.safe(url);
    }

    /** A checked connection for a URL with the prefix. */
    public Connection open(String url, Properties properties) throws SQLException {
        ConnectionUrl parts = ConnectionUrl.of(url, properties);
        PrivoxyConfig config = PrivoxyConfig.of(parts.options());
        Driver driver = RealDrivers.find(parts, config.get(PrivoxyOptions.DELEGATE_DRIVER));
        Connection raw = driver.connect(parts.realUrl(), parts.realProperties());
        if (raw == null) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.NO_DRIVER,
                    driver.getClass().getName() + " does not connect to " + ConnectionUrl.safe(parts.realUrl()) + '.');
        }
        String user = parts.realProperties().getProperty("user", "");
        var identity =
                new DatabaseIdentity(parts.realUrl(), user, parts.database().dialect());
        return targets.wrap(raw, identity, config, parts.context(), Beginning.made());
    }

    /** The properties that a tool may ask a user for: our own, then the real driver's. */
    public static DriverPropertyInfo[] properties(String url, Properties given) throws SQLException {
        ConnectionUrl parts = ConnectionUrl.of(url, given);
        Stream<DriverPropertyInfo> own = PropertyInfo.of(parts.options());
        String named = parts.options().getOrDefault(PrivoxyOptions.DELEGATE_DRIVER.key(), "");
        Driver driver = RealDrivers.find(parts, named);
        Stream<DriverPropertyInfo> real = Stream.of(driver.getPropertyInfo(parts.realUrl(), parts.realProperties()));
        return Stream.concat(own, real).toArray(DriverPropertyInfo[]::new);
    }
}
