package io.leeway.privoxy.internal.fuzz.oracle;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value of a parameter.
 *
 * @param type of {@link Types}, or null for none
 * @param scale with a type, or less than 0 for none
 */
record Bound(Object value, @Nullable Integer type, int scale) {

    private static final List<Integer> TYPES = List.of(
            Types.CHAR,
            Types.VARCHAR,
            Types.NCHAR,
            Types.NVARCHAR,
            Types.LONGVARCHAR,
            Types.CLOB,
            Types.INTEGER,
            Types.BIGINT,
            Types.SMALLINT,
            Types.TINYINT,
            Types.NUMERIC,
            Types.DECIMAL,
            Types.DOUBLE,
            Types.REAL,
            Types.FLOAT,
            Types.BOOLEAN,
            Types.BIT,
            Types.DATE,
            Types.TIME,
            Types.TIMESTAMP,
            Types.TIMESTAMP_WITH_TIMEZONE,
            Types.OTHER,
            Types.BINARY,
            Types.VARBINARY,
            Types.JAVA_OBJECT);
    /** What a text may be read as. */
    private static final List<Function<String, Object>> READINGS = List.of(
            BigDecimal::new,
            Double::valueOf,
            Float::valueOf,
            Long::valueOf,
            Integer::valueOf,
            Short::valueOf,
            Date::valueOf,
            LocalDate::parse,
            Timestamp::valueOf,
            text -> LocalDateTime.parse(text.replace(' ', 'T')),
            Time::valueOf,
            LocalTime::parse,
            UUID::fromString);

    /** What a literal says, as an object of some class, bound in some way. */
    static Bound of(String literal, Choices choices) {
        String text = literal.replaceAll("^(N|DATE |TIMESTAMP |TIME )?'(.*)'$", "$2");
        var all = new ArrayList<Object>(List.of(text));
        for (Function<String, Object> reading : READINGS) {
            try {
                all.add(reading.apply(text));
            } catch (RuntimeException notSo) {
                // Not of this kind.
            }
        }
        if (text.equals("TRUE") || text.equals("FALSE")) {
            all.add(Boolean.valueOf(text));
        }
        if (text.length() == 1) {
            all.add(text.charAt(0));
        }
        Object value = choices.pick(all);
        if (!choices.onceIn(3)) {
            return new Bound(value, null, -1);
        }
        return new Bound(value, choices.pick(TYPES), choices.pick(-1, -1, 0, 1, 2));
    }

    void bind(PreparedStatement statement, int position) throws SQLException {
        if (type == null) {
            statement.setObject(position, value);
        } else if (scale < 0) {
            statement.setObject(position, value, type);
        } else {
            statement.setObject(position, value, type, scale);
        }
    }

    @Override
    public String toString() {
        return value.getClass().getSimpleName() + " " + value
                + (type == null ? "" : " as " + JDBCType.valueOf(type) + (scale < 0 ? "" : "/" + scale));
    }
}
