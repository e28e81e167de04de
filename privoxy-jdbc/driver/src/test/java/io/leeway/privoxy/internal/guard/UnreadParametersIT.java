package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.util.PGobject;

/** Parameters that privoxy does not read may be anything, NULL too: nothing follows from their being there. */
class UnreadParametersIT extends Cases {

    private static final String MINE = "1,1,mine";

    @FunctionalInterface
    private interface Setter {
        void set(PreparedStatement statement, int index) throws SQLException;
    }

    /** Setters that give NULL without saying so in a way that privoxy reads. */
    private static Map<String, Setter> nulls(On where) {
        Map<String, Setter> nulls = new TreeMap<>();
        nulls.put("setBlob", (statement, i) -> statement.setBlob(i, (Blob) null));
        nulls.put("setBlob(stream)", (statement, i) -> statement.setBlob(i, (InputStream) null));
        nulls.put("setClob", (statement, i) -> statement.setClob(i, (Clob) null));
        nulls.put("setClob(reader)", (statement, i) -> statement.setClob(i, (Reader) null));
        nulls.put("setNClob", (statement, i) -> statement.setNClob(i, (NClob) null));
        nulls.put("setSQLXML", (statement, i) -> statement.setSQLXML(i, (SQLXML) null));
        nulls.put("setAsciiStream", (statement, i) -> statement.setAsciiStream(i, null));
        nulls.put("setAsciiStream(length)", (statement, i) -> statement.setAsciiStream(i, null, 0));
        nulls.put("setBinaryStream", (statement, i) -> statement.setBinaryStream(i, null));
        nulls.put("setBinaryStream(length)", (statement, i) -> statement.setBinaryStream(i, null, 0));
        nulls.put("setCharacterStream", (statement, i) -> statement.setCharacterStream(i, null));
        nulls.put("setCharacterStream(length)", (statement, i) -> statement.setCharacterStream(i, null, 0));
        nulls.put("setNCharacterStream", (statement, i) -> statement.setNCharacterStream(i, null));
        nulls.put("setTime(calendar)", (statement, i) -> statement.setTime(i, (Time) null, Calendar.getInstance()));
        nulls.put("setArray", (statement, i) -> statement.setArray(i, null));
        nulls.put("setRef", (statement, i) -> statement.setRef(i, null));
        nulls.put("setURL", (statement, i) -> statement.setURL(i, null));
        nulls.put("setRowId", (statement, i) -> statement.setRowId(i, null));
        nulls.put("setNull(name)", (statement, i) -> statement.setNull(i, Types.VARCHAR, "text"));
        nulls.put("setNull(other, name)", (statement, i) -> statement.setNull(i, Types.OTHER, "text"));
        if (where == On.POSTGRESQL) {
            var object = new PGobject();
            object.setType("text");
            nulls.put("PGobject", (statement, i) -> statement.setObject(i, object));
        }
        return nulls;
    }

    private Connection owned(On where) throws SQLException {
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW own AS SELECT id, owner, secret FROM t WHERE owner = ?MyUId;
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, owner BIGINT NOT NULL, secret VARCHAR(20))",
            "INSERT INTO t VALUES (1, 1, 'mine'), (2, 2, 'SECRET')"
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    private static List<String> shown(Connection connection, String sql, Setter setter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            setter.set(statement, 1);
            var shown = new ArrayList<String>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    shown.add(rows.getInt(1) + "," + rows.getInt(2) + "," + rows.getString(3));
                }
            }
            return shown;
        } catch (SQLException refused) {
            // By privoxy, or the driver does not take it.
            return List.of();
        }
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void whatMayBeNullShowsNothingThatIsHidden(On where) throws SQLException {
        Connection connection = owned(where);
        for (String condition : List.of(
                "? IS NULL",
                "owner = 1 OR ? IS NULL",
                "? IS NULL OR owner = 1",
                "NOT (? IS NOT NULL)",
                "COALESCE(?, 'x') = 'x'",
                "(? = 'a') IS NULL",
                "CASE WHEN ? IS NULL THEN 1 ELSE owner END = 1")) {
            for (Map.Entry<String, Setter> setter : nulls(where).entrySet()) {
                assertThat(shown(
                                connection,
                                "SELECT id, owner, secret FROM t WHERE " + condition + " ORDER BY id",
                                setter.getValue()))
                        .as("%s by %s", condition, setter.getKey())
                        .isSubsetOf(MINE);
            }
        }
    }

    /** Nor a value that is there. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatMayBeThereShowsNothingThatIsHidden(On where) throws SQLException {
        Connection connection = owned(where);
        for (String condition : List.of("? IS NOT NULL", "owner = 1 OR ? IS NOT NULL", "NOT (? IS NULL)")) {
            assertThat(shown(
                            connection,
                            "SELECT id, owner, secret FROM t WHERE " + condition + " ORDER BY id",
                            (statement, i) -> statement.setCharacterStream(i, new StringReader("a"), 1)))
                    .as(condition)
                    .isSubsetOf(MINE);
        }
    }

    /** What the policy shows whether it is NULL or not is shown. */
    @ParameterizedTest
    @EnumSource(On.class)
    void itDoesNotMatterWhereAllIsShownAnyway(On where) throws SQLException {
        Connection connection = owned(where);
        for (String condition : List.of("owner = 1 AND ? IS NULL", "owner = 1 AND (? IS NULL OR id > 0)")) {
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT id, owner, secret FROM t WHERE " + condition)) {
                statement.setBinaryStream(1, new ByteArrayInputStream(new byte[] {1}), 1);
                try (ResultSet rows = statement.executeQuery()) {
                    assertThat(rows).isNotNull();
                }
            } catch (SQLException refused) {
                assertThat((Object) refused).isNotInstanceOf(PrivoxyException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void itWritesNothingThatIsHidden(On where) throws SQLException {
        Connection connection = owned(where);
        for (String sql : List.of(
                "INSERT INTO t SELECT id + 10, owner, secret FROM t WHERE ? IS NULL",
                "UPDATE t SET owner = 9 WHERE secret = 'SECRET' AND ? IS NULL",
                "DELETE FROM t WHERE secret = 'SECRET' AND ? IS NULL")) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setCharacterStream(1, null, 0);
                assertThatThrownBy(statement::executeUpdate).as(sql).isInstanceOf(SQLException.class);
            }
        }
    }

    /** A row that was selected by a parameter that is NULL says nothing of the other condition. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatItSelectsIsNoFact(On where) throws SQLException {
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW mine AS SELECT u, c, n FROM members WHERE u = ?MyUId;
                CREATE VIEW shared AS SELECT t.id, t.c, t.txt FROM tasks t JOIN members m ON m.c = t.c
                  WHERE m.u = ?MyUId AND m.n = 7;
                """, new String[] {
            "CREATE TABLE members (u BIGINT NOT NULL, c INT NOT NULL, n INT NOT NULL, PRIMARY KEY (u, c))",
            "CREATE TABLE tasks (id INT PRIMARY KEY, c INT NOT NULL, txt VARCHAR(20))",
            "INSERT INTO members VALUES (1, 5, 6)",
            "INSERT INTO tasks VALUES (1, 5, 'SECRET')"
        });
        Connection connection = connect();
        request(1);
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT u, c FROM members WHERE u = 1 AND (? IS NULL OR n = 7)")) {
            statement.setCharacterStream(1, null, 0);
            statement.executeQuery().close();
        } catch (SQLException refused) {
            // As good.
        }
        assertThatThrownBy(() -> rows(connection, "SELECT id, c, txt FROM tasks WHERE c = 5"))
                .isInstanceOf(PrivoxyException.class);
    }

    /** Many of them are not tried one by one where nothing depends on them. */
    @ParameterizedTest
    @EnumSource(On.class)
    void aRowOfStreamsIsInserted(On where) throws SQLException {
        String columns = IntStream.range(0, 20).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW own AS SELECT * FROM t WHERE owner = ?MyUId;
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, owner BIGINT NOT NULL, " + columns.replace(",", " VARCHAR(20),")
                    + " VARCHAR(20))"
        });
        Connection connection = connect();
        request(1);
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO t (id, owner, " + columns + ") VALUES (1, 1" + ", ?".repeat(20) + ")")) {
            for (int i = 1; i <= 20; i++) {
                insert.setCharacterStream(i, i % 2 == 0 ? null : new StringReader("a"), i % 2 == 0 ? 0 : 1);
            }
            assertThat(insert.executeUpdate()).isEqualTo(1);
        }
        assertThat(rows(connection, "SELECT id, c0, c1 FROM t WHERE owner = 1")).containsExactly("1,a,null");
    }
}
