package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.guard.Parameters;
import java.io.StringReader;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.util.Calendar;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CheckedParametersTest {

    private CheckedH2 database;
    private Connection connection;
    private PreparedStatement statement;

    @BeforeEach
    void prepare() throws SQLException {
        database = new CheckedH2();
        connection = database.connect();
        statement = connection.prepareStatement("SELECT ?, ?, ?");
        for (int i = 1; i <= 3; i++) {
            statement.setString(i, "");
        }
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void theGuardSeesWhatWasBound() throws SQLException {
        statement.setLong(1, 5);
        statement.setString(2, "x");
        statement.setNull(3, Types.INTEGER);
        statement.execute();

        assertThat(database.guard.parameters.subList(0, 4)).containsExactly(5L, "x", null, Parameters.UNKNOWN);
    }

    @Test
    void eachKindOfNumberStaysWhatItIs() throws SQLException {
        statement.setByte(1, (byte) 1);
        statement.setShort(2, (short) 2);
        statement.setInt(3, 3);
        statement.execute();
        assertThat(database.guard.parameters.subList(0, 3)).containsExactly((byte) 1, (short) 2, 3);

        statement.setBoolean(1, true);
        statement.setDouble(2, 0.5);
        statement.setBigDecimal(3, BigDecimal.TEN);
        statement.execute();
        assertThat(database.guard.parameters.subList(0, 3)).containsExactly(true, 0.5, BigDecimal.TEN);
    }

    @Test
    void clearedParametersAreUnknown() throws SQLException {
        statement.clearParameters();
        assertThatThrownBy(statement::executeQuery).isInstanceOf(SQLException.class);
        assertThat(database.guard.parameters.get(0)).isSameAs(Parameters.UNKNOWN);
    }

    @Test
    void streamsAreUnknown() throws SQLException {
        statement.setCharacterStream(1, new StringReader("secret"));
        statement.execute();

        assertThat(database.guard.parameters.get(0)).isSameAs(Parameters.UNKNOWN);
    }

    @Test
    void aValueThatTheDriverRefusedIsNotBound() throws SQLException {
        assertThatThrownBy(() -> statement.setLong(9, 1)).isInstanceOf(SQLException.class);
        statement.execute();

        assertThat(database.guard.parameters.get(8)).isSameAs(Parameters.UNKNOWN);
    }

    @Test
    void whatIsChangedAfterItWasBoundIsNeitherCheckedNorSent() throws SQLException {
        byte[] bytes = {1, 2};
        Date date = Date.valueOf("2020-01-01");
        statement.setBytes(1, bytes);
        statement.setDate(2, date);
        statement.setObject(3, bytes);

        bytes[0] = 9;
        date.setTime(0);

        try (var rows = statement.executeQuery()) {
            rows.next();
            assertThat(rows.getBytes(1)).containsExactly(1, 2);
            assertThat(rows.getString(2)).isEqualTo("2020-01-01");
            assertThat(rows.getBytes(3)).containsExactly(1, 2);
        }
        assertThat((byte[]) database.guard.parameters.get(0)).containsExactly(1, 2);
        assertThat(database.guard.parameters.get(1)).hasToString("2020-01-01");
        assertThat((byte[]) database.guard.parameters.get(2)).containsExactly(1, 2);
    }

    @Test
    void typedObjectsAreShownOnlyIfTheDatabaseGetsJustThat() throws SQLException {
        UUID id = UUID.randomUUID();
        assertThat(ParameterValues.shown("7", Types.BIGINT)).isEqualTo(7L);
        assertThat(ParameterValues.shown("7.5", Types.BIGINT)).isSameAs(Parameters.UNKNOWN);
        assertThat(ParameterValues.shown(7.5, Types.INTEGER)).isSameAs(Parameters.UNKNOWN);
        assertThat(ParameterValues.shown(new BigDecimal("7.00"), Types.NUMERIC)).isEqualTo(new BigDecimal("7.00"));
        assertThat(ParameterValues.shown(new BigDecimal("7.25"), Types.NUMERIC)).isSameAs(Parameters.UNKNOWN);
        assertThat(ParameterValues.shown(7, Types.VARCHAR)).isEqualTo("7");
        assertThat(ParameterValues.shown(7.5, Types.VARCHAR)).isSameAs(Parameters.UNKNOWN);
        assertThat(ParameterValues.shown(true, Types.BIT)).isEqualTo(true);
        assertThat(ParameterValues.shown(1, Types.BOOLEAN)).isSameAs(Parameters.UNKNOWN);
        assertThat(ParameterValues.shown(id, Types.OTHER)).isEqualTo(id);
        assertThat(ParameterValues.shown(LocalDate.EPOCH, Types.DATE)).isEqualTo(LocalDate.EPOCH);
        assertThat(ParameterValues.shown(Timestamp.valueOf("2020-01-01 00:00:00"), Types.DATE))
                .isSameAs(Parameters.UNKNOWN);
        assertThat(ParameterValues.shown(null, Types.DATE)).isNull();
        assertThat(ParameterValues.shown("x", (Integer) null)).isSameAs(Parameters.UNKNOWN);
        assertThat(ParameterValues.number(JDBCType.BIGINT)).isEqualTo(Types.BIGINT);
        assertThat(ParameterValues.shown(new Object())).isSameAs(Parameters.UNKNOWN);
    }

    @Test
    void aDateShiftedByACalendarIsUnknown() {
        Date date = Date.valueOf("2020-01-01");
        TimeZone elsewhere = TimeZone.getTimeZone("Pacific/Kiritimati");

        assertThat(ParameterValues.shown(date, Calendar.getInstance())).isEqualTo(date);
        assertThat(ParameterValues.shown(date, Calendar.getInstance(elsewhere))).isSameAs(Parameters.UNKNOWN);
    }

    @Test
    void arraysAreShownAsTheirElements() throws SQLException {
        statement.setArray(1, connection.createArrayOf("BIGINT", new Object[] {1L, null, 3L}));
        statement.setObject(2, new Object[] {4L});
        statement.setObject(3, connection.createArrayOf("BIGINT", new Object[] {5L}));
        statement.execute();

        assertThat((Object[]) database.guard.parameters.get(0)).containsExactly(1L, null, 3L);
        assertThat((Object[]) database.guard.parameters.get(1)).containsExactly(4L);
        assertThat((Object[]) database.guard.parameters.get(2)).containsExactly(5L);
        assertThat((Object[]) ParameterValues.shown(new int[] {6, 7})).containsExactly(6, 7);
    }

    @Test
    void aParameterGivenByNameMakesAllUnknown() {
        var named = new BoundParameters();
        named.set(1, 5);
        named.setNamed();
        assertThat(named.get(1)).isSameAs(Parameters.UNKNOWN);
        assertThat(named.copy().get(1)).isSameAs(Parameters.UNKNOWN);
        named.clear();
        named.set(1, 6);
        assertThat(named.get(1)).isEqualTo(6);
    }

    @Test
    void parametersInAnyOrderLeaveGapsUnknown() {
        var parameters = new BoundParameters();
        parameters.set(12, "last");
        parameters.set(3, null);

        assertThat(parameters.get(12)).isEqualTo("last");
        assertThat(parameters.get(3)).isNull();
        assertThat(parameters.get(4)).isSameAs(Parameters.UNKNOWN);
        assertThat(parameters.get(0)).isSameAs(Parameters.UNKNOWN);
        assertThat(parameters.get(13)).isSameAs(Parameters.UNKNOWN);
    }
}
