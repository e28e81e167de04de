package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.UndecidedQueryException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Collections;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is said of mistakes: what was given, what was expected, what to do; and the SQLState that frameworks look for. */
class WordsIT extends Cases {

    private SQLException refusal(Connection connection, String sql, @Nullable Map<String, ?> context) {
        if (context != null) {
            opened(Privoxy.begin(context));
        }
        return catchThrowableOfType(SQLException.class, () -> rows(connection, sql));
    }

    @Test
    void aContextValueOfAnotherTypeIsNamedWithBothTypes() throws SQLException {
        on(On.H2);
        SQLException refusal = refusal(connect(), "SELECT email FROM users WHERE id = 1", Map.of("MyUId", "anna"));

        assertThat((Throwable) refusal)
                .hasMessageContaining("What the request gives as MyUId is text and cannot be read as BIGINT")
                .message()
                .doesNotContain("anna");
    }

    @Test
    void aMisspeltContextNameIsNamed() throws SQLException {
        on(On.H2);
        SQLException refusal = refusal(connect(), "SELECT email FROM users WHERE id = 1", Map.of("MyUid", 1L));

        assertThat((Throwable) refusal)
                .hasMessageContaining(
                        "The request gives MyUid, which the policy does not declare, did you mean MyUId?");
    }

    @Test
    void aContextValueThatIsNullIsGivenAsTheReason() throws SQLException {
        on(On.H2);
        SQLException refusal =
                refusal(connect(), "SELECT email FROM users WHERE id = 1", Collections.singletonMap("MyUId", null));

        assertThat((Throwable) refusal).hasMessageContaining("In this request MyUId is NULL, which equals nothing");
    }

    /** A paper is shown whatever its flags are, by one view for each flag that is the first to be set: many cases. */
    @Test
    void whatIsUndecidedIsNotCalledNotShown() throws SQLException {
        var policy = new StringBuilder();
        var table = new StringBuilder("CREATE TABLE papers (id BIGINT PRIMARY KEY");
        var unset = new StringBuilder();
        for (char flag = 'a'; flag < 'h'; flag++) {
            table.append(", f").append(flag).append(" BOOLEAN NOT NULL");
            policy.append("CREATE VIEW first_").append(flag).append(" AS SELECT id FROM papers WHERE ");
            policy.append(unset).append('f').append(flag).append(" = TRUE;\n");
            unset.append('f').append(flag).append(" = FALSE AND ");
        }
        policy.append("CREATE VIEW none AS SELECT id FROM papers WHERE ")
                .append(unset)
                .append("id = id;\n");
        on(On.H2, policy.toString(), new String[] {table + ")"});
        Connection connection = connect("privoxySolver", "off");
        request(1);
        SQLException refusal = refusal(connection, "SELECT id FROM papers", null);

        assertThat((Throwable) refusal).isInstanceOf(UndecidedQueryException.class);
        assertThat((Throwable) refusal)
                .hasMessageContaining("It was not found out whether the policy shows ID of PAPERS");
    }

    @Test
    void theReasonOfAConditionIsTheColumnThatItReads() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        SQLException refusal = refusal(connection, "SELECT id FROM users WHERE email REGEXP 'bob'", null);

        assertThat((Throwable) refusal)
                .message()
                .contains("users.email")
                .doesNotContain("column users.id is not shown");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void badGrammarAndUnknownNamesHaveTheStatesThatFrameworksLookFor(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        request(1);

        assertState(connection, "SELECT title FORM events", "42601", PrivoxyErrorCode.SQL_GRAMMAR);
        assertState(connection, "SELEC title FROM events", "42601", PrivoxyErrorCode.SQL_GRAMMAR);
        assertState(connection, "SELECT title FROM evnts", "42P01", PrivoxyErrorCode.NO_TABLE);
        assertState(connection, "INSERT INTO evnts VALUES (1)", "42P01", PrivoxyErrorCode.NO_TABLE);
        assertState(connection, "SELECT titel FROM events", "42703", PrivoxyErrorCode.NO_COLUMN);
        assertState(connection, "SELECT e.titel FROM events e", "42703", PrivoxyErrorCode.NO_COLUMN);
        assertState(connection, "SELECT x.title FROM events e", "42703", PrivoxyErrorCode.NO_COLUMN);
        assertState(
                connection,
                "SELECT id FROM users u, posts p WHERE u.id = p.author_id",
                "42703",
                PrivoxyErrorCode.NO_COLUMN);
    }

    private void assertState(Connection connection, String sql, String state, PrivoxyErrorCode code) {
        SQLException refusal = refusal(connection, sql, null);
        assertThat((Throwable) refusal)
                .as(sql)
                .isInstanceOf(PrivoxyException.class)
                .message()
                .contains("at line 1, column ");
        assertThat(((PrivoxyException) refusal).code()).as(sql).isEqualTo(code);
        assertThat(refusal.getSQLState()).as(sql).isEqualTo(state);
    }

    @Test
    void aViewWithoutItsKeyIsOfferedTheRemedy() throws SQLException {
        on(On.H2, "CREATE VIEW titles AS SELECT title FROM posts;");
        Connection connection = connect();
        request(1);

        assertThat((Throwable) refusal(connection, "SELECT title FROM posts", null))
                .hasMessageContaining("SELECT DISTINCT does without, or let the view show the key.");
        assertThat(rows(connection, "SELECT DISTINCT title FROM posts")).hasSize(3);
        assertThat((Throwable) refusal(connection, "SELECT id FROM posts", null))
                .message()
                .doesNotContain("SELECT DISTINCT does without");
    }

    @Test
    void timesOfJdbcAreContextValues() throws SQLException {
        on(
                On.POSTGRESQL,
                "CREATE CONTEXT Since TIMESTAMP; CREATE VIEW new_logs AS SELECT * FROM logs WHERE at >= ?Since;",
                new String[] {
                    "CREATE TABLE logs (id BIGINT PRIMARY KEY, at TIMESTAMP NOT NULL)",
                    "INSERT INTO logs VALUES (1, '2026-01-01 10:00:00'), (2, '2026-01-03 10:00:00')"
                });
        Connection connection = connect();
        opened(Privoxy.begin(Map.of("Since", Timestamp.valueOf("2026-01-02 00:00:00"))));

        assertThat(rows(connection, "SELECT id FROM logs WHERE at >= TIMESTAMP '2026-01-02 00:00:00'"))
                .containsExactly("2");
        assertRefused(connection, "SELECT id FROM logs");
    }

    @Test
    void aPolicyWithoutViewsIsWarnedOf() throws SQLException {
        var warnings = new StringBuilder();
        var handler = new Handler() {
            @Override
            public void publish(LogRecord log) {
                warnings.append(log.getMessage()).append(java.util.Arrays.toString(log.getParameters()));
            }

            @Override
            public void flush() {
                // Nothing is kept back.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
        Logger logger = Logger.getLogger("io.leeway.privoxy");
        logger.addHandler(handler);
        opened((AutoCloseable) () -> logger.removeHandler(handler));

        on(On.H2, "-- nothing yet");
        Connection connection = connect();

        assertThat(connection.isValid(1)).isTrue();
        assertThat(warnings.toString()).contains("the policy has no view, so every query of a table is refused");
    }
}
