package io.leeway.privoxy.internal.sql;

/** The databases whose SQL is read. */
public enum Dialect {
    /** PostgreSQL 14 and later. */
    POSTGRESQL,
    /** MariaDB 10.6 and later, MySQL 8. */
    MARIADB,
    /** H2 2.x in its regular mode. */
    H2
}
