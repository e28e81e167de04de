package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.ClientInfoStatus;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The context parameters among a connection's client info: {@code privoxy.MyUId}. The database never sees them.
 *
 * <p>Values are text here; the policy's declared type decides how they are read ({@code ContextValues.as}).
 */
final class ClientInfo {

    /** The name of the application. */
    static final String APPLICATION = "ApplicationName";

    private static final String POSTGRES_APPLICATION = "application_name";

    private ClientInfo() {}

    /** Context parameters under their names, as values. */
    static Map<String, Value> values(Map<String, String> context) throws SQLException {
        var values = new HashMap<String, Value>();
        for (Map.Entry<String, String> parameter : context.entrySet()) {
            values.put(parameter.getKey(), Session.contextValue(parameter.getKey(), parameter.getValue()));
        }
        return values;
    }

    static void set(CheckedConnection connection, String key, @Nullable String value) throws SQLClientInfoException {
        checkOpen(connection, key);
        String name = name(key);
        if (name.isEmpty()) {
            throw refused(key, "The key " + key + " names no parameter.");
        }
        if (value == null) {
            connection.session().scope().remove(name);
        } else {
            connection.session().scope().set(name, Value.of(value));
        }
    }

    /** Takes the context out of a complete set of properties, and gives back what is for the real driver. */
    static Properties replace(CheckedConnection connection, Properties properties) throws SQLClientInfoException {
        var others = new Properties();
        var context = new HashMap<String, Value>();
        for (String key : properties.stringPropertyNames()) {
            String value = properties.getProperty(key);
            if (!PrivoxyConfig.isContextKey(key)) {
                others.setProperty(key, value);
            } else if (name(key).isEmpty()) {
                throw refused(key, "The key " + key + " names no parameter.");
            } else {
                context.put(name(key), Value.of(value));
            }
        }
        if (!context.isEmpty()) {
            checkOpen(connection, PrivoxyOptions.CONTEXT_PREFIX);
        }
        // A complete set replaces all, by JDBC: parameters that are not in it are gone.
        connection.session().scope().replace(context);
        return others;
    }

    /** The setting that a driver gives the value of a property, which is none of ours. */
    static String setting(String key, Dialect dialect) {
        return dialect == Dialect.POSTGRESQL && key.equals(APPLICATION) ? POSTGRES_APPLICATION : "client info " + key;
    }

    /** As text, whatever it was given as: client info knows nothing else. */
    static @Nullable String get(CheckedConnection connection, String key) {
        Value value = connection.session().scope().context().get(name(key));
        return value == null ? null : value.raw().toString();
    }

    /**
     * The real driver's properties and the context.
     *
     * <p>The context is shown, as JDBC shows what was set; who can ask has set it.
     */
    static Properties all(CheckedConnection connection, @Nullable Properties others) {
        Map<String, Value> context = connection.session().scope().context();
        var all = new Properties();
        if (others != null) {
            others.stringPropertyNames().forEach(key -> all.setProperty(key, others.getProperty(key)));
        }
        context.forEach((name, value) -> all.setProperty(
                PrivoxyOptions.CONTEXT_PREFIX + name, value.raw().toString()));
        return all;
    }

    private static String name(String key) {
        return key.substring(PrivoxyOptions.CONTEXT_PREFIX.length());
    }

    private static void checkOpen(CheckedConnection connection, String key) throws SQLClientInfoException {
        try {
            if (!connection.isClosed()) {
                return;
            }
        } catch (SQLException unknown) {
            throw new SQLClientInfoException(Map.of(key, ClientInfoStatus.REASON_UNKNOWN), unknown);
        }
        throw new SQLClientInfoException(
                "The connection is closed.", "08003", Map.of(key, ClientInfoStatus.REASON_UNKNOWN));
    }

    private static SQLClientInfoException refused(String key, String detail) {
        PrivoxyErrorCode code = PrivoxyErrorCode.CONTEXT;
        return new SQLClientInfoException(
                code.message(detail),
                code.sqlState(),
                code.number(),
                Map.of(key, ClientInfoStatus.REASON_VALUE_INVALID));
    }
}
