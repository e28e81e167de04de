package io.leeway.privoxy.internal.schema;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

/** A connection on which something happens between the statements of a reader. */
final class InterruptedReads {

    private InterruptedReads() {}

    /** Does {@code meanwhile} after each statement that is prepared. */
    static Connection of(Connection connection, Action meanwhile) {
        return (Connection) Proxy.newProxyInstance(
                InterruptedReads.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                    try {
                        Object result = method.invoke(connection, arguments);
                        if (method.getName().equals("prepareStatement")) {
                            meanwhile.run();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @FunctionalInterface
    interface Action {
        void run() throws SQLException;
    }
}
