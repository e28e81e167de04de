package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Comparisons that MariaDB makes in another way where something stands beside them; the type oracle found them. */
class MariaDbComparisonsIT extends Cases {

    private static final String FIRST = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
    private static final String SECOND = "b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
    private static final String UNDASHED = FIRST.replace("-", "");

    private Connection uuids(String condition) throws SQLException {
        on(
                On.MARIADB,
                "CREATE VIEW v AS SELECT * FROM u WHERE " + condition + ";\nCREATE VIEW ids AS SELECT id, c FROM u;\n",
                new String[] {
                    "CREATE TABLE u (id INT PRIMARY KEY, c UUID, secret VARCHAR(20) NOT NULL)",
                    "INSERT INTO u VALUES (1, '" + FIRST + "', 'SECRET'), (2, '" + SECOND + "', 'shown')"
                });
        Connection connection = connect();
        request(1);
        return connection;
    }

    /** The constant is put in the column's place, as it is written. */
    @Test
    void aUuidThatIsWrittenOtherwiseDoesNotWidenWhatStandsBesideIt() throws Exception {
        Connection connection = uuids("c <> '" + FIRST + "'");
        String beside = "SELECT * FROM u WHERE c <> '" + FIRST + "' AND ";
        assertThat(rows(connection, "SELECT * FROM u WHERE c <> '" + FIRST + "'"))
                .hasSize(1);
        for (String same : List.of(
                "c <=> '" + UNDASHED + "'",
                "c = '" + UNDASHED + "'",
                "c = '" + FIRST.toUpperCase(java.util.Locale.ROOT) + "'",
                "c IN ('" + UNDASHED + "')",
                "'" + UNDASHED + "' = c",
                "c = CONCAT('" + UNDASHED + "', '')",
                "c = (SELECT '" + UNDASHED + "')",
                "c <=> COALESCE(NULL, '" + UNDASHED + "')",
                "(c, id) = ('" + UNDASHED + "', 1)")) {
            assertRefused(connection, beside + same);
        }
        assertThatThrownBy(() -> bound(connection, beside + "c = ?", UNDASHED)).isInstanceOf(PrivoxyException.class);
    }

    @Test
    void uuidsAsTheyAreWrittenAreCompared() throws Exception {
        Connection connection = uuids("c = '" + SECOND + "'");
        assertThat(rows(connection, "SELECT * FROM u WHERE c = '" + SECOND + "'"))
                .hasSize(1);
        assertThat(bound(connection, "SELECT secret FROM u WHERE c = ?", SECOND))
                .containsExactly("shown");
        assertThat(bound(connection, "SELECT secret FROM u WHERE c = ?", UUID.fromString(SECOND)))
                .containsExactly("shown");
        assertThat(bound(connection, "SELECT id FROM u WHERE c IN (?, '" + FIRST + "') ORDER BY id", SECOND))
                .containsExactly("1", "2");
        assertThat(rows(connection, "SELECT a.id FROM u a JOIN u b ON a.c = b.c"))
                .hasSize(2);
    }

    @Test
    void addressesAreComparedWithAddressesOnly() throws Exception {
        on(On.MARIADB, "CREATE VIEW ids AS SELECT id, a FROM hosts;\n", new String[] {
            "CREATE TABLE hosts (id INT PRIMARY KEY, a INET6, secret VARCHAR(20) NOT NULL)",
            "INSERT INTO hosts VALUES (1, '::1', 'SECRET')"
        });
        Connection connection = connect();
        request(1);
        assertThat(rows(connection, "SELECT x.id FROM hosts x JOIN hosts y ON x.a = y.a"))
                .hasSize(1);
        assertRefused(connection, "SELECT id FROM hosts WHERE a <> '::1' AND a = '0::1'");
    }

    /** Bits are a number beside a column, and bytes where they come out of something. */
    @Test
    void bitsThatComeOutOfSomethingAreOfAnotherType() throws Exception {
        on(On.MARIADB, "CREATE VIEW v AS SELECT * FROM b WHERE c >= b'101';\n", new String[] {
            "CREATE TABLE b (id INT PRIMARY KEY, c BIT(8), secret VARCHAR(20) NOT NULL)",
            "INSERT INTO b VALUES (1, 5, 'shown'), (2, 1, 'SECRET'), (3, 65, 'shown')"
        });
        Connection connection = connect();
        request(1);
        assertThat(rows(connection, "SELECT id FROM b WHERE c >= b'101'")).hasSize(2);
        assertRefused(connection, "SELECT * FROM b WHERE c >= COALESCE(NULL, b'101')");
        assertRefused(connection, "SELECT * FROM b WHERE c >= COALESCE(NULL, x'05')");
        assertRefused(connection, "SELECT b.* FROM b JOIN (SELECT b'101' AS x) d ON b.c >= d.x");
    }

    /** Of two digits a year is another one where it comes out of something. */
    @Test
    void aYearOfTwoDigitsIsNoYearInAnotherTable() throws Exception {
        on(On.MARIADB, "CREATE VIEW v AS SELECT * FROM y WHERE c <> 99;\n", new String[] {
            "CREATE TABLE y (id INT PRIMARY KEY, c YEAR, n INT, secret VARCHAR(20) NOT NULL)",
            "INSERT INTO y VALUES (1, 1999, 99, 'SECRET'), (2, 2021, 99, 'shown')"
        });
        Connection connection = connect();
        request(1);
        for (String other : List.of(
                "SELECT * FROM y WHERE EXISTS (SELECT 1 FROM (SELECT 99 AS v) q WHERE c <> q.v)",
                "SELECT y.* FROM y JOIN (SELECT 99 AS v) q ON y.c <> q.v",
                "WITH q AS (SELECT 99 AS v) SELECT y.* FROM y JOIN q ON y.c <> q.v",
                "SELECT * FROM y WHERE c <> (SELECT 99)",
                "SELECT * FROM y WHERE c <> ALL (SELECT 99)",
                "SELECT * FROM y WHERE c NOT IN (SELECT 99)",
                "SELECT * FROM y WHERE c <> COALESCE(NULL, 99)")) {
            assertRefused(connection, other);
        }
        assertThat(rows(connection, "SELECT 1 FROM (SELECT 99 AS v) q WHERE q.v = 99"))
                .containsExactly("1");
    }

    /** Beyond 2^63 a number comes out of a COALESCE with a negative one as another, which MariaDB puts in the column's place. */
    @Test
    void aNumberThatComesOutOfSomethingMayBeAnotherOne() throws Exception {
        on(On.MARIADB, "CREATE VIEW v AS SELECT * FROM n WHERE c <> 9223372036854775808;\n", new String[] {
            "CREATE TABLE n (id INT PRIMARY KEY, c BIGINT UNSIGNED, secret VARCHAR(20) NOT NULL)",
            "INSERT INTO n VALUES (1, 5, 'shown'), (4, 9223372036854775808, 'SECRET')"
        });
        Connection connection = connect();
        request(1);
        for (String other : List.of(
                "COALESCE(9223372036854775808, -1)",
                "IFNULL(9223372036854775808, -1)",
                "CASE WHEN 1 = 1 THEN 9223372036854775808 ELSE -1 END",
                "NULLIF(9223372036854775808, -1)",
                "GREATEST(9223372036854775808, -1)")) {
            assertRefused(connection, "SELECT * FROM n WHERE c <> 9223372036854775808 AND c <=> " + other);
            assertRefused(connection, "SELECT * FROM n WHERE c <> 9223372036854775808 AND c = " + other);
        }
        assertThat(rows(connection, "SELECT secret FROM n WHERE c <> 9223372036854775808"))
                .containsExactly("shown");
    }

    /** Right beside a YEAR 20 is the year 2020. */
    @Test
    void aConstantIsWhatTheColumnIsOnlyRightBesideIt() throws Exception {
        on(
                On.MARIADB,
                "CREATE VIEW v AS SELECT * FROM y WHERE c > 20;\nCREATE VIEW w AS SELECT id, e FROM y WHERE e = 1;\n",
                new String[] {
                    "CREATE TABLE y (id INT PRIMARY KEY, c YEAR, e ENUM('a', '1'), n INT, secret VARCHAR(20) NOT NULL)",
                    "INSERT INTO y VALUES (1, 2019, '1', 5, 'SECRET'), (2, 2021, 'a', 5, 'shown')"
                });
        Connection connection = connect();
        request(1);
        assertThat(rows(connection, "SELECT * FROM y WHERE c > (20)")).hasSize(1);
        assertThat(rows(connection, "SELECT * FROM y WHERE c > (20) AND (SELECT n) = 5"))
                .hasSize(1);
        assertRefused(connection, "SELECT * FROM y WHERE (SELECT c) > (20)");
        assertRefused(connection, "SELECT * FROM y WHERE COALESCE(NULL, c) > (20)");
        assertRefused(connection, "SELECT id, e FROM y WHERE (SELECT e) = (1)");
    }

    /** In a row of values 20 is a number beside a YEAR. */
    @Test
    void aConstantInARowIsWhatItIs() throws Exception {
        on(On.MARIADB, "CREATE VIEW v AS SELECT * FROM y WHERE c <> 20;\n", new String[] {
            "CREATE TABLE y (id INT PRIMARY KEY, c YEAR, secret VARCHAR(20) NOT NULL)",
            "INSERT INTO y VALUES (1, 2020, 'SECRET'), (2, 1999, 'shown')"
        });
        Connection connection = connect();
        request(1);
        assertRefused(connection, "SELECT * FROM y WHERE c = 2020 AND (c, 1) <> (20, 1)");
        assertRefused(connection, "SELECT * FROM y WHERE (c, 1) <> (20, 1)");
        assertRefused(connection, "SELECT * FROM y WHERE NOT (c, id) = (20, id)");
        assertThat(rows(connection, "SELECT * FROM y WHERE c <> (20) AND (id, 1) <> (7, 1)"))
                .hasSize(1);
    }

    /** The least of unsigned numbers is a negative one where it is compared as floating point. */
    @Test
    void theLeastOfRowsIsTakenInAnotherType() throws Exception {
        on(
                On.MARIADB,
                "CREATE VIEW v AS SELECT t.* FROM t JOIN s ON t.c >= s.d;\nCREATE VIEW w AS SELECT * FROM s;\n",
                new String[] {
                    "CREATE TABLE t (id INT PRIMARY KEY, c DOUBLE, secret VARCHAR(20) NOT NULL)",
                    "CREATE TABLE s (d BIGINT UNSIGNED)",
                    "INSERT INTO t VALUES (1, 5, 'SECRET')",
                    "INSERT INTO s VALUES (18446744073709551615)"
                });
        Connection connection = connect();
        request(1);
        assertRefused(connection, "SELECT t.* FROM t WHERE t.c >= ANY (SELECT d FROM s)");
        assertRefused(connection, "SELECT t.* FROM t WHERE NOT t.c < ALL (SELECT d FROM s)");
        assertThat(rows(connection, "SELECT t.* FROM t JOIN s ON t.c >= s.d")).isEmpty();
    }

    private static List<String> bound(Connection connection, String sql, Object value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, value);
            var rows = new ArrayList<String>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(result.getString(1));
                }
            }
            return rows;
        }
    }
}
