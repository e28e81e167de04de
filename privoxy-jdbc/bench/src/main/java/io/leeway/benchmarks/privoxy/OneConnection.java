package io.leeway.benchmarks.privoxy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * A data source that gives one connection again and again. Plain and checked statements then run on the same server
 * process: with one each, where the two happen to be scheduled makes more difference than checking does.
 */
final class OneConnection {

    private OneConnection() {}

    static DataSource of(Connection connection) {
        return (DataSource) Proxy.newProxyInstance(
                OneConnection.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getConnection" -> connection;
                    case "isWrapperFor" -> false;
                    case "getLoginTimeout" -> 0;
                    case "toString" -> "one connection";
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
