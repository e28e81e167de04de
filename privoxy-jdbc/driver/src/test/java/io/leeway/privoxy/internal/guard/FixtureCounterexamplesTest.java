package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.TestDatabases;
import io.leeway.testkit.fixtures.Fixture;
import io.leeway.testkit.fixtures.FixtureInstance;
import io.leeway.testkit.fixtures.FixtureLoader;
import io.leeway.testkit.fixtures.Fixtures;
import io.leeway.testkit.fixtures.Page;
import io.leeway.testkit.fixtures.PageQuery;
import io.leeway.testkit.fixtures.PageRun;
import io.leeway.testkit.fixtures.PageRunner;
import io.leeway.testkit.fixtures.Row;
import io.leeway.testkit.fixtures.Scenario;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The counterexamples that refusals print are what they say: typed into two databases of H2, with all constraints, they
 * look the same through every view of the policy, give what the page had read before, and differ in the answer.
 */
class FixtureCounterexamplesTest {

    private static final long SEED = 7;
    private static final Pattern ORDER = Pattern.compile("SELECT (.* ORDER BY ([\\w.]+))");
    private static final Pattern VIEW = Pattern.compile("(?s)CREATE VIEW (\\w+) AS\\s+(.*)");
    private static final Pattern ASSERTION =
            Pattern.compile("(?s)CREATE ASSERTION (\\w+) AS\\s+(.*?)\\s+IS (?:EMPTY|CONTAINED IN\\s+(.*))");

    /** Values that no fixture has: the first is 101, and dates are those of the year 2000. */
    private static final Pattern MADE_UP = Pattern.compile("text\\d+|[12]\\d\\d([.]0+)?|2000-.*");

    @TempDir
    Path directory;

    static Stream<Fixture> fixtures() {
        return Fixtures.all().stream();
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void areOnesWhenRun(Fixture fixture) throws Exception {
        FixtureInstance instance = fixture.instance(SEED, 1, 20);
        try (CheckedDatabase database = new CheckedDatabase(TestDatabases.h2(), directory, fixture.policy());
                Connection plain = database.plain();
                Twin first = new Twin(fixture);
                Twin second = new Twin(fixture)) {
            FixtureLoader.load(plain, instance);
            int printed = 0;
            int refusals = 0;
            try (Connection checked = database.connect("privoxyExplain", "counterexample", "privoxyValues", "true")) {
                checked.setAutoCommit(false);
                for (Scenario scenario : instance.scenarios()) {
                    for (Page page : scenario.violations()) {
                        PageRun run = run(checked, page);
                        for (int i = 0; i < run.count(); i++) {
                            if (run.executions().get(i).failure() instanceof PolicyViolationException refused) {
                                refusals++;
                                String text = refused.refusal().counterexample();
                                if (!text.isEmpty()) {
                                    printed++;
                                    holds(text, fixture, page, run.executions().subList(0, i + 1), first, second);
                                }
                            }
                        }
                    }
                }
            }
            System.out.printf("%s: %d refusals, %d with a counterexample%n", fixture.name(), refusals, printed);
            assertThat(printed).as("counterexamples of %d refusals", refusals).isEqualTo(refusals);
        }
    }

    private static PageRun run(Connection checked, Page page) throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(page.context())) {
            PageRun run = PageRunner.run(checked, page);
            checked.rollback();
            return run;
        }
    }

    private static void holds(
            String text, Fixture fixture, Page page, List<PageRun.Execution> executions, Twin first, Twin second)
            throws SQLException {
        String what = fixture.name() + ", " + page.name() + ": " + text;
        int middle = text.indexOf("\nDatabase 2\n");
        first.fill(text.substring(0, middle));
        second.fill(text.substring(middle));

        for (Map.Entry<String, String> view : views(fixture, page).entrySet()) {
            assertThat(first.set(view.getValue()))
                    .as("view %s of %s", view.getKey(), what)
                    .isEqualTo(second.set(view.getValue()));
        }
        for (Twin twin : List.of(first, second)) {
            for (String breach : breaches(fixture)) {
                assertThat(twin.set(breach)).as("%s in %s", breach, what).isEmpty();
            }
        }
        PageRun.Execution refused = executions.get(executions.size() - 1);
        PageQuery.Bound asked = withItsOrder(refused.statement());
        assertThat(first.rows(asked)).as("the answer to %s in %s", asked, what).isNotEqualTo(second.rows(asked));
        for (PageRun.Execution earlier : executions.subList(0, executions.size() - 1)) {
            for (Twin twin : List.of(first, second)) {
                for (Row seen : earlier.rows()) {
                    assertThat(twin.rows(earlier.statement()))
                            .as("row %s of %s, seen before, in %s", seen, earlier.statement(), what)
                            .anyMatch(row -> fits(row, seen.values()));
                }
            }
        }
    }

    /** Sorting is decided on as a look at what is sorted by: two rows would show it, one row does not. */
    private static PageQuery.Bound withItsOrder(PageQuery.Bound bound) {
        Matcher order = ORDER.matcher(bound.sql());
        return order.matches()
                ? new PageQuery.Bound("SELECT " + order.group(2) + ", " + order.group(1), bound.parameters())
                : bound;
    }

    /** Whether a row is one that was seen, apart from values that were not remembered and then made up. */
    private static boolean fits(List<@Nullable Object> row, List<@Nullable Object> seen) {
        for (int i = 0; i < seen.size(); i++) {
            Object cell = row.get(i);
            boolean isMadeUp = cell == null
                    || cell instanceof Boolean
                    || MADE_UP.matcher(cell.toString()).matches();
            if (!isMadeUp && !cell.equals(seen.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The policy's views with this page's context in place of their parameters; those that lack one show nothing. */
    private static Map<String, String> views(Fixture fixture, Page page) {
        Map<String, String> views = new LinkedHashMap<>();
        for (String statement : statements(fixture.policy())) {
            Matcher view = VIEW.matcher(statement);
            if (view.matches()) {
                String sql = view.group(2);
                for (Map.Entry<String, @Nullable Object> parameter :
                        page.context().entrySet()) {
                    sql = sql.replace("?" + parameter.getKey(), literal(parameter.getValue()));
                }
                if (!sql.contains("?")) {
                    views.put(view.group(1), sql);
                }
            }
        }
        return views;
    }

    /** Queries whose answers break the policy's assertions. */
    private static List<String> breaches(Fixture fixture) {
        List<String> breaches = new ArrayList<>();
        for (String statement : statements(fixture.policy())) {
            Matcher assertion = ASSERTION.matcher(statement);
            if (assertion.matches()) {
                breaches.add(
                        assertion.group(3) == null
                                ? assertion.group(2)
                                : assertion.group(2) + " EXCEPT " + assertion.group(3));
            }
        }
        return breaches;
    }

    private static List<String> statements(String script) {
        return Stream.of(script.replaceAll("--.*", "").split(";"))
                .map(String::strip)
                .toList();
    }

    private static String literal(@Nullable Object value) {
        if (value == null) {
            return "CAST(NULL AS BIGINT)";
        }
        return value instanceof Number ? value.toString() : "'" + value + "'";
    }

    /** A database with the fixture's schema, for one of the two databases of a counterexample. */
    private static final class Twin implements AutoCloseable {

        private final Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        private final Set<String> tables = new TreeSet<>();

        Twin(Fixture fixture) throws SQLException {
            FixtureLoader.createSchema(connection, fixture);
            try (Statement statement = connection.createStatement();
                    ResultSet names = statement.executeQuery("SELECT table_name FROM information_schema.tables"
                            + " WHERE table_schema = 'PUBLIC' ORDER BY table_name")) {
                while (names.next()) {
                    tables.add(names.getString(1));
                }
            }
            // Texts that are made up know nothing of a column's length.
            List<String> changes = new ArrayList<>();
            for (List<@Nullable Object> column : rows(new PageQuery.Bound(
                    "SELECT table_name, column_name FROM information_schema.columns"
                            + " WHERE table_schema = 'PUBLIC' AND data_type = 'CHARACTER VARYING'",
                    List.of()))) {
                changes.add(
                        "ALTER TABLE " + column.get(0) + " ALTER COLUMN " + column.get(1) + " SET DATA TYPE VARCHAR");
            }
            try (Statement statement = connection.createStatement()) {
                for (String change : changes) {
                    statement.execute(change);
                }
            }
        }

        /** Types in what is printed: a table's line is indented by two, a row's by four. */
        void fill(String printed) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET REFERENTIAL_INTEGRITY FALSE");
                for (String table : tables) {
                    statement.execute("TRUNCATE TABLE " + table);
                }
                String table = "";
                for (String line : printed.lines().toList()) {
                    if (line.startsWith("    (")) {
                        statement.execute(insert(table, line.strip()));
                    } else if (line.startsWith("  ") && !line.equals("  (empty)")) {
                        table = line.strip();
                    }
                }
                statement.execute("SET REFERENTIAL_INTEGRITY TRUE");
                for (String each : tables) {
                    statement.execute("ALTER TABLE " + each + " SET REFERENTIAL_INTEGRITY TRUE CHECK");
                }
            }
        }

        /** Columns that do not matter are not printed: whatever stands there, if it is the same in both databases. */
        private String insert(String table, String row) throws SQLException {
            String sql = "INSERT INTO " + table + " VALUES " + row;
            if (!table.endsWith(", …)")) {
                return sql;
            }
            String name = table.substring(0, table.indexOf(' '));
            List<String> shown = List.of(
                    table.substring(table.indexOf('(') + 1, table.length() - 1).split(", "));
            StringBuilder columns = new StringBuilder();
            StringBuilder values = new StringBuilder();
            for (List<@Nullable Object> column : rows(new PageQuery.Bound(
                    "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'PUBLIC'"
                            + " AND table_name = ? AND is_nullable = 'NO'",
                    List.of(name)))) {
                if (!shown.contains(String.valueOf(column.get(0)))) {
                    columns.append(", ").append(column.get(0));
                    int number = 100 + Math.floorMod((name + column.get(0)).hashCode(), 100);
                    values.append(", ").append(madeUp(String.valueOf(column.get(1)), number));
                }
            }
            return sql.replace(", …) VALUES", columns + ") VALUES").replaceFirst(", …\\)$", values + ")");
        }

        private static String madeUp(String type, int number) {
            return switch (type) {
                case "BOOLEAN" -> "FALSE";
                case "DATE", "TIMESTAMP" -> "'2000-01-01'";
                case "CHARACTER VARYING" -> "'text" + number + "'";
                default -> String.valueOf(number);
            };
        }

        Set<List<@Nullable Object>> set(String sql) throws SQLException {
            return new HashSet<>(rows(new PageQuery.Bound(sql, List.of())));
        }

        List<List<@Nullable Object>> rows(PageQuery.Bound bound) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(bound.sql())) {
                for (int i = 0; i < bound.parameters().size(); i++) {
                    statement.setObject(i + 1, bound.parameters().get(i));
                }
                if (!statement.execute()) {
                    return List.of(List.of(statement.getUpdateCount()));
                }
                try (ResultSet result = statement.getResultSet()) {
                    List<List<@Nullable Object>> rows = new ArrayList<>();
                    while (result.next()) {
                        List<@Nullable Object> cells = new ArrayList<>();
                        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                            cells.add(result.getObject(i));
                        }
                        rows.add(cells);
                    }
                    return rows;
                }
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
