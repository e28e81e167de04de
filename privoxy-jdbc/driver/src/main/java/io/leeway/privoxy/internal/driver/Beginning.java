package io.leeway.privoxy.internal.driver;

import java.util.Set;

/**
 * How a session comes to its physical connection, on which others may have left what the server does not tell: a level
 * of isolation that waits for the next transaction, settings of the application's own.
 *
 * @param isolation what was chosen on the physical connection and may wait there
 * @param isNew whether nobody had the physical connection before
 * @param isHandle whether it is a handle of a pooled connection, which may be in the middle of a transaction
 * @param isInBranch whether a branch of a distributed transaction is worked on
 * @param wasOpen whether a handle has a transaction of the handles before, asked before anything else was
 */
record Beginning(ChosenIsolation isolation, boolean isNew, boolean isHandle, boolean isInBranch, boolean wasOpen) {

    /** Sources of the usual drivers that make a physical connection each time; whatever else may be a pool. */
    private static final Set<String> MAKERS = Set.of(
            "org.postgresql.ds.PGSimpleDataSource",
            "org.postgresql.xa.PGXADataSource",
            "org.mariadb.jdbc.MariaDbDataSource",
            "com.mysql.cj.jdbc.MysqlDataSource",
            "com.mysql.cj.jdbc.MysqlXADataSource",
            "org.h2.jdbcx.JdbcDataSource");

    /** A driver has been asked to make it. */
    static Beginning made() {
        return new Beginning(ChosenIsolation.none(), true, false, false, false);
    }

    /** A source has given it out. */
    static Beginning from(Object source) {
        return makes(source) ? made() : new Beginning(ChosenIsolation.unknown(), false, false, false, false);
    }

    /** Whether a source makes physical connections and keeps none. */
    static boolean makes(Object source) {
        return MAKERS.contains(source.getClass().getName());
    }
}
