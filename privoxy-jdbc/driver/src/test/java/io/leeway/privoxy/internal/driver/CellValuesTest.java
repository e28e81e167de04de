package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.guard.Parameters;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.TimeZone;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CellValuesTest {

    private final TimeZone zone = TimeZone.getDefault();

    @AfterEach
    void putTheZoneBack() {
        TimeZone.setDefault(zone);
    }

    @Test
    void plainValuesAreToldAsTheyAre() throws SQLException {
        UUID id = UUID.randomUUID();
        for (Object value : new Object[] {"x", 5L, BigDecimal.ONE, true, id, Date.valueOf("2020-02-29")}) {
            assertThat(CellValues.recorded(value)).isSameAs(value);
        }
        assertThat(CellValues.recorded(null)).isNull();
    }

    @Test
    void timesOfDayHaveLostTheirFraction() throws SQLException {
        assertThat(CellValues.recorded(Time.valueOf("12:00:00"))).isSameAs(Parameters.UNKNOWN);
    }

    @Test
    void yearsBeforeChristLookLikeYearsAfter() throws SQLException {
        assertThat(CellValues.recorded(new Date(-63_000_000_000_000L))).isSameAs(Parameters.UNKNOWN);
        assertThat(CellValues.recorded(new Timestamp(-63_000_000_000_000L))).isSameAs(Parameters.UNKNOWN);
        assertThat(CellValues.recorded(Date.valueOf("0001-01-02"))).isNotSameAs(Parameters.UNKNOWN);
    }

    @Test
    void theHourAfterAClockChangeMayHaveBeenTheOneThatWasLeftOut() throws SQLException {
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));

        assertThat(Timestamp.valueOf("2021-03-28 02:30:00")).isEqualTo(Timestamp.valueOf("2021-03-28 03:30:00"));
        assertThat(recorded("2021-03-28T03:00:00")).isSameAs(Parameters.UNKNOWN);
        assertThat(recorded("2021-03-28T03:30:00")).isSameAs(Parameters.UNKNOWN);
        assertThat(recorded("2021-03-28T04:00:00")).isNotSameAs(Parameters.UNKNOWN);
        assertThat(recorded("2021-03-28T01:59:59")).isNotSameAs(Parameters.UNKNOWN);
        assertThat(recorded("2021-10-31T02:30:00")).isNotSameAs(Parameters.UNKNOWN);
    }

    @Test
    void withoutClockChangesEveryTimestampIsKnown() throws SQLException {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));

        assertThat(recorded("2021-03-28T02:30:00")).isEqualTo(Timestamp.valueOf("2021-03-28 02:30:00"));
    }

    private static @Nullable Object recorded(String time) throws SQLException {
        return CellValues.recorded(Timestamp.valueOf(LocalDateTime.parse(time)));
    }
}
