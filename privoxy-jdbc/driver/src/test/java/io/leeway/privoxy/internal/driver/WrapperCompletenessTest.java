package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.PooledConnection;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;

class WrapperCompletenessTest {

    private static final Map<Class<?>, Class<?>> WRAPPERS = Map.of(
            CheckedConnection.class, Connection.class,
            CheckedStatement.class, Statement.class,
            CheckedPreparedStatement.class, PreparedStatement.class,
            CheckedCallableStatement.class, CallableStatement.class,
            CheckedResultSet.class, ResultSet.class,
            CheckedDatabaseMetaData.class, DatabaseMetaData.class,
            CheckedArray.class, Array.class,
            CheckedPooledConnection.class, PooledConnection.class,
            CheckedXAConnection.class, XAConnection.class,
            CheckedXAResource.class, XAResource.class);

    @Test
    void everyMethodOfJdbcIsOverriddenSoThatNoDefaultStandsBeforeTheRealDriver() {
        List<String> missing = WRAPPERS.entrySet().stream()
                .flatMap(entry -> missing(entry.getKey(), entry.getValue()))
                .toList();

        assertThat(missing).isEmpty();
    }

    private static Stream<String> missing(Class<?> wrapper, Class<?> type) {
        return Journal.sorted(type).stream()
                .filter(method -> !isOwn(wrapper, method))
                .map(method -> wrapper.getSimpleName() + " leaves " + method);
    }

    private static boolean isOwn(Class<?> wrapper, Method method) {
        try {
            Class<?> owner = wrapper.getMethod(method.getName(), method.getParameterTypes())
                    .getDeclaringClass();
            return !owner.isInterface() && owner.getPackage() == CheckedConnection.class.getPackage();
        } catch (NoSuchMethodException absent) {
            return false;
        }
    }
}
