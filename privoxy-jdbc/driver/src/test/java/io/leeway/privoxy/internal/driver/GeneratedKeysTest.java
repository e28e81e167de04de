package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

class GeneratedKeysTest {

    private static final String UPDATE = "UPDATE posts SET text = 'x' WHERE id = 1";

    @Test
    void askingForKeysIsDecidedOnAsReturningTheColumns() throws SQLException {
        try (var database = new CheckedH2();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(UPDATE, Statement.RETURN_GENERATED_KEYS);
            statement.executeUpdate(UPDATE, new String[] {"ID", "text"});
            statement.execute(UPDATE, new int[] {1});
            statement.executeLargeUpdate(UPDATE, Statement.NO_GENERATED_KEYS);
            try (PreparedStatement prepared = connection.prepareStatement(UPDATE, new String[] {"id"})) {
                prepared.executeUpdate();
            }

            assertThat(database.guard.checked)
                    .containsExactly(
                            UPDATE + "\nRETURNING *",
                            UPDATE + "\nRETURNING ID, text",
                            UPDATE + "\nRETURNING *",
                            UPDATE,
                            UPDATE + "\nRETURNING id");
        }
    }

    @Test
    void postgresQuotesNamesAndMariaDbGivesItsNumbersWhateverIsNamed() {
        var mode = ReadingMode.PREPARED;
        String[] names = {"Id", "a\"b"};

        assertThat(GeneratedKeys.byName(Dialect.POSTGRESQL, mode, names).generatedKeys())
                .containsExactly("\"Id\"", "\"a\"\"b\"");
        assertThat(GeneratedKeys.all(mode, Statement.RETURN_GENERATED_KEYS).generatedKeys())
                .containsExactly("*");
        assertThat(GeneratedKeys.all(mode, Statement.NO_GENERATED_KEYS)).isSameAs(mode);
        assertThat(GeneratedKeys.byName(Dialect.MARIADB, mode, names).generatedKeys())
                .containsExactly("*");
        assertThat(GeneratedKeys.byName(Dialect.MARIADB, mode, new String[0]).generatedKeys())
                .containsExactly("*");
        assertThat(GeneratedKeys.ofBatch(Dialect.MARIADB, mode).generatedKeys()).containsExactly("*");
        assertThat(GeneratedKeys.ofBatch(Dialect.H2, mode)).isSameAs(mode);
        assertThat(GeneratedKeys.byIndex(Dialect.POSTGRESQL, mode, new int[0])).isSameAs(mode);
    }

    @Test
    void aTextThatReturnsByItselfIsDecidedOnAsItIs() throws SQLException {
        String sql = "INSERT INTO posts (id) VALUES (1) RETURNING id;";

        assertThat(read(sql, true)).isEqualTo("plain");
    }

    @Test
    void theWordInParenthesesDoesNotCount() {
        String sql = "WITH a AS (DELETE FROM posts RETURNING id) INSERT INTO log (id) SELECT id FROM a";

        assertThatThrownBy(() -> read(sql, true)).isInstanceOf(UnsupportedQueryException.class);
    }

    @Test
    void theWordDoesNotCountWhereTheDriverReturnsKeysByItself() {
        String sql = "INSERT INTO posts (id) SELECT returning FROM posts";

        assertThatThrownBy(() -> read(Dialect.H2, sql, true)).isInstanceOf(UnsupportedQueryException.class);
    }

    @Test
    void theWordInAStringDoesNotCount() {
        String sql = "INSERT INTO posts (text) VALUES ('returning')";

        assertThatThrownBy(() -> read(sql, true)).isInstanceOf(UnsupportedQueryException.class);
    }

    @Test
    void aSemicolonAndACommentAtTheEndAreNoWayAround() throws SQLException {
        assertThat(read("DELETE FROM posts; -- done", false)).isEqualTo("DELETE FROM posts\nRETURNING *");
        assertThat(read("DELETE FROM posts -- done", false)).isEqualTo("DELETE FROM posts -- done\nRETURNING *");
    }

    @Test
    void severalStatementsWithKeysAreRefused() {
        assertThatThrownBy(() -> read("DELETE FROM posts; DELETE FROM people", false))
                .hasMessageContaining("PRIVOXY-1302");
    }

    /** What was read; the reader either takes every text or does not understand RETURNING twice or at all. */
    private static String read(String sql, boolean fails) throws SQLException {
        return read(Dialect.POSTGRESQL, sql, fails);
    }

    private static String read(Dialect dialect, String sql, boolean fails) throws SQLException {
        var mode = ReadingMode.PREPARED.returning(List.of("*"));
        var seen = new StringBuilder();
        GuardedStatement read = GeneratedKeys.read(dialect, sql, mode, UnreadStatement.INSTANCE, text -> {
            seen.append(text);
            if (fails) {
                throw UnsupportedQueryException.sql("RETURNING", 0, 1, 1);
            }
            return new FakeGuard().statement(text);
        });
        return read == UnreadStatement.INSTANCE ? "plain" : seen.toString();
    }
}
