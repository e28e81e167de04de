package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.LogCapture;
import io.leeway.testkit.db.TestDatabases;
import io.leeway.testkit.fixtures.Fixture;
import io.leeway.testkit.fixtures.FixtureInstance;
import io.leeway.testkit.fixtures.FixtureLoader;
import io.leeway.testkit.fixtures.Fixtures;
import io.leeway.testkit.fixtures.Page;
import io.leeway.testkit.fixtures.PageQuery;
import io.leeway.testkit.fixtures.PageRun;
import io.leeway.testkit.fixtures.PageRunner;
import io.leeway.testkit.fixtures.Scenario;
import io.leeway.testkit.fixtures.TableRows;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Neither the log nor refusals have a value of a parameter, of a literal or of a row, in no mode. */
class NoValuesInLogsTest {

    private static final long SEED = 7;
    private static final Pattern WORD = Pattern.compile("[\\w.@:/-]+");
    private static final Pattern LITERAL = Pattern.compile("'([^']*)'");

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "calendar, enforce", "social, enforce", "shop, enforce", "grading, enforce",
        "calendar, audit", "social, audit", "shop, audit", "grading, audit"
    })
    void ofTheFixturesViolations(String name, String mode) throws Exception {
        Fixture fixture = Fixtures.all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        FixtureInstance instance = fixture.instance(SEED, 1, 20);
        Set<String> values = new TreeSet<>();
        StringBuilder told = new StringBuilder();
        try (LogCapture log = LogCapture.of("io.leeway.privoxy");
                CheckedDatabase database = new CheckedDatabase(TestDatabases.h2(), directory, fixture.policy());
                Connection plain = database.plain()) {
            FixtureLoader.load(plain, instance);
            for (TableRows table : instance.tables()) {
                table.rows().forEach(row -> row.forEach(value -> add(values, value)));
            }
            try (Connection checked = database.connect("privoxyMode", mode, "privoxyExplain", "counterexample")) {
                checked.setAutoCommit(false);
                for (Scenario scenario : instance.scenarios()) {
                    for (Page page : scenario.violations()) {
                        page.context().values().forEach(value -> add(values, value));
                        for (PageRun.Execution execution : run(checked, page)) {
                            execution.statement().parameters().forEach(value -> add(values, value));
                            literals(execution.statement().sql(), values);
                            tell(told, execution.failure());
                        }
                    }
                }
            }
            told.append(log.text());
            if (mode.equals("audit")) {
                assertThat(log.text()).contains("audit mode").contains("PRIVOXY-12");
            } else {
                assertThat(told).contains("PRIVOXY-12", "Counterexample");
            }
        }
        // What the policy and the schema say themselves is no data.
        String open = (fixture.policy() + fixture.schema()).toLowerCase(Locale.ROOT);
        values.removeIf(value -> open.contains(value.toLowerCase(Locale.ROOT)));
        assertThat(values).hasSizeGreaterThan(50);

        assertThat(found(values, told.toString()))
                .as("values in what %s was told", name)
                .isEmpty();
    }

    /** Each page as it is, and its refused statements once more with the values in the text. */
    private static List<PageRun.Execution> run(Connection checked, Page page) throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(page.context())) {
            List<PageRun.Execution> executions =
                    new ArrayList<>(PageRunner.run(checked, page).executions());
            checked.rollback();
            for (PageRun.Execution execution : List.copyOf(executions)) {
                PageQuery.Bound inlined = inlined(execution.statement());
                try (Statement statement = checked.createStatement()) {
                    statement.execute(inlined.sql());
                } catch (SQLException refused) {
                    executions.add(new PageRun.Execution(execution.query(), inlined, List.of(), refused));
                }
                checked.rollback();
            }
            return executions;
        }
    }

    private static PageQuery.Bound inlined(PageQuery.Bound bound) {
        String sql = bound.sql();
        for (Object parameter : bound.parameters()) {
            String literal = parameter == null
                    ? "NULL"
                    : parameter instanceof Number || parameter instanceof Boolean
                            ? parameter.toString()
                            : "'" + parameter.toString().replace("'", "''") + "'";
            sql = sql.replaceFirst("\\?", Matcher.quoteReplacement(literal));
        }
        return new PageQuery.Bound(sql, List.of());
    }

    @Test
    void ofValuesThatOccurNowhereElse() throws SQLException {
        String secret = "xq7secret";
        long number = 918_273_645L;
        List<String> texts = List.of(
                "SELECT secret FROM notes WHERE id = 918273645",
                "SELECT secret FROM notes WHERE secret = 'xq7secret'",
                "SELECT secret FROM notes WHERE secret IN ('xq7secret', 'b') OR id + 918273645 > 2",
                "SELECT id FROM notes WHERE secret LIKE 'xq7secret%' LIMIT 918273645",
                "SELECT unknown_function('xq7secret', 918273645) FROM notes",
                "SELECT secret FROM notes WHERE id = 918273645 FETCH NONSENSE 'xq7secret'",
                "SELECT 'xq7secret FROM notes",
                "SELECT secret FROM nowhere WHERE id = 918273645",
                "SELECT nothing FROM notes WHERE id = 918273645 AND secret = 'xq7secret'",
                "INSERT INTO notes SELECT 918273645, 'xq7secret' FROM notes WHERE secret = 'xq7secret'",
                "UPDATE notes SET secret = 'xq7secret' WHERE secret = 'xq7secret'",
                "DELETE FROM notes WHERE id = 918273645 AND secret <> 'xq7secret'",
                "CALL ABS(918273645) + xq7('xq7secret')",
                "CREATE VIEW v AS SELECT 'xq7secret' FROM notes WHERE id = 918273645",
                "INSERT INTO notes VALUES (918273645, 'xq7secret')",
                "INSERT INTO notes VALUES (1, 'xq7secretxq7secretxq7secretxq7secret')",
                "INSERT INTO notes VALUES (2, CAST('xq7secret' AS INT))",
                "SET @x = 'xq7secret'",
                "SET privoxy.MyUId = 'xq7secret'",
                "SET privoxy.Other = 918273645",
                "/* xq7secret */ SELECT secret FROM notes -- 918273645");
        for (String mode : List.of("enforce", "audit")) {
            StringBuilder told = new StringBuilder();
            int failed = 0;
            try (LogCapture log = LogCapture.of("io.leeway.privoxy");
                    CheckedDatabase database = new CheckedDatabase(
                            TestDatabases.h2(),
                            directory,
                            "CREATE CONTEXT MyUId BIGINT; CREATE VIEW mine AS SELECT * FROM notes WHERE id = ?MyUId;",
                            "CREATE TABLE notes (id BIGINT PRIMARY KEY, secret VARCHAR(20))",
                            "INSERT INTO notes VALUES (918273645, 'xq7secret')");
                    Connection checked = database.connect("privoxyMode", mode, "privoxyExplain", "counterexample")) {
                for (Map<String, Long> context :
                        List.of(Map.<String, Long>of(), Map.of("MyUId", 5L), Map.of("MyUId", number))) {
                    for (String text : texts) {
                        try (PrivoxyRequest request = Privoxy.begin(context)) {
                            execute(checked, text);
                        } catch (SQLException refused) {
                            failed++;
                            // In audit mode texts are sent, and the database's own errors quote them.
                            if (mode.equals("enforce") || refused instanceof PrivoxyException) {
                                tell(told, refused);
                            }
                        }
                    }
                }
                told.append(log.text());
            }
            assertThat(failed).isGreaterThan(mode.equals("enforce") ? texts.size() : 10);
            assertThat(told.toString().lines())
                    .as("in %s mode", mode)
                    .noneMatch(line -> line.contains(secret) || line.contains(Long.toString(number)));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        rows.getObject(1);
                    }
                }
            }
        }
    }

    private static void tell(StringBuilder told, @Nullable Throwable failure) {
        Set<Throwable> seen = new HashSet<>();
        List<Throwable> left = new ArrayList<>();
        if (failure != null) {
            left.add(failure);
        }
        while (!left.isEmpty()) {
            Throwable next = left.remove(left.size() - 1);
            if (seen.add(next)) {
                told.append(next).append('\n');
                left.addAll(List.of(next.getSuppressed()));
                Stream.of(next.getCause(), next instanceof SQLException sql ? sql.getNextException() : null)
                        .filter(each -> each != null)
                        .forEach(left::add);
            }
        }
    }

    private static void literals(String sql, Set<String> values) {
        Matcher literal = LITERAL.matcher(sql);
        while (literal.find()) {
            add(values, literal.group(1));
        }
    }

    /** Short texts and small numbers occur everywhere and would prove nothing. */
    private static void add(Set<String> values, @Nullable Object value) {
        if (value instanceof Collection<?> several) {
            several.forEach(each -> add(values, each));
        } else if (value != null
                && !(value instanceof Boolean)
                && value.toString().length() >= 5) {
            values.add(value.toString());
        }
    }

    private static List<String> found(Set<String> values, String told) {
        Set<String> words = new HashSet<>();
        Matcher word = WORD.matcher(told);
        while (word.find()) {
            words.add(word.group());
        }
        return values.stream()
                .filter(value -> WORD.matcher(value).matches() ? words.contains(value) : told.contains(value))
                .toList();
    }
}
