package io.leeway.privoxy.internal.driver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A real connection whose calls that reach the database, and whose reading of cells, are written down. */
final class Spy {

    private static final Set<String> SENDING = Set.of(
            "prepareStatement",
            "prepareCall",
            "nativeSQL",
            "execute",
            "executeQuery",
            "executeUpdate",
            "executeLargeUpdate",
            "executeBatch",
            "executeLargeBatch",
            "addBatch");

    private static final Set<String> READING =
            Set.of("getObject", "getString", "getLong", "getInt", "getTimestamp", "getDouble");

    final List<String> sent = new CopyOnWriteArrayList<>();
    /** Getters of results, with their first argument. */
    final List<String> read = new CopyOnWriteArrayList<>();

    Connection over(Connection real) {
        return over(Connection.class, real);
    }

    private <T> T over(Class<T> type, T real) {
        Object proxy = Proxy.newProxyInstance(
                Spy.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call(real, method, arguments));
        return type.cast(proxy);
    }

    private @Nullable Object call(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        if (SENDING.contains(method.getName())) {
            sent.add(method.getName() + (arguments == null ? "" : " " + arguments[0]));
        }
        if (real instanceof ResultSet && READING.contains(method.getName()) && arguments != null) {
            read.add(method.getName() + " " + arguments[0]);
        }
        Object result;
        try {
            result = method.invoke(real, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() == null ? failed : failed.getCause();
        }
        if (method.getName().equals("getConnection")) {
            return result;
        }
        if (result instanceof CallableStatement statement) {
            return over(CallableStatement.class, statement);
        }
        if (result instanceof PreparedStatement statement) {
            return over(PreparedStatement.class, statement);
        }
        if (result instanceof ResultSet rows) {
            return over(ResultSet.class, rows);
        }
        return result instanceof Statement statement ? over(Statement.class, statement) : result;
    }
}
