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
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * Objects that a driver gives for cells.
 *
 * <p>Two questions are asked of a cell: where it leads (no way around the check by an array or a cursor), and whether
 * it is what is in the database (a fact).
 */
@SuppressWarnings("JavaUtilDate") // Drivers give them; what they hide is the point.
final class CellValues {

    /** The first instant of the year 1. */
    private static final long BEFORE_CHRIST = -62_135_769_600_000L;

    private static final Duration A_DAY = Duration.ofDays(1);

    private CellValues() {}

    /** The value, such that it leads back to the checked connection only. */
    static @Nullable Object leadingBack(CheckedConnection connection, @Nullable Object value) throws SQLException {
        if (value instanceof Array array) {
            return CheckedArray.of(connection, array);
        }
        // The cursor's query was never read by the guard.
        if (value instanceof ResultSet cursor) {
            cursor.close();
            throw UnsupportedQueryException.call(
                    "a cursor as a value", "Query the tables instead of calling a function that opens a cursor.");
        }
        return value;
    }

    /**
     * The value if a guard can take it in; locators and the like are unknown, and what drivers show as another value.
     */
    static @Nullable Object recorded(@Nullable Object value) throws SQLException {
        if (value == null || value instanceof String || value instanceof Number) {
            return value;
        }
        if (value instanceof ResultSet cursor) {
            cursor.close();
            return Parameters.UNKNOWN;
        }
        if (value instanceof java.util.Date date) {
            return isAsInTheDatabase(date) ? value : Parameters.UNKNOWN;
        }
        return isHandle(value) ? Parameters.UNKNOWN : value;
    }

    /**
     * The same for MariaDB's driver, which shows the date 0000-00-00 as null and 2020-00-00 as one of the year before.
     *
     * <p>Null would say that the column is NULL, by which {@code IS NULL} rows are told from others.
     *
     * @param text the cell as text
     */
    static @Nullable Object recordedByMariaDb(@Nullable Object value, @Nullable String text) throws SQLException {
        boolean isNoDate = text != null
                && (value == null
                        || (value instanceof java.util.Date
                                && (text.startsWith("-00", 4) || text.startsWith("-00", 7))));
        return isNoDate ? Parameters.UNKNOWN : recorded(value);
    }

    /**
     * Whether a date or time has lost nothing on its way: {@link Time} has no fractions, no class of this family tells
     * the years before Christ from those after, and an hour that a clock change leaves out becomes the next one.
     */
    private static boolean isAsInTheDatabase(java.util.Date date) {
        if (date instanceof Time || date.getTime() < BEFORE_CHRIST) {
            return false;
        }
        ZoneRules rules = ZoneId.systemDefault().getRules();
        if (rules.isFixedOffset()) {
            return true;
        }
        Instant instant = Instant.ofEpochMilli(date.getTime());
        // From the transition itself on, too: the next millisecond's previous transition may be at this one.
        ZoneOffsetTransition last = rules.previousTransition(instant.plusMillis(1));
        return last == null
                || !last.isGap()
                // Of a date only a day that was left out matters, as when a country went over the date line.
                || (!(date instanceof Timestamp) && last.getDuration().compareTo(A_DAY) < 0)
                || !instant.isBefore(last.getInstant().plus(last.getDuration()));
    }

    /** Locators lead to the driver, or to the database, and are valid for a transaction only. */
    private static boolean isHandle(Object value) {
        return value instanceof Blob
                || value instanceof Clob
                || value instanceof Array
                || value instanceof Struct
                || value instanceof Ref
                || value instanceof SQLXML
                || value instanceof InputStream
                || value instanceof Reader;
    }
}
