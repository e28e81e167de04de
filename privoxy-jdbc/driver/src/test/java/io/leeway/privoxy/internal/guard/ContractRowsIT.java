package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.UnsupportedQueryException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases of the contract in the very words in which they were met; their neighbours are in the classes of each clause. */
class ContractRowsIT extends Cases {

    private static final String EVENT = "SELECT title FROM events WHERE id = ";

    // --- one state ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void anotherRequestOfTheSamePersonThatChangesItsRowOpensNoOthers(On where) throws SQLException {
        on(where);
        Connection first = connect();
        Connection second = connect();
        try (PrivoxyRequest reading = Privoxy.open(Map.of("MyUId", 1L));
                PrivoxyRequest changing = Privoxy.open(Map.of("MyUId", 1L))) {
            within(
                    reading,
                    () -> assertThat(rows(first, "SELECT * FROM users WHERE id = 1"))
                            .containsExactly("1,Ada,ada@x,100"));
            within(changing, () -> run(second, "UPDATE users SET email = 'other@x' WHERE id = 1"));
            within(reading, () -> {
                assertThat(rows(first, "SELECT * FROM users WHERE id = 1")).containsExactly("1,Ada,other@x,100");
                assertRefused(first, "SELECT email, salary FROM users");
                assertRefused(first, "SELECT email FROM users WHERE id = 2");
                assertRefused(first, "SELECT * FROM posts");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aViewThatNoRowCanFulfilOpensNothing(On where) throws SQLException {
        on(where, POLICY + """
                CREATE VIEW without_address AS SELECT * FROM users WHERE email IS NULL;
                CREATE VIEW public_and_not AS SELECT * FROM posts WHERE public = TRUE AND public = FALSE;
                """);
        Connection connection = connect();
        request(1);
        for (int i = 0; i < 2; i++) {
            assertRefused(connection, "SELECT email FROM users WHERE id = 2");
            assertRefused(connection, "SELECT * FROM posts");
            assertRefused(connection, "SELECT title FROM posts WHERE id = 2");
            rows(connection, "SELECT * FROM users WHERE email IS NULL");
            rows(connection, "SELECT * FROM posts WHERE public = TRUE AND public = FALSE");
        }
        assertThat(rows(connection, "SELECT name FROM users WHERE id = 2")).containsExactly("Bob");
    }

    // --- one session -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK"})
    void aLocalSearchPathEndsThoughASavepointIsStillThere(String end) throws SQLException {
        on(On.POSTGRESQL, "CREATE CONTEXT MyUId BIGINT; CREATE VIEW shown AS SELECT * FROM demo.secrets;");
        elsewhere(
                "CREATE SCHEMA demo",
                "CREATE TABLE demo.secrets (id BIGINT PRIMARY KEY, text TEXT)",
                "CREATE TABLE public.secrets (id BIGINT PRIMARY KEY, text TEXT)",
                "INSERT INTO demo.secrets VALUES (1, 'shown')",
                "INSERT INTO public.secrets VALUES (1, 'SECRET')");
        Connection connection = connect();
        request(1);
        connection.setAutoCommit(false);
        run(connection, "SET LOCAL search_path = demo", "SAVEPOINT a");
        assertThat(rows(connection, "SELECT text FROM secrets")).containsExactly("shown");
        run(connection, end);

        assertRefused(connection, "SELECT text FROM secrets");
    }

    @Test
    void whatAViewOfTheDatabaseShowedUnderASettingIsNoFactUnderAnother() throws SQLException {
        on(On.POSTGRESQL, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW mine AS SELECT * FROM tenants_members WHERE user_id = ?MyUId;
                CREATE VIEW my_events AS
                  SELECT e.* FROM events e JOIN tenants_members m ON m.event_id = e.id WHERE m.user_id = ?MyUId;
                """);
        elsewhere("CREATE VIEW tenants_members AS SELECT user_id, event_id FROM members"
                + " WHERE event_id = current_setting('app.tenant', TRUE)::bigint");
        Connection first = connect();
        Connection second = connect();
        run(first, "SET app.tenant = '7'");
        run(second, "SET app.tenant = '8'");
        request(1);
        String mine = "SELECT user_id, event_id FROM tenants_members WHERE user_id = 1 AND event_id = 7";
        assertThat(rows(first, mine)).containsExactly("1,7");
        assertThat(rows(first, EVENT + 7)).containsExactly("seven");

        assertRefused(second, EVENT + 7);
        run(first, "SET app.tenant = '8'");
        assertRefused(first, "SELECT id, title FROM events WHERE id = 7");
    }

    // --- one value ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aTimeWithoutAZoneIsNoMomentNorAMomentATime(On where) throws SQLException {
        for (String type : List.of("TIMESTAMP", where == On.POSTGRESQL ? "TIMESTAMPTZ" : "DATETIME")) {
            on(
                    where,
                    "CREATE VIEW v AS SELECT * FROM t WHERE k = '2020-01-01 09:00:00'; CREATE VIEW w AS SELECT id"
                            + " FROM t;");
            elsewhere(
                    "CREATE TABLE t (id INT PRIMARY KEY, k " + type + " NOT NULL, secret VARCHAR(20))",
                    "INSERT INTO t VALUES (1, '2020-01-01 00:00:00', 'a'), (2, '2020-01-01 09:00:00', 'b'),"
                            + " (3, '2020-01-01 14:00:00', 'c'), (4, '2020-01-01 18:00:00', 'd')");
            for (String zone : List.of("UTC", "Asia/Tokyo", "America/New_York")) {
                inZone(zone, () -> timesOnlyAsTheyAreStored(where, zone));
            }
        }
    }

    /** What the policy's own condition finds in such a session, past the check, is what may be shown. */
    private void timesOnlyAsTheyAreStored(On where, String zone) throws SQLException {
        request(1);
        String offset = zone.equals("UTC") ? "+00:00" : zone.equals("Asia/Tokyo") ? "+09:00" : "-05:00";
        // PostgreSQL's driver tells the server the zone of the platform.
        Connection connection =
                where == On.POSTGRESQL ? connect() : connect("sessionVariables", "time_zone='" + offset + "'");
        try (Connection plain = database.plain()) {
            run(plain, where == On.POSTGRESQL ? "SET TimeZone = '" + zone + "'" : "SET time_zone = '" + offset + "'");
            List<String> allowed = rows(plain, "SELECT secret FROM t WHERE k = '2020-01-01 09:00:00'");
            for (Object bound : List.of(
                    LocalDateTime.parse("2020-01-01T09:00:00"),
                    OffsetDateTime.parse("2020-01-01T09:00:00Z"),
                    OffsetDateTime.parse("2020-01-01T09:00:00+09:00"),
                    Timestamp.valueOf("2020-01-01 09:00:00"),
                    "2020-01-01 09:00:00")) {
                assertShown(connection, "SELECT secret FROM t WHERE k = ?", bound, allowed);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSessionsTimeZoneDoesNotChooseTheMomentThatAViewNames(On where) throws SQLException {
        String type = switch (where) {
            case POSTGRESQL -> "TIMESTAMPTZ";
            case MARIADB -> "TIMESTAMP";
            case H2 -> "TIMESTAMP WITH TIME ZONE";
        };
        for (String condition : List.of(
                "k = '2020-01-01 09:00:00'",
                "k = TIMESTAMP '2020-01-01 09:00:00'",
                "k IN ('2020-01-01 09:00:00', '2020-01-01 09:00:01')",
                "k > '2020-01-01 08:00:00' AND k < '2020-01-01 10:00:00'")) {
            on(where, "CREATE VIEW v AS SELECT * FROM t WHERE " + condition + "; CREATE VIEW w AS SELECT id FROM t;");
            elsewhere(
                    "CREATE TABLE t (id INT PRIMARY KEY, k " + type + " NOT NULL, secret VARCHAR(20))",
                    where == On.MARIADB
                            ? "SET time_zone = '+00:00'"
                            : where == On.H2 ? "SET TIME ZONE '00:00'" : "SET TimeZone = 'UTC'",
                    "INSERT INTO t VALUES (1, '2020-01-01 00:00:00', 'a'), (2, '2020-01-01 09:00:00', 'b'),"
                            + " (3, '2020-01-01 14:00:00', 'c')");
            List<String> seen = new ArrayList<>();
            for (String zone : List.of("+00:00", "+09:00", "-05:00")) {
                Connection connection = connect();
                request(1);
                try {
                    run(connection, zone(where, zone));
                    seen.addAll(rows(connection, "SELECT id, secret FROM t WHERE " + condition));
                } catch (SQLException refused) {
                    assertThat((Object) refused).as(condition).isInstanceOf(PrivoxyException.class);
                }
            }
            assertThat(seen)
                    .as("%s, %s", where, condition)
                    .doesNotContain("1,a")
                    .doesNotContain("3,c");
        }
    }

    private static String zone(On where, String offset) {
        return switch (where) {
            case POSTGRESQL -> "SET TIME ZONE " + Integer.parseInt(offset.substring(0, 3));
            case MARIADB -> "SET time_zone = '" + offset + "'";
            case H2 -> "SET TIME ZONE '" + offset + "'";
        };
    }

    @ParameterizedTest
    @EnumSource
    void aDayThatAZoneHasLeftOutIsNoOtherDay(On where) throws SQLException {
        inZone("Pacific/Apia", () -> {
            on(where, "CREATE VIEW v AS SELECT * FROM t WHERE k = '2011-12-30'; CREATE VIEW w AS SELECT id FROM t;");
            elsewhere(
                    "CREATE TABLE t (id INT PRIMARY KEY, k DATE NOT NULL, secret VARCHAR(20))",
                    "INSERT INTO t VALUES (1, '2011-12-29', 'a'), (2, '2011-12-30', 'b'), (3, '2011-12-31', 'c')");
            Connection connection = connect();
            request(1);
            Date day = Date.valueOf("2011-12-30");
            for (Object bound : List.of(day, LocalDate.parse("2011-12-30"), "2011-12-30", new Date(day.getTime()))) {
                assertShown(connection, "SELECT secret FROM t WHERE k = ?", bound, List.of("b"));
            }
        });
    }

    private static void inZone(String zone, Work work) throws SQLException {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try {
            work.run();
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void infinityIsNoDayOfJavas() throws SQLException {
        for (String type : List.of("DATE", "TIMESTAMP", "TIMESTAMPTZ")) {
            for (String end : List.of("infinity", "-infinity")) {
                on(
                        On.POSTGRESQL,
                        "CREATE VIEW v AS SELECT * FROM t WHERE k <> '" + end + "'; CREATE VIEW w AS SELECT"
                                + " id FROM t;");
                elsewhere(
                        "CREATE TABLE t (id INT PRIMARY KEY, k " + type + " NOT NULL, secret VARCHAR(20))",
                        "INSERT INTO t VALUES (1, '" + end + "', 'SECRET'), (2, '2020-01-01', 'open')");
                Connection connection = connect();
                request(1);
                for (Object bound : List.of(
                        LocalDate.MAX,
                        LocalDate.MIN,
                        LocalDateTime.MAX,
                        LocalDateTime.MIN,
                        OffsetDateTime.MAX,
                        OffsetDateTime.MIN,
                        // The driver's own numbers for both ends.
                        new Date(9223372036825200000L),
                        new Date(-9223372036832400000L),
                        new Timestamp(9223372036825200000L),
                        new Timestamp(-9223372036832400000L),
                        "infinity",
                        "-infinity")) {
                    assertShown(connection, "SELECT secret FROM t WHERE k = ?", bound, List.of("open"));
                }
            }
        }
    }

    @Test
    void aNegativeNumberThatIsBoundIsNoOid() throws SQLException {
        on(On.POSTGRESQL, "CREATE VIEW v AS SELECT * FROM t WHERE c <> 4294967295; CREATE VIEW w AS SELECT id FROM t;");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, c OID NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 4294967295, 'SECRET'), (2, 5, 'open')");
        Connection connection = connect();
        request(1);
        for (Object bound : List.of(
                -1, -1L, (short) -1, BigInteger.ONE.negate(), BigDecimal.ONE.negate(), "-1", -1.0d, 4294967295L)) {
            assertShown(connection, "SELECT secret FROM t WHERE c = ?", bound, List.of("open"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\u00e4"})
    void aNameThatTheDatabaseCutsIsNotTheWholeOne(String letter) throws SQLException {
        String cut = letter.repeat(letter.equals("a") ? 63 : 31);
        on(
                On.POSTGRESQL,
                "CREATE VIEW v AS SELECT * FROM t WHERE k <> '" + cut + "'; CREATE VIEW w AS SELECT id FROM" + " t;");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, k NAME NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, '" + cut + "', 'SECRET'), (2, 'b', 'open')");
        Connection connection = connect();
        request(1);
        for (String bound : List.of(cut, cut + letter, cut + letter + "x", cut + "x")) {
            assertShown(connection, "SELECT secret FROM t WHERE k = ?", bound, List.of("open"));
            for (String literal : List.of("'" + bound + "'", "CAST('" + bound + "' AS NAME)", "name '" + bound + "'")) {
                assertNothingElse(connection, "SELECT secret FROM t WHERE k = " + literal, List.of("open"));
            }
        }
        assertThat(rows(connection, "SELECT id FROM t")).hasSize(2);
    }

    // --- changes of the schema ---------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void aShownColumnIsNotMadeAnewOutOfAHiddenOne(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        request(1);
        run(connection, "ALTER TABLE users DROP COLUMN name");
        for (String made : List.of(
                "ADD COLUMN name varchar(100) GENERATED ALWAYS AS (email)" + (where == On.H2 ? "" : " STORED"),
                "ADD name varchar(100) GENERATED ALWAYS AS (email)" + (where == On.H2 ? "" : " STORED"))) {
            assertThatThrownBy(() -> run(connection, "ALTER TABLE users " + made))
                    .isInstanceOf(UnsupportedQueryException.class);
        }
        assertRefused(connection, "SELECT id, email FROM users");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void norInTheSameChangeThatTakesItAway(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        request(1);
        assertThatThrownBy(() -> run(
                        connection,
                        "ALTER TABLE users DROP COLUMN name, ADD COLUMN name varchar(100) GENERATED ALWAYS AS (email)"
                                + " STORED"))
                .isInstanceOf(UnsupportedQueryException.class);
        assertThat(rows(connection, "SELECT id, name FROM users ORDER BY id"))
                .containsExactly("1,Ada", "2,Bob", "3,Cy");
    }

    // --- the machine -------------------------------------------------------------------------------------------------

    /** What is accepted shows nothing but this, by whatever setter. */
    private static void assertShown(Connection connection, String sql, Object bound, List<String> allowed) {
        List<Binding> bindings = List.of(
                statement -> statement.setObject(1, bound),
                statement -> statement.setObject(1, bound, Types.TIMESTAMP),
                statement -> statement.setObject(1, bound, Types.TIMESTAMP_WITH_TIMEZONE),
                statement -> statement.setObject(1, bound, Types.DATE),
                statement -> statement.setObject(1, bound, Types.INTEGER),
                statement -> statement.setObject(1, bound, Types.BIGINT),
                statement -> statement.setObject(1, bound, Types.VARCHAR),
                statement -> statement.setObject(1, bound, Types.OTHER),
                statement -> statement.setString(1, bound.toString()));
        for (Binding binding : bindings) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                binding.bind(statement);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        assertThat(rows.getString(1))
                                .as("%s with %s %s", sql, bound.getClass(), bound)
                                .isIn(allowed);
                    }
                }
            } catch (SQLException | RuntimeException refusedOrWrong) {
                assertThat(refusedOrWrong).isNotNull();
            }
        }
    }

    private static void assertNothingElse(Connection connection, String sql, List<String> allowed) {
        try {
            assertThat(rows(connection, sql)).as(sql).isSubsetOf(allowed);
        } catch (SQLException refusedOrWrong) {
            assertThat(refusedOrWrong.getMessage()).isNotEmpty();
        }
    }

    private static void within(PrivoxyRequest request, Work work) throws SQLException {
        try (PrivoxyRequest.Joined joined = request.join()) {
            assertThat(joined).isNotNull();
            work.run();
        }
    }

    private interface Binding {
        void bind(PreparedStatement statement) throws SQLException;
    }

    private interface Work {
        void run() throws SQLException;
    }
}
