package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.sql.Dialect;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the real database, unchecked, for tools that read its catalogue.
 *
 * <p>Public for the command line only; an application that had it would not be checked.
 */
public final class PlainConnection implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(PlainConnection.class.getName());
    private static final String REAL_PREFIX = "jdbc:";

    private final Connection connection;
    private final Dialect dialect;
    private final @Nullable URLClassLoader loader;

    private PlainConnection(Connection connection, Dialect dialect, @Nullable URLClassLoader loader) {
        this.connection = connection;
        this.dialect = dialect;
        this.loader = loader;
    }

    /**
     * Connects.
     *
     * @param url with or without this driver's prefix; own options are left out
     * @param driverJar file with the real driver, or null to find it as the driver does
     */
    public static PlainConnection open(String url, Properties properties, @Nullable String driverJar)
            throws SQLException {
        String ours = ConnectionUrl.isOurs(url) || !url.startsWith(REAL_PREFIX)
                ? url
                : ConnectionUrl.PREFIX + url.substring(REAL_PREFIX.length());
        if (!ConnectionUrl.isOurs(ours)) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.CONFIGURATION, "The URL must begin with jdbc:.");
        }
        ConnectionUrl parts = ConnectionUrl.of(ours, properties);
        String named = parts.options().getOrDefault(PrivoxyOptions.DELEGATE_DRIVER.key(), "");
        URLClassLoader loader = driverJar == null ? null : loader(driverJar);
        boolean done = false;
        try {
            Driver driver = find(parts, named, loader);
            Connection connection = driver.connect(parts.realUrl(), parts.realProperties());
            if (connection == null) {
                throw new PrivoxyFailureException(
                        PrivoxyErrorCode.NO_DRIVER, driver.getClass().getName() + " does not connect.");
            }
            done = true;
            return new PlainConnection(connection, parts.database().dialect(), loader);
        } finally {
            if (!done) {
                close(loader);
            }
        }
    }

    private static Driver find(ConnectionUrl parts, String named, @Nullable URLClassLoader loader) throws SQLException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            if (loader != null) {
                thread.setContextClassLoader(loader);
            }
            return RealDrivers.find(parts, named);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URLClassLoader loader(String jar) throws SQLException {
        try {
            Path path = Path.of(jar);
            if (!Files.isReadable(path)) {
                throw new PrivoxyFailureException(PrivoxyErrorCode.NO_DRIVER, "There is no file " + jar + '.');
            }
            return new URLClassLoader(new URL[] {path.toUri().toURL()}, PlainConnection.class.getClassLoader());
        } catch (InvalidPathException | MalformedURLException noPath) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.NO_DRIVER, jar + " is no path.", noPath);
        }
    }

    /** A URL without parameters and credentials. */
    public static String display(String url) {
        return ConnectionUrl.safe(url);
    }

    /** The real connection. */
    public Connection connection() {
        return connection;
    }

    public Dialect dialect() {
        return dialect;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException lost) {
            LOG.log(System.Logger.Level.DEBUG, "The connection could not be closed.", lost);
        }
        close(loader);
    }

    private static void close(@Nullable URLClassLoader loader) {
        try {
            if (loader != null) {
                loader.close();
            }
        } catch (IOException lost) {
            LOG.log(System.Logger.Level.DEBUG, "The driver's file could not be closed.", lost);
        }
    }
}
