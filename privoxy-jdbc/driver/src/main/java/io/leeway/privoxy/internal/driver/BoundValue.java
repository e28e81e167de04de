package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.Moment;
import io.leeway.privoxy.internal.guard.Parameters;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * A parameter, turned once from what the application gave into what is checked and sent: {@link #shown} is what the
 * guard decides about, {@link #sendTo} gives the driver the very same by the one setter that sends it unchanged. What
 * has no exact counterpart is {@link Unread}: the driver converts it and nothing is believed of it.
 *
 * <p>Not thread-safe; made by {@link ParameterValues} only, so that there is no second way from an object to a
 * parameter.
 */
@SuppressWarnings("JavaUtilDate") // Applications bind them; they are copies that nobody else has.
sealed interface BoundValue {

    /** What the guard may believe, null for SQL's null. */
    @Nullable
    Object shown();

    /** Binds it. */
    void sendTo(PreparedStatement real, int index) throws SQLException;

    /**
     * A whole number in the width that the application asked for, in which it fits.
     *
     * <p>By the setter of that width: setObject lets each driver choose the type by the object's class.
     */
    record Whole(long number, Width width, Object shown) implements BoundValue {
        @Override
        public void sendTo(PreparedStatement real, int index) throws SQLException {
            switch (width) {
                case BYTE -> real.setByte(index, (byte) number);
                case SHORT -> real.setShort(index, (short) number);
                case INT -> real.setInt(index, (int) number);
                case LONG -> real.setLong(index, number);
            }
        }
    }

    /**
     * A decimal; what is believed of fractions is decided by {@link ParameterValues}.
     *
     * <p>By setBigDecimal, which sends all digits; setObject with a scale would round.
     */
    record Decimal(BigDecimal number, Object shown) implements BoundValue {
        @Override
        public void sendTo(PreparedStatement real, int index) throws SQLException {
            real.setBigDecimal(index, number);
        }
    }

    /** A text, compared by all its characters: never sent as CHAR, which databases compare without trailing blanks. */
    record Text(String shown) implements BoundValue {
        @Override
        public void sendTo(PreparedStatement real, int index) throws SQLException {
            real.setString(index, shown);
        }
    }

    /**
     * An object of one of the platform's own immutable classes, or a copy that nobody else has.
     *
     * <p>Without a type: the driver's own choice for these classes is the type that the guard reads them as
     * ({@code ValueReader}).
     */
    record Plain(@Nullable Object shown) implements BoundValue {
        @Override
        public void sendTo(PreparedStatement real, int index) throws SQLException {
            real.setObject(index, shown);
        }
    }

    /** An object that the driver is told the type of, which is the object's own. */
    record Typed(Object shown, int type) implements BoundValue {
        @Override
        public void sendTo(PreparedStatement real, int index) throws SQLException {
            real.setObject(index, shown, type);
        }
    }

    /** A date or time with a calendar of ours. */
    record Zoned(java.util.Date time, TimeZone zone, boolean isInstantSent) implements BoundValue {
        @Override
        public Object shown() {
            LocalDateTime local = LocalDateTime.ofInstant(
                    java.time.Instant.ofEpochMilli(time.getTime())
                            .with(java.time.temporal.ChronoField.NANO_OF_SECOND, nanos()),
                    zone.toZoneId());
            if (time instanceof java.sql.Date) {
                return local.toLocalDate();
            }
            // A column with a zone compares the instant, one without the clock's face; which it is, the column
            // says.
            return time instanceof Timestamp sql
                    ? new Moment(local, isInstantSent ? sql.toInstant() : null)
                    : Parameters.UNKNOWN;
        }

        @Override
        public void sendTo(PreparedStatement real, int index) throws SQLException {
            // A new one for each call, as calendars keep fields and drivers change them.
            Calendar own = new GregorianCalendar(zone);
            if (time instanceof java.sql.Date date) {
                real.setDate(index, date, own);
            } else if (time instanceof java.sql.Time clock) {
                real.setTime(index, clock, own);
            } else {
                real.setTimestamp(index, (Timestamp) time, own);
            }
        }

        private int nanos() {
            return time instanceof Timestamp sql
                    ? sql.getNanos()
                    : (int) Math.floorMod(time.getTime(), 1000L) * 1_000_000;
        }
    }

    /**
     * An array and its elements, as they were when it was given.
     *
     * <p>The elements are read when it is bound, not when it is checked: an array of a driver may be another one later.
     */
    record Elements(Object driver, Object shown) implements BoundValue {
        @Override
        public void sendTo(PreparedStatement real, int index) throws SQLException {
            if (driver instanceof java.sql.Array array) {
                real.setArray(index, array);
            } else {
                real.setObject(index, driver);
            }
        }
    }

    /** SQL's null, told to the driver as the application told it. */
    record Null(BoundValue told) implements BoundValue {
        @Override
        public @Nullable Object shown() {
            return null;
        }

        @Override
        public void sendTo(PreparedStatement real, int index) throws SQLException {
            told.sendTo(real, index);
        }
    }

    /**
     * What the driver converts as it likes; nothing is believed of it.
     *
     * <p>It may be NULL, too, so a statement that depends on it is decided on for both ({@code UnreadParametersIT}).
     */
    record Unread(Binding binding) implements BoundValue {
        @Override
        public Object shown() {
            return Parameters.UNKNOWN;
        }

        @Override
        public void sendTo(PreparedStatement real, int index) throws SQLException {
            binding.bind(real, index);
        }
    }

    /** Widths of whole numbers that JDBC has setters for. */
    enum Width {
        BYTE(Byte.MIN_VALUE, Byte.MAX_VALUE),
        SHORT(Short.MIN_VALUE, Short.MAX_VALUE),
        INT(Integer.MIN_VALUE, Integer.MAX_VALUE),
        LONG(Long.MIN_VALUE, Long.MAX_VALUE);

        private final long min;
        private final long max;

        Width(long min, long max) {
            this.min = min;
            this.max = max;
        }

        boolean takes(long number) {
            return number >= min && number <= max;
        }
    }

    /** A call of one of the driver's setters. */
    @FunctionalInterface
    interface Binding {
        void bind(PreparedStatement real, int index) throws SQLException;
    }
}
