package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * A database as one of its users sees it.
 *
 * @param url of the real driver, without own options
 * @param user name in the database; empty where it is the URL's matter
 * @param dialect of the database
 */
record DatabaseIdentity(String url, String user, Dialect dialect) {

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
}
