package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyOptions;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import javax.sql.XADataSource;

/**
 * Makes the real driver's XADataSource for a URL with the prefix.
 *
 * <p>There is no standard way from a URL to an XADataSource, so the known drivers' classes are made by name.
 */
public final class XaSources {

    private static final List<String> URL_SETTERS = List.of("setUrl", "setURL");

    private XaSources() {}

    /** The real data source, without own options. */
    public static XADataSource real(String url) throws SQLException {
        ConnectionUrl parts = ConnectionUrl.of(url, new Properties());
        String name = parts.database().xaDataSource();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context == null ? XaSources.class.getClassLoader() : context;
        try {
            Object source =
                    Class.forName(name, true, loader).getDeclaredConstructor().newInstance();
            setter(source).invoke(source, parts.realUrl());
            return (XADataSource) source;
        } catch (ReflectiveOperationException | LinkageError | ClassCastException absent) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.NO_DRIVER,
                    "No " + name + " for " + ConnectionUrl.safe(parts.realUrl()) + '.',
                    absent);
        }
    }

    /** Own options and context parameters of a URL with the prefix. */
    public static Properties options(String url) throws SQLException {
        ConnectionUrl parts = ConnectionUrl.of(url, new Properties());
        var options = new Properties();
        options.putAll(parts.options());
        parts.context().forEach((name, value) -> options.setProperty(PrivoxyOptions.CONTEXT_PREFIX + name, value));
        return options;
    }

    private static Method setter(Object source) throws NoSuchMethodException {
        for (Method method : source.getClass().getMethods()) {
            if (URL_SETTERS.contains(method.getName())
                    && List.of(method.getParameterTypes()).equals(List.of(String.class))) {
                return method;
            }
        }
        throw new NoSuchMethodException("setUrl");
    }
}
