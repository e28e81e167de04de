package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.SQLException;

/**
 * PostgreSQL's driver takes any number in a result for the name of a large object and reads that object, which no
 * policy knows of. So locators are refused there unless their interface is on the unwrap list; bytea and text columns
 * are read with getBytes, getBinaryStream or getString.
 *
 * <p>{@code SELECT 12345} with getBlob would read the large object 12345, whoever has stored it.
 */
final class LargeObjects {

    private LargeObjects() {}

    static void checkType(Target target, Class<?> type) throws SQLException {
        boolean isLocator = Blob.class.isAssignableFrom(type) || Clob.class.isAssignableFrom(type);
        if (isLocator && target.dialect() == Dialect.POSTGRESQL && !Unwrapping.isAllowed(target, type)) {
            throw UnsupportedQueryException.call(
                    "reading a PostgreSQL large object by its number",
                    "Read bytea or text columns with getBytes or getString, or name " + type.getName()
                            + " in privoxyUnwrap.");
        }
    }
}
