package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Options of a driver with which it does something else than what it was given says. */
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
        return Boolean.TRUE.equals(option(raw, "preserveInstants"));
    }

    /**
     * Whether the driver may keep statements that it has prepared beyond their life, to be found again by their text: also
     * one that is not known.
     */
    static boolean cachesStatements(Connection raw) throws SQLException {
        return !Boolean.FALSE.equals(option(raw, "useServerPrepStmts"))
                && !Boolean.FALSE.equals(option(raw, "cachePrepStmts"));
    }

    /** The value of an option of MariaDB's driver, or null if this is another one. */
    private static @Nullable Object option(Connection raw, String name) throws SQLException {
        try {
            Class<?> type =
                    Class.forName(MARIADB, false, raw.getMetaData().getClass().getClassLoader());
            if (!raw.isWrapperFor(type)) {
                return null;
            }
            Object context = type.getMethod("getContext").invoke(raw.unwrap(type));
            Object options = Class.forName("org.mariadb.jdbc.client.Context", false, type.getClassLoader())
                    .getMethod("getConf")
                    .invoke(context);
            return options.getClass().getMethod(name).invoke(options);
        } catch (ReflectiveOperationException | LinkageError otherDriver) {
            return null;
        }
    }
}
