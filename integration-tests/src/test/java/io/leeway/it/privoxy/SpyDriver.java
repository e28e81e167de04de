package io.leeway.it.privoxy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The real driver, with every execution that reaches it written down by database. It is named in
 * {@code privoxyDelegateDriver}, so it stands where the real driver does.
 */
public final class SpyDriver implements Driver {

    private static final Map<String, List<String>> SENT = new ConcurrentHashMap<>();

    /** What was executed in the database of a URL, a text for each execution; a live list. */
    static List<String> sentTo(String url) {
        return SENT.computeIfAbsent(database(url), any -> new CopyOnWriteArrayList<>());
    }

    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        Connection real = DriverManager.getDriver(url).connect(url, info);
        return real == null ? null : over(Connection.class, real, "", sentTo(url));
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith("jdbc:postgresql:") || url.startsWith("jdbc:mariadb:");
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return true;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("spy");
    }

    private static String database(String url) {
        int parameters = url.indexOf('?');
        return url.substring(url.lastIndexOf('/') + 1, parameters < 0 ? url.length() : parameters);
    }

    private static <T> T over(Class<T> type, T real, String prepared, List<String> sent) {
        Object proxy = Proxy.newProxyInstance(
                SpyDriver.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call(real, method, arguments, prepared, sent));
        return type.cast(proxy);
    }

    private static @Nullable Object call(
            Object real, Method method, Object @Nullable [] arguments, String prepared, List<String> sent)
            throws Throwable {
        String text = arguments != null && arguments.length > 0 && arguments[0] instanceof String sql ? sql : prepared;
        if (method.getName().startsWith("execute")) {
            sent.add(text);
        }
        Object result;
        try {
            result = method.invoke(real, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() == null ? failed : failed.getCause();
        }
        if (result instanceof CallableStatement statement) {
            return over(CallableStatement.class, statement, text, sent);
        }
        if (result instanceof PreparedStatement statement) {
            return over(PreparedStatement.class, statement, text, sent);
        }
        return result instanceof Statement statement ? over(Statement.class, statement, text, sent) : result;
    }
}
