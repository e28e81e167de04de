package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.DatabaseServer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The value that is checked is the value that is sent: every setter with values that a driver, Java and the database read
 * in different ways, against tables in which the user may see one key only. Whatever is accepted shows rows of that key.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BoundValues {

    @TempDir
    static Path directory;

    private CheckedDatabase database;
    private Connection connection;
    private Connection plain;

    abstract DatabaseServer server();

    /** The type's name in this database, or null if it has none. */
    abstract Map<String, String> types();

    CheckedDatabase database() {
        return database;
    }

    @BeforeAll
    void create() throws SQLException {
        List<String> statements = new ArrayList<>();
        StringBuilder policy = new StringBuilder();
        types().forEach((kind, type) -> {
            statements.add("CREATE TABLE vault_" + kind + " (id BIGINT PRIMARY KEY, k " + type
                    + " NOT NULL, secret VARCHAR(20) NOT NULL)");
            policy.append("CREATE CONTEXT Mine")
                    .append(kind)
                    .append(' ')
                    .append(type.equals("DATETIME") ? "TIMESTAMP" : type.replaceFirst(" CHARACTER.*", ""))
                    .append(";\n")
                    .append("CREATE VIEW mine_")
                    .append(kind)
                    .append(" AS SELECT * FROM vault_")
                    .append(kind)
                    .append(" WHERE k = ?Mine")
                    .append(kind)
                    .append(";\n");
        });
        database = new CheckedDatabase(server(), directory, policy.toString(), statements.toArray(String[]::new));
        connection = database.connect();
        plain = database.plain();
    }

    @AfterAll
    void drop() throws SQLException {
        connection.close();
        plain.close();
        database.close();
    }

    @Test
    void aNumberThatDoesNotFitItsTypeIsNotWrapped() throws SQLException {
        fill("long", "4294967298", "2", "65538");
        for (Object own : List.of(4294967298L, 65538L)) {
            List<Binding> bindings = new ArrayList<>();
            for (int type : new int[] {Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC}) {
                bindings.add(s -> s.setObject(1, own, type));
                bindings.add(s -> s.setObject(1, new BigDecimal(own.toString()), type));
                bindings.add(s -> s.setObject(1, new BigInteger(own.toString()), type));
                bindings.add(s -> s.setObject(1, own.toString(), type));
                bindings.add(s -> s.setObject(1, own, java.sql.JDBCType.valueOf(type)));
                bindings.add(
                        s -> s.setObject(1, BigInteger.ONE.shiftLeft(64).add(new BigInteger(own.toString())), type));
            }
            only("long", own, own.toString(), bindings);
        }
        accepted("long", 4294967298L, s -> s.setObject(1, 4294967298L, Types.BIGINT));
        accepted("long", 65538L, s -> s.setObject(1, "65538", Types.INTEGER));
        accepted("long", 65538L, s -> s.setObject(1, BigInteger.valueOf(65538), Types.INTEGER));
    }

    @Test
    void blanksAtTheEndOfATextAreComparedAsTheyWereChecked() throws SQLException {
        fill("text", "ann ", "ann", "ANN", "?");
        List<Binding> bindings = new ArrayList<>();
        for (int type : new int[] {
            Types.CHAR, Types.NCHAR, Types.VARCHAR, Types.NVARCHAR, Types.LONGVARCHAR, Types.LONGNVARCHAR, Types.OTHER
        }) {
            bindings.add(s -> s.setObject(1, "ann ", type));
            bindings.add(s -> s.setObject(1, "ann ", type, 3));
        }
        bindings.add(s -> s.setString(1, "ann "));
        bindings.add(s -> s.setNString(1, "ann "));
        bindings.add(s -> s.setObject(1, "ann "));
        only("text", "ann ", "ann ", bindings);
        only("text", "ann", "ann", List.of(s -> s.setObject(1, "ann", Types.CHAR), s -> s.setString(1, "ann")));
        accepted("text", "ann ", s -> s.setString(1, "ann "));
        accepted("text", "ann", s -> s.setObject(1, "ann", Types.CHAR));
        for (String own : List.of("ann ", "ann")) {
            for (String literal :
                    List.of("'ann '", "N'ann '", "'ann'", "N'ann'", "CAST('ann ' AS CHAR(4))", "CHAR 'ann '")) {
                assertOwn("text", own, own, "SELECT k, secret, id FROM vault_text WHERE k = " + literal);
            }
        }
    }

    @Test
    void halfACharacterIsNotSentAsAnother() throws SQLException {
        fill("text", "?", "x");
        String half = "\ud800";
        only(
                "text",
                half,
                "none",
                List.of(
                        s -> s.setString(1, half),
                        s -> s.setObject(1, half),
                        s -> s.setObject(1, half.charAt(0)),
                        s -> s.setObject(1, half, Types.VARCHAR),
                        s -> s.setNString(1, half)));
        assertOwn("text", half, "none", "SELECT k, secret, id FROM vault_text WHERE k = '" + half + "'");
    }

    @Test
    void aUuidIsReadAsTheDatabaseReadsIt() throws SQLException {
        if (!types().containsKey("uuid")) {
            return;
        }
        List<String> texts = List.of(
                "00000001-0001-0001-0001-000000000001",
                "000000001-001-0001-0001-000000000001",
                "1-00000000001-0001-0001-000000000001",
                "0000000-10001-0001-0001-000000000001",
                "00000000-1000-1000-1000-1000000000001".substring(0, 36),
                "{0000001-0001-0001-0001-000000000001",
                "00000001000100010001-0000-00000000-1");
        for (String text : texts) {
            for (String other : List.of(
                    "00000001-0001-0001-0001-000000000001",
                    "00000000-1001-0001-0001-000000000001",
                    "10000000-0001-0001-0001-000000000001",
                    "00000000-1000-1000-1000-100000000000")) {
                fill("uuid", other);
                UUID own;
                try {
                    own = UUID.fromString(text);
                } catch (IllegalArgumentException notJava) {
                    continue;
                }
                only(
                        "uuid",
                        own,
                        own.toString(),
                        List.of(
                                s -> s.setString(1, text),
                                s -> s.setObject(1, text),
                                s -> s.setObject(1, text, Types.OTHER),
                                s -> s.setObject(1, own)));
                assertOwn("uuid", own, own.toString(), "SELECT k, secret, id FROM vault_uuid WHERE k = '" + text + "'");
            }
        }
    }

    @Test
    void floatingPointIsNotTakenForAnExactNumber() throws SQLException {
        fill("decimal", "1", "1.000000000000000001", "0.1", "0.100000000000000006");
        for (BigDecimal own : List.of(BigDecimal.ONE, new BigDecimal("0.1"))) {
            List<Binding> bindings = new ArrayList<>();
            double number = own.doubleValue();
            bindings.add(s -> s.setDouble(1, number));
            bindings.add(s -> s.setFloat(1, (float) number));
            bindings.add(s -> s.setObject(1, number));
            bindings.add(s -> s.setObject(1, (float) number));
            bindings.add(s -> s.setString(1, own.toString()));
            bindings.add(s -> s.setBigDecimal(1, own));
            for (int type : new int[] {
                Types.DOUBLE, Types.FLOAT, Types.REAL, Types.NUMERIC, Types.DECIMAL, Types.VARCHAR, Types.INTEGER
            }) {
                bindings.add(s -> s.setObject(1, own, type));
                bindings.add(s -> s.setObject(1, number, type));
                bindings.add(s -> s.setObject(1, own, type, 1));
                bindings.add(s -> s.setObject(1, new BigDecimal("1.04"), type, 1));
                bindings.add(s -> s.setObject(1, own.toString(), type));
            }
            only("decimal", own, own.toString(), bindings);
            for (String literal :
                    List.of("1", "1.0", "1e0", "'1'", "'1e0'", "0.1", "1e-1", "'0.1'", "1.0000000000000000001")) {
                assertOwn(
                        "decimal", own, own.toString(), "SELECT k, secret, id FROM vault_decimal WHERE k = " + literal);
            }
        }
        fill("long", "16777216", "16777217", "9007199254740993", "9007199254740992");
        for (long own : new long[] {16777216L, 9007199254740992L, 9007199254740993L}) {
            only(
                    "long",
                    own,
                    Long.toString(own),
                    List.of(
                            s -> s.setFloat(1, (float) own),
                            s -> s.setDouble(1, (double) own),
                            s -> s.setObject(1, (float) own),
                            s -> s.setObject(1, (double) own, Types.REAL),
                            s -> s.setObject(1, own, Types.REAL),
                            s -> s.setObject(1, own, Types.DOUBLE),
                            s -> s.setString(1, Long.toString(own))));
        }
        accepted("decimal", BigDecimal.ONE, s -> s.setBigDecimal(1, BigDecimal.ONE));
        accepted("long", 16777216L, s -> s.setLong(1, 16777216L));
    }

    @Test
    void aValueWhoseMethodsLieIsCheckedAsItIsSent() throws SQLException {
        fill("decimal", "1", "2");
        fill("long", "1", "2");
        fill("date", "2020-01-01", "2020-01-02");
        fill("timestamp", "2020-01-01 00:00:00", "2020-01-02 00:00:00");
        for (String kind : List.of("decimal", "long")) {
            only(
                    kind,
                    kind.equals("long") ? (Object) 1L : BigDecimal.ONE,
                    "1",
                    List.of(
                            s -> s.setBigDecimal(1, new Liar(1, "2")),
                            s -> s.setObject(1, new Liar(1, "2")),
                            s -> s.setObject(1, new Liar(1, "2"), Types.NUMERIC),
                            s -> s.setObject(1, new Liar(1, "2"), Types.BIGINT),
                            s -> s.setObject(1, new Liar(1, "2"), Types.NUMERIC, 0),
                            s -> s.setBigDecimal(1, new Liar(2, "1")),
                            s -> s.setObject(1, new Liar(2, "1")),
                            s -> s.setObject(1, new LyingInteger()),
                            s -> s.setObject(1, new LyingInteger(), Types.BIGINT)));
        }
        only(
                "date",
                LocalDate.parse("2020-01-01"),
                "2020-01-01",
                List.of(
                        s -> s.setDate(1, new LyingDate()),
                        s -> s.setObject(1, new LyingDate()),
                        s -> s.setObject(1, new LyingDate(), Types.DATE)));
        only(
                "timestamp",
                LocalDateTime.parse("2020-01-01T00:00:00"),
                "2020-01-01 00:00:00",
                List.of(
                        s -> s.setTimestamp(1, new LyingTimestamp()),
                        s -> s.setObject(1, new LyingTimestamp()),
                        s -> s.setObject(1, new LyingTimestamp(), Types.TIMESTAMP)));
    }

    @Test
    void daysThatJavaAndTheDatabaseCountDifferentlyAreNotTaken() throws SQLException {
        List<String> days = List.of(
                "1582-10-04",
                "1582-10-05",
                "1582-10-10",
                "1582-10-14",
                "1582-10-15",
                "1582-10-20",
                "1582-10-24",
                "1000-01-01",
                "1000-01-06",
                "1000-01-07",
                "0999-12-27");
        for (String day : days) {
            fill("date", days.toArray(String[]::new));
            Date old = Date.valueOf(day);
            List<Binding> bindings = List.of(
                    s -> s.setDate(1, old),
                    s -> s.setObject(1, old),
                    s -> s.setObject(1, LocalDate.parse(day)),
                    s -> s.setString(1, day),
                    s -> s.setObject(1, day, Types.DATE),
                    s -> s.setDate(1, old, Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"))),
                    s -> s.setObject(1, LocalDate.parse(day), Types.DATE));
            for (String own : days) {
                only("date", LocalDate.parse(own), own, bindings);
            }
        }
        accepted("date", LocalDate.parse("2020-02-03"), s -> s.setDate(1, Date.valueOf("2020-02-03")));
    }

    @Test
    void aTimeWithACalendarOfAnotherZoneIsWhatThatZonesClockShows() throws SQLException {
        fill("timestamp", "2020-01-01 00:00:00", "2020-01-01 09:00:00", "2020-01-01 14:00:00");
        Calendar tokyo = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
        Calendar utc = Calendar.getInstance(TimeZone.getTimeZone("UTC"));
        Timestamp midnight = Timestamp.from(java.time.Instant.parse("2020-01-01T00:00:00Z"));
        LocalDateTime there = LocalDateTime.parse("2020-01-01T09:00:00");
        only(
                "timestamp",
                there,
                "2020-01-01 09:00:00",
                List.of(
                        s -> s.setTimestamp(1, midnight, tokyo),
                        s -> s.setTimestamp(1, midnight, utc),
                        s -> s.setTimestamp(1, midnight)));
        accepted("timestamp", there, s -> s.setTimestamp(1, midnight, tokyo));
        accepted("timestamp", LocalDateTime.parse("2020-01-01T00:00:00"), s -> s.setTimestamp(1, midnight, utc));
    }

    // --- the machine -------------------------------------------------------------------------------------------------

    /** Puts rows with these keys in place of what was there. */
    void fill(String kind, String... keys) throws SQLException {
        CheckedDatabase.run(plain, "DELETE FROM vault_" + kind);
        int id = 1;
        for (String key : keys) {
            CheckedDatabase.run(
                    plain, "INSERT INTO vault_" + kind + " VALUES (" + id + ", '" + key + "', 'c" + id + "')");
            id++;
        }
    }

    /** Whatever is accepted of the bindings shows no key but the user's own. */
    void only(String kind, Object own, String ownText, List<Binding> bindings) throws SQLException {
        for (int i = 0; i < bindings.size(); i++) {
            List<String> keys = keys(kind, own, bindings.get(i));
            if (keys != null) {
                assertThat(keys).as("%s %s, binding %s", kind, own, i).allMatch(key -> isSame(key, ownText));
            }
        }
    }

    void accepted(String kind, Object own, Binding binding) throws SQLException {
        assertThat(keys(kind, own, binding)).as("%s %s", kind, own).isNotNull();
    }

    private void assertOwn(String kind, Object own, String ownText, String sql) throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("Mine" + kind, own));
                java.sql.Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(request.isOpen()).isTrue();
            while (rows.next()) {
                assertThat(rows.getString(1))
                        .as("%s for %s", sql, own)
                        .satisfies(key -> assertThat(isSame(key, ownText)).isTrue());
            }
        } catch (SQLException refusedOrWrong) {
            assertThat(refusedOrWrong.getMessage()).isNotEmpty();
        }
    }

    private static boolean isSame(String key, String own) {
        if (key.equals(own) || key.startsWith(own + ".")) {
            return !key.matches("1\\.0*1");
        }
        try {
            return new BigDecimal(key).compareTo(new BigDecimal(own)) == 0;
        } catch (NumberFormatException noNumber) {
            return false;
        }
    }

    /** The keys that a user sees through a binding, or null if it is refused. */
    private List<String> keys(String kind, Object own, Binding binding) throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("Mine" + kind, own));
                PreparedStatement statement =
                        connection.prepareStatement("SELECT k, secret, id FROM vault_" + kind + " WHERE k = ?")) {
            assertThat(request.isOpen()).isTrue();
            binding.bind(statement);
            List<String> keys = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    keys.add(rows.getString(1));
                }
            }
            return keys;
        } catch (SQLException | RuntimeException refusedOrWrong) {
            return null;
        }
    }

    interface Binding {
        void bind(PreparedStatement statement) throws SQLException;
    }

    /** Says another number to each that asks. */
    private static final class Liar extends BigDecimal {
        private static final long serialVersionUID = 1;

        private final String text;

        Liar(int number, String text) {
            super(number);
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }

        @Override
        public String toPlainString() {
            return text;
        }

        @Override
        public BigDecimal setScale(int scale, java.math.RoundingMode mode) {
            return new BigDecimal(text);
        }

        @Override
        public BigDecimal stripTrailingZeros() {
            return BigDecimal.ONE;
        }

        @Override
        public BigInteger unscaledValue() {
            return new BigInteger(text);
        }
    }

    private static final class LyingInteger extends BigInteger {
        private static final long serialVersionUID = 1;

        LyingInteger() {
            super("1");
        }

        @Override
        public String toString() {
            return "2";
        }

        @Override
        public long longValue() {
            return 2;
        }

        @Override
        public long longValueExact() {
            return 2;
        }
    }

    private static final class LyingDate extends Date {
        private static final long serialVersionUID = 1;

        LyingDate() {
            super(Date.valueOf("2020-01-02").getTime());
        }

        @Override
        public LocalDate toLocalDate() {
            return LocalDate.parse("2020-01-01");
        }

        @Override
        public Object clone() {
            return this;
        }
    }

    private static final class LyingTimestamp extends Timestamp {
        private static final long serialVersionUID = 1;

        LyingTimestamp() {
            super(Timestamp.valueOf("2020-01-02 00:00:00").getTime());
        }

        @Override
        public LocalDateTime toLocalDateTime() {
            return LocalDateTime.parse("2020-01-01T00:00:00");
        }

        @Override
        public Object clone() {
            return this;
        }
    }
}
