package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;

/** Options of a driver with which it makes another value of the one that it was given. */
final class DriverOptions {

    private static final String MARIADB = "org.mariadb.jdbc.Connection";

    private DriverOptions() {}

    /**
     * Refuses a connection whose driver moves points in time to another zone before it sends them, and back when it reads
     * them: MariaDB's {@code preserveInstants}. Another driver than the usual one is not asked.
     */
    static void check(Connection raw, Target target) throws SQLException {
        if (target.dialect() == Dialect.MARIADB
                && target.config().mode() == PrivoxyMode.ENFORCE
                && preservesInstants(raw)) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.SESSION,
                    "The driver has preserveInstants = true, with which it sends other times than it was given; use false.");
        }
    }

    private static boolean preservesInstants(Connection raw) throws SQLException {
        try {
            Class<?> type =
                    Class.forName(MARIADB, false, raw.getMetaData().getClass().getClassLoader());
            if (!raw.isWrapperFor(type)) {
                return false;
            }
            Object context = type.getMethod("getContext").invoke(raw.unwrap(type));
            Object options = Class.forName("org.mariadb.jdbc.client.Context", false, type.getClassLoader())
                    .getMethod("getConf")
                    .invoke(context);
            return Boolean.TRUE.equals(
                    options.getClass().getMethod("preserveInstants").invoke(options));
        } catch (ReflectiveOperationException | LinkageError otherDriver) {
            return false;
        }
    }
}
