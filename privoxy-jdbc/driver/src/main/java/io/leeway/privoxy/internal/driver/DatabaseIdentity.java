package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.internal.guard.GuardFactory;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A database as one of its users sees it, as far as the driver knows it without asking.
 *
 * @param url of the real driver, without own options
 * @param user name in the database; empty where it is the URL's matter
 * @param dialect of the database
 */
record DatabaseIdentity(String url, String user, Dialect dialect) {

    private static final String PRIVATE_H2 = "jdbc:h2:mem:";

    /** The database that an open connection leads to. */
    static DatabaseIdentity of(Connection raw) throws SQLException {
        DatabaseMetaData metaData = raw.getMetaData();
        String product = metaData.getDatabaseProductName();
        Database database = Database.ofProduct(product);
        if (database == null) {
            String known = Arrays.toString(Database.values());
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.CONFIGURATION, "The database " + product + " is none of " + known + '.');
        }
        String url = String.valueOf(metaData.getURL());
        return new DatabaseIdentity(url, String.valueOf(metaData.getUserName()), database.dialect());
    }

    /** Whether no other connection can lead there: H2's databases in memory that have no name. */
    boolean isPrivate() {
        return url.equals(PRIVATE_H2) || url.startsWith(PRIVATE_H2 + ';');
    }

    /**
     * What tells this database from all others: what the server says, which a URL, a data source or a proxy may hide. The
     * URL counts where the server says too little.
     *
     * @param told by the server; empty if it was not asked
     */
    String with(String told) {
        // H2 tells a path and no more, so its URL counts as well: two ways to one database then have two guards
        // (known-holes.md).
        boolean isEnough = dialect != Dialect.H2 && !told.isEmpty() && !told.endsWith(SettingsReader.NAMELESS);
        return dialect + "\n" + told + '\n' + (isEnough ? "" : place());
    }

    /**
     * The database by itself, whoever looks at it, by whatever address: the same for all that are not known to lead to another
     * one. Null if no other connection can lead there.
     *
     * @param told by the server; empty if it was not asked
     */
    @Nullable
    String alone(String told) {
        if (isPrivate()) {
            return null;
        }
        String server = told.substring(told.indexOf(GuardFactory.END_OF_PATH) + 1);
        return dialect + "\n" + (dialect == Dialect.H2 ? nameInH2(server) : withoutUser(server));
    }

    /** Of what a server says it is, that which is the same for all of its users, and over all of its addresses. */
    private String withoutUser(String told) {
        String[] parts = told.split(String.valueOf(SettingsReader.SEPARATOR), -1);
        return dialect == Dialect.POSTGRESQL
                ? String.join("\n", List.of(parts).subList(0, Math.min(2, parts.length)))
                : String.join("\n", List.of(parts).subList(Math.min(2, parts.length), parts.length));
    }

    /** A database in memory has no place on its server, and is told from others there by its name. */
    private String nameInH2(String place) {
        String address = url.split(";", 2)[0].toLowerCase(Locale.ROOT);
        return place.isEmpty() || place.equals(SettingsReader.NO_PLACE)
                ? address.substring(Math.max(address.lastIndexOf('/'), address.lastIndexOf(':')) + 1)
                : place;
    }

    /** To H2 what stands behind the name of the database are settings, and names of users have no case. */
    private String place() {
        return dialect == Dialect.H2 ? url.split(";", 2)[0] + '\n' + user.toUpperCase(Locale.ROOT) : url + '\n' + user;
    }
}
