package io.leeway.it.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages tell people to write is compiled and run, on the database that they name first. */
class SnippetsIT {

    private static final Path QUICK_START = Repository.ROOT.resolve("docs/privoxy/README.md");
    private static final Path CONFIGURATION = Repository.ROOT.resolve("docs/privoxy/configuration.md");
    private static final String EVENT = "SELECT title FROM events WHERE id = 5";

    @TempDir
    Path directory;

    @Test
    void theQuickStartDoesWhatItSays() throws Exception {
        List<String> policies = Snippets.of(QUICK_START, "sql");
        assertThat(policies).hasSize(1);
        Path policy = Files.writeString(directory.resolve("policy.sql"), policies.get(0));
        try (TestDatabase database = calendar();
                Connection connection = connect(database, policy);
                Statement statement = connection.createStatement()) {
            assertThat(first(statement, "SELECT name FROM users WHERE id = 1")).isEqualTo("Ada");
            try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
                SQLException refusal = catchThrowableOfType(SQLException.class, () -> statement.executeQuery(EVENT));
                assertThat(refusal.getSQLState()).isEqualTo("42501");
                assertThat(first(statement, "SELECT event_id FROM attendances WHERE user_id = 2"))
                        .isEqualTo("5");
                assertThat(first(statement, EVENT)).isEqualTo("Planning");
                assertThat(request.isOpen()).isTrue();
            }
        }
    }

    @Test
    void theOtherWaysToSayWhoAsksWork() throws Exception {
        Path policy = Files.writeString(
                directory.resolve("policy.sql"), Snippets.of(QUICK_START, "sql").get(0));
        String mine = "SELECT event_id FROM attendances WHERE user_id = 2";
        assertThat(Files.readString(QUICK_START))
                .contains("Connection.setClientInfo(\"privoxy.MyUId\", \"2\")")
                .contains("SET privoxy.MyUId = 2");
        try (TestDatabase database = calendar()) {
            try (Connection connection = connect(database, policy);
                    Statement statement = connection.createStatement()) {
                connection.setClientInfo("privoxy.MyUId", "2");
                assertThat(first(statement, mine)).isEqualTo("5");
            }
            try (Connection connection = connect(database, policy);
                    Statement statement = connection.createStatement()) {
                statement.execute("SET privoxy.MyUId = 2");
                assertThat(first(statement, mine)).isEqualTo("5");
            }
        }
    }

    @Test
    void javaSnippetsCompileAndRun() throws Exception {
        Files.writeString(
                directory.resolve("policy.sql"), Snippets.of(QUICK_START, "sql").get(0));
        try (TestDatabase database = calendar()) {
            int run = 0;
            for (Path page : List.of(QUICK_START, CONFIGURATION)) {
                for (String snippet : Snippets.of(page, "java")) {
                    run(
                            snippet.replace(
                                    "\"policy.sql\"",
                                    '"' + directory.resolve("policy.sql").toString() + '"'),
                            database.dataSource());
                    run++;
                }
            }
            assertThat(run).isPositive();
        }
    }

    /** Compiles a snippet as the body of a method that has a pool, and runs it. */
    private void run(String snippet, DataSource pool) throws Exception {
        String source = """
                import io.leeway.privoxy.*;
                import java.sql.*;
                import java.util.*;
                import javax.sql.DataSource;
                public class Snippet {
                    public static void run(DataSource pool) throws Exception {
                        %s
                    }
                }
                """.formatted(snippet);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var said = new StringWriter();
        var file = new SimpleJavaFileObject(URI.create("string:///Snippet.java"), SimpleJavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        List<String> options =
                List.of("-proc:none", "-d", directory.toString(), "-classpath", System.getProperty("java.class.path"));
        boolean compiled =
                compiler.getTask(said, null, null, options, null, List.of(file)).call();
        assertThat(compiled).as(snippet + said).isTrue();
        try (var loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            loader.loadClass("Snippet").getMethod("run", DataSource.class).invoke(null, pool);
        }
    }

    private static TestDatabase calendar() throws SQLException {
        return TestDatabases.postgres()
                .freshDatabase("snippets")
                .execute(
                        "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(120) NOT NULL)",
                        "CREATE TABLE events (id BIGINT PRIMARY KEY, title VARCHAR(200) NOT NULL)",
                        "CREATE TABLE attendances (user_id BIGINT REFERENCES users (id),"
                                + " event_id BIGINT REFERENCES events (id), PRIMARY KEY (user_id, event_id))",
                        "INSERT INTO users VALUES (1, 'Ada'), (2, 'Ben')",
                        "INSERT INTO events VALUES (5, 'Planning')",
                        "INSERT INTO attendances VALUES (2, 5)");
    }

    private static Connection connect(TestDatabase database, Path policy) throws SQLException {
        String url = database.jdbcUrl().replaceFirst("^jdbc:", "jdbc:privoxy:");
        return DriverManager.getConnection(
                url + (url.contains("?") ? "&" : "?") + "privoxyPolicy=" + policy,
                database.user(),
                database.password());
    }

    private static String first(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            String value = rows.getString(1);
            while (rows.next()) {
                // Read to the end, as an application would.
                assertThat(rows.getRow()).isPositive();
            }
            return value;
        }
    }
}
