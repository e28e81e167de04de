package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Options of a driver with which it does something else than what it was given says.
 *
 * <p>Options are the URL's, so this is looked at once for each connection.
 */
final class DriverOptions {

    private static final String MARIADB = "org.mariadb.jdbc.Connection";
    private static final String POSTGRESQL = "org.postgresql.core.BaseConnection";

    private DriverOptions() {}

    /**
     * Refuses connections of MariaDB whose driver moves points in time to another zone before it sends them, and back
     * when it reads them ({@code preserveInstants}), or has the server count only rows that an UPDATE gives other
     * values, which tells whether a guess is right ({@code useAffectedRows}); and those of PostgreSQL whose driver
     * makes SQL of the names of generated keys as they are ({@code quoteReturningIdentifiers}). Another driver than the
     * usual one is not asked.
     */
    static void check(Connection raw, Target target) throws SQLException {
        // Other modes let pass what would be refused.
        if (target.config().mode() != PrivoxyMode.ENFORCE) {
            return;
        }
        if (target.dialect() == Dialect.POSTGRESQL && Boolean.FALSE.equals(quotesKeys(raw))) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.SESSION,
                    "The driver has quoteReturningIdentifiers = false, with which the names of generated keys are SQL"
                            + " that nobody checks; use true.");
        }
        if (target.dialect() == Dialect.MARIADB) {
            refuse(raw, "preserveInstants", "with which it sends other times than it was given");
            refuse(raw, "useAffectedRows", "with which the count of an UPDATE tells what values the rows had");
        }
    }

    /**
     * Only where the driver says so: one that is not asked may have the option under another name, which is a limit.
     */
    private static void refuse(Connection raw, String option, String why) throws SQLException {
        if (Boolean.TRUE.equals(option(raw, option))) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.SESSION, "The driver has " + option + " = true, " + why + "; use false.");
        }
    }

    /**
     * Whether the driver may keep statements that it has prepared beyond their life, to be found again by their text:
     * also one that is not known.
     */
    static boolean cachesStatements(Connection raw) throws SQLException {
        // What is not known to be off may be on.
        return !Boolean.FALSE.equals(option(raw, "useServerPrepStmts"))
                && !Boolean.FALSE.equals(option(raw, "cachePrepStmts"));
    }

    /** Whether MariaDB's driver gives out physical connections that it keeps ({@code pool}). */
    static boolean pools(Connection raw) throws SQLException {
        return Boolean.TRUE.equals(option(raw, "pool"));
    }

    /** Whether PostgreSQL's driver quotes the names of generated keys, or null if this is another one. */
    private static @Nullable Object quotesKeys(Connection raw) throws SQLException {
        try {
            ClassLoader loader = raw.getMetaData().getClass().getClassLoader();
            Class<?> type = Class.forName(POSTGRESQL, false, loader);
            if (!raw.isWrapperFor(type)) {
                return null;
            }
            Object executor = type.getMethod("getQueryExecutor").invoke(raw.unwrap(type));
            return Class.forName("org.postgresql.core.QueryExecutor", false, loader)
                    .getMethod("getQuoteReturningIdentifiers")
                    .invoke(executor);
        } catch (ReflectiveOperationException | LinkageError otherDriver) {
            return null;
        }
    }

    /**
     * The value of an option of MariaDB's driver, or null if this is another one.
     *
     * <p>By reflection, as for what the server says ({@link ServerSession}).
     */
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
