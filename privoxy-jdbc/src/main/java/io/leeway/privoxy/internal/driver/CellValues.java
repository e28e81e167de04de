package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.guard.Parameters;
import java.io.InputStream;
import java.io.Reader;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Struct;
import org.jspecify.annotations.Nullable;

/** Objects that a driver gives for cells. */
final class CellValues {

    private CellValues() {}

    /** The value, such that it leads back to the checked connection only. */
    static @Nullable Object leadingBack(CheckedConnection connection, @Nullable Object value) throws SQLException {
        if (value instanceof Array array) {
            return CheckedArray.of(connection, array);
        }
        if (value instanceof ResultSet cursor) {
            cursor.close();
            throw UnsupportedQueryException.call(
                    "a cursor as a value", "Query the tables instead of calling a function that opens a cursor.");
        }
        return value;
    }

    /** The value if a guard can take it in; locators and the like are unknown. */
    static @Nullable Object recorded(@Nullable Object value) throws SQLException {
        if (value instanceof ResultSet cursor) {
            cursor.close();
            return Parameters.UNKNOWN;
        }
        boolean isHandle = value instanceof Blob
                || value instanceof Clob
                || value instanceof Array
                || value instanceof Struct
                || value instanceof Ref
                || value instanceof SQLXML
                || value instanceof InputStream
                || value instanceof Reader;
        return isHandle ? Parameters.UNKNOWN : value;
    }
}
