package io.leeway.privoxy.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Quotes, escapes, comments and numbers, one by one: how we read them and what the real server makes of them, from the
 * tables in {@code lexer-*.txt}. What we read means the same to the server, what means something else is refused.
 */
class LexerTableIT {

    private static final String SEPARATOR = "  =>  ";
    private static final String MODE = "sql_mode ";
    private static final Pattern CHARACTER = Pattern.compile("\\{U\\+([0-9A-F]{4})}");

    /** A line of a table. */
    private record Line(String text, String reading, String onServer) {

        static Line of(String line) {
            String[] parts = line.split(SEPARATOR, -1);
            assertThat(parts).as(line).hasSize(3);
            return new Line(parts[0], parts[1], parts[2]);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void everyLineIsReadAsTheServerReadsIt(Dialect dialect) throws SQLException {
        var wrong = new ArrayList<String>();
        try (TestDatabase database = server(dialect).freshDatabase("lexer");
                Connection connection = database.connect()) {
            SqlOptions options = SqlOptions.of(dialect);
            if (dialect == Dialect.MARIADB) {
                options = mode(connection, "");
            }
            for (String line : lines(dialect)) {
                if (line.startsWith(MODE)) {
                    options = mode(connection, line.substring(MODE.length()));
                } else {
                    Line expected = Line.of(line);
                    String sql = "SELECT " + unescaped(expected.text());
                    var actual = new Line(
                            expected.text(),
                            reading(sql, options.withJdbcParameters(false)),
                            onServer(connection, sql));
                    if (!actual.equals(expected)) {
                        wrong.add(options + "\nexpected " + expected + "\nbut was  " + actual);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static DatabaseServer server(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> TestDatabases.postgres();
            case MARIADB -> TestDatabases.mariadb();
            case H2 -> TestDatabases.h2();
        };
    }

    private static SqlOptions mode(Connection connection, String mode) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SET sql_mode = '" + mode + "'");
        }
        return SqlOptions.ofSqlMode(mode);
    }

    private static List<String> lines(Dialect dialect) {
        String name = "lexer-" + dialect.name().toLowerCase(Locale.ROOT) + ".txt";
        try (InputStream in = Objects.requireNonNull(LexerTableIT.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("# "))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tokens behind SELECT, or the construct that is refused, by lexer or parser. */
    private static String reading(String sql, SqlOptions options) {
        try {
            SqlParser.parse(sql, options);
        } catch (UnsupportedSqlException refusal) {
            return "REFUSED " + refusal.construct();
        }
        Tokens tokens = Lexer.tokens(sql, options);
        var reading = new StringJoiner(" ");
        for (int i = 1; i < tokens.size() - 1; i++) {
            reading.add(tokens.kind(i) + ":" + tokens.text(i));
        }
        return escaped(reading.toString());
    }

    private static String onServer(Connection connection, String sql) {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return escaped(String.valueOf(row.getString(1)));
        } catch (SQLException notAccepted) {
            return "ERROR";
        }
    }

    private static String unescaped(String text) {
        return CHARACTER
                .matcher(text.replace('\u00B6', '\n'))
                .replaceAll(match -> Character.toString(Integer.parseInt(match.group(1), 16)));
    }

    private static String escaped(String text) {
        var escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                escaped.append('\u00B6');
            } else if (c < ' ' || c > '~') {
                escaped.append("{U+%04X}".formatted((int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
