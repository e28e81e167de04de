package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The databases that stand behind the prefix.
 *
 * <p>Everything that differs between drivers before a connection is open stands here.
 */
enum Database {
    POSTGRESQL("postgresql", Dialect.POSTGRESQL, '?', '&', "org.postgresql.xa.PGXADataSource", "org.postgresql.Driver"),
    MARIADB("mariadb", Dialect.MARIADB, '?', '&', "org.mariadb.jdbc.MariaDbDataSource", "org.mariadb.jdbc.Driver"),
    MYSQL(
            "mysql",
            Dialect.MARIADB,
            '?',
            '&',
            "com.mysql.cj.jdbc.MysqlXADataSource",
            "com.mysql.cj.jdbc.Driver",
            "org.mariadb.jdbc.Driver"),
    H2("h2", Dialect.H2, ';', ';', "org.h2.jdbcx.JdbcDataSource", "org.h2.Driver");

    private final String protocol;
    private final Dialect dialect;
    private final char firstSeparator;
    private final char separator;
    private final String xaDataSource;

    @SuppressWarnings("ImmutableEnumChecker") // Made by List.of.
    private final List<String> drivers;

    Database(
            String protocol,
            Dialect dialect,
            char firstSeparator,
            char separator,
            String xaDataSource,
            String... drivers) {
        this.protocol = protocol;
        this.dialect = dialect;
        this.firstSeparator = firstSeparator;
        this.separator = separator;
        this.xaDataSource = xaDataSource;
        this.drivers = List.of(drivers);
    }

    /** The database that a URL behind the prefix names; null if it is none of these. */
    static @Nullable Database ofUrl(String rest) {
        for (Database database : values()) {
            if (rest.startsWith(database.protocol + ':')) {
                return database;
            }
        }
        return null;
    }

    /**
     * The database that calls itself so.
     *
     * <p>For connections that were made elsewhere: the driver's class may be a pool's.
     */
    static @Nullable Database ofProduct(String product) {
        for (Database database : values()) {
            if (product.toLowerCase(Locale.ROOT).startsWith(database.protocol)) {
                return database;
            }
        }
        return null;
    }

    String protocol() {
        return protocol;
    }

    Dialect dialect() {
        return dialect;
    }

    /** What the parameters of its URLs begin with. */
    char firstSeparator() {
        return firstSeparator;
    }

    /** What stands between the parameters. */
    char separator() {
        return separator;
    }

    /** Class of its driver's XADataSource. */
    String xaDataSource() {
        return xaDataSource;
    }

    /**
     * Classes of its drivers, the usual one first.
     *
     * <p>Used only if no registered driver takes the URL ({@link RealDrivers}).
     */
    List<String> drivers() {
        return drivers;
    }
}
