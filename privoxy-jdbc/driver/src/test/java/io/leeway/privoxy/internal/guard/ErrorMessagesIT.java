package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.UnsupportedQueryException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the database complains of is told as far as it comes from the text, and never as far as it comes from a row. */
class ErrorMessagesIT extends Cases {

    /** Each fails on Bob's row and complains of its e-mail, under SQLStates of many classes. */
    private static final List<String> COMPLAINTS_POSTGRESQL = List.of(
            "email::regnamespace",
            "email::regclass",
            "(email || '.a.b')::regclass",
            "('x.' || email || '.y.z')::regclass",
            "('\"a\"\" ' || email || ' \"\"b\"')::regclass",
            "(email || E'\\n  Position: 1')::regclass",
            "email::regtype",
            "('(' || email)::regtype",
            "email::regrole",
            "email::regproc",
            "email::regconfig",
            "email::regcollation",
            "email::int",
            "email::date",
            "email::json",
            "email::jsonpath",
            "email::xid",
            "to_date(email, 'YYYY')",
            "('a & ' || email || ' (')::tsquery",
            "current_setting(email)",
            "current_setting('a\" ' || email || ' \"b')",
            "has_database_privilege(email, 'connect')",
            "has_table_privilege(email, 'select')",
            "pg_has_role(email, 'usage')",
            "'2020-01-01'::timestamp AT TIME ZONE email",
            "substring('x' from '(' || email)",
            "convert_from('x', email)",
            "encode('x', email)",
            "decode(email, 'hex')",
            "to_number(email, '9')",
            "nextval(email)");

    private static final List<String> COMPLAINTS_MARIADB = List.of(
            "email REGEXP CONCAT('(', email)",
            "'x' REGEXP CONCAT('(', email)",
            "EXTRACTVALUE('<a/>', CONCAT('//', email, '['))",
            "JSON_EXTRACT('{}', email)",
            "CAST(email AS INT)",
            "CAST(email AS DATE)",
            "STR_TO_DATE(email, '%Y')",
            "TO_CHAR(NOW(), email)",
            "CONVERT_TZ(NOW(), email, 'UTC')",
            "EXP(LENGTH(email) * 1000)",
            "POW(10, 300) * LENGTH(email) * POW(10, 300)");

    private static final List<String> COMPLAINTS_H2 = List.of(
            "CAST(\"EMAIL\" AS INT)",
            "CAST(email AS DATE)",
            "CAST(email AS UUID)",
            "PARSEDATETIME(email, 'yyyy')",
            "FORMATDATETIME(CURRENT_TIMESTAMP, email)",
            "REGEXP_LIKE('x', '(' || email)",
            "email LIKE 'x' ESCAPE email",
            "CAST(email AS JSON)",
            "HEXTORAW(email)",
            "DATEADD(email, 1, CURRENT_DATE)");

    private static final List<String> FORMS = List.of(
            "SELECT id FROM users WHERE CASE id WHEN 2 THEN %s END IS NULL AND id IN (1, 1, 1, 1, 1, 1, 1, 1)",
            "WITH d AS (SELECT * FROM users WHERE CASE id WHEN 2 THEN %s END IS NULL) SELECT email FROM d WHERE id = 1",
            "INSERT INTO notes (id, text) SELECT id + 100, name FROM users WHERE CASE id WHEN 2 THEN %s END IS NULL"
                    + " AND id IN (1, 1, 1, 1, 1, 1, 1, 1)");

    @Test
    void aComplaintOfPostgreSqlAboutAHiddenRowDoesNotSayItsValue() throws SQLException {
        on(On.POSTGRESQL);
        assertThatNothingIsTold(COMPLAINTS_POSTGRESQL);
    }

    @Test
    void aComplaintOfMariaDbAboutAHiddenRowDoesNotSayItsValue() throws SQLException {
        on(On.MARIADB);
        assertThatNothingIsTold(COMPLAINTS_MARIADB);
    }

    @Test
    void aComplaintOfH2AboutAHiddenRowDoesNotSayItsValue() throws SQLException {
        on(On.H2);
        assertThatNothingIsTold(COMPLAINTS_H2);
    }

    private void assertThatNothingIsTold(List<String> complaints) throws SQLException {
        Connection connection = connect();
        request(1);
        for (String complaint : complaints) {
            for (String form : FORMS) {
                String sql = String.format(form, complaint);
                assertThat(told(connection, sql)).as(sql).doesNotContainIgnoringCase("SECRET");
                if (!form.startsWith("WITH")) {
                    assertThat(toldInABatch(connection, sql)).as(sql).doesNotContainIgnoringCase("SECRET");
                }
            }
        }
    }

    @Test
    void aMistakeInTheTextIsTold() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);

        assertThat(told(connection, "INSERT INTO notes (id, text) VALUES (1, 'a'), (1, 'b')"))
                .contains("duplicate key value violates unique constraint \"notes_pkey\"")
                .doesNotContain("(1)");
        assertThat(told(connection, "INSERT INTO notes (id, text) VALUES (NULL, 'a')"))
                .contains("null value in column \"id\" of relation \"notes\"");
        assertThat(told(connection, "SELECT lower(id, name) FROM users WHERE id = 1"))
                .contains("lower");
    }

    @Test
    void aMistakeInTheTextIsToldByMariaDb() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);

        assertThat(told(connection, "INSERT INTO notes (id, text) VALUES (1, 'a'), (1, 'b')"))
                .contains("Duplicate entry '…' for key 'PRIMARY'");
        assertThat(told(connection, "INSERT INTO notes (id, text) VALUES (NULL, 'a')"))
                .contains("Column 'id' cannot be null");
    }

    @Test
    void rowsAreNotLeftOutInSilence() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);

        for (String sql : List.of(
                "UPDATE IGNORE users SET email = 'SECRET@x', name = 'probe' WHERE id = 1",
                "UPDATE LOW_PRIORITY IGNORE users SET email = 'SECRET@x' WHERE id = 1",
                "DELETE IGNORE FROM users WHERE id = 2",
                "DELETE QUICK IGNORE FROM users WHERE id = 2")) {
            try (Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.executeUpdate(sql))
                        .as(sql)
                        .isInstanceOf(UnsupportedQueryException.class);
            }
        }
    }

    /** It was refused before, too: after more evaluations than anybody waits for. */
    @Test
    void aJoinOfManyTablesIsAnswered() throws SQLException {
        on(On.H2);
        Connection connection = connect();
        request(1);
        String tables = IntStream.range(0, 60).mapToObj(i -> "users u" + i).collect(Collectors.joining(" CROSS JOIN "));
        String conditions = IntStream.range(1, 60)
                .mapToObj(i -> "u" + (i - 1) + ".salary = u" + i + ".salary")
                .collect(Collectors.joining(" AND "));

        assertThatThrownBy(() -> rows(connection, "SELECT u0.id FROM " + tables + " WHERE " + conditions))
                .isInstanceOf(PrivoxyException.class);
    }

    /** All that an exception says with its causes, the next and the suppressed ones; empty if there was none. */
    private static String told(Connection connection, String sql) {
        return text(catchThrowable(() -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }));
    }

    private static String toldInABatch(Connection connection, String sql) {
        return text(catchThrowable(() -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.addBatch();
                statement.executeBatch();
            }
        }));
    }

    private static String text(Throwable thrown) {
        var text = new StringWriter();
        for (Throwable each = thrown;
                each != null;
                each = each instanceof SQLException sql ? sql.getNextException() : null) {
            each.printStackTrace(new PrintWriter(text, true));
        }
        return text.toString();
    }
}
