package io.leeway.privoxy.internal.fuzz.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import io.leeway.testkit.db.DatabaseServer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The database itself as the oracle of what comparisons mean in its types: an accepted query gives only rows that the view's
 * own condition gives on the true data. For each database, over all of its types. A finding is shrunk and printed as a
 * script.
 */
abstract class TypeOracle {

    private static final int OF_A_VIEW = 40;
    private static final int MAX_FINDINGS = Integer.getInteger("privoxy.types.findings", 5);
    private static final int TRIES = 300;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Logger LOG = Logger.getLogger("io.leeway.privoxy");

    @TempDir
    Path directory;

    private @Nullable Level level;
    private final List<String> findings = new ArrayList<>();
    private int tried;
    private int accepted;
    private int withRows;

    abstract DatabaseServer server();

    abstract Dialect dialect();

    @BeforeEach
    void quiet() {
        level = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void loud() {
        LOG.setLevel(level);
    }

    @Test
    void noComparisonOfAnyTypeGivesRowsBeyondItsView() throws SQLException {
        var random = new Random(Seeds.seed("types " + dialect()));
        int all = Integer.getInteger("privoxy.types.queries", Depth.of(400, 40_000));
        try (TypeTables tables = new TypeTables(dialect(), server(), directory)) {
            while (tried < all && findings.size() < MAX_FINDINGS) {
                tryView(tables, random);
            }
        }
        end();
    }

    @Test
    void noJoinOfAnyTypesGivesRowsBeyondItsView() throws SQLException {
        var random = new Random(Seeds.seed("types of joins " + dialect()));
        int all = Integer.getInteger("privoxy.types.joins", Depth.of(200, 10_000));
        try (TypeTables tables = new TypeTables(dialect(), server(), directory)) {
            while (tried < all && findings.size() < MAX_FINDINGS) {
                tryJoin(tables, random);
            }
        }
        end();
    }

    private void end() {
        print(tried + " queries on " + dialect() + ": " + accepted + " accepted, " + withRows + " with rows, "
                + THREADS.getCurrentThreadCpuTime() / 1_000_000 + " ms of CPU since the thread began");
        assertThat(findings).isEmpty();
        assertThat(withRows).as("accepted, with rows").isGreaterThan(tried / 50);
    }

    private void tryView(TypeTables tables, Random random) throws SQLException {
        Choices drawn = Choices.drawn(random);
        ColumnType type = drawn.pick(tables.types());
        String table = tables.table(type);
        String view = new ConditionGrammar(drawn, dialect(), type).ofView();
        Set<Integer> shown;
        try {
            shown = tables.ids("SELECT id FROM " + table + " WHERE " + view);
        } catch (SQLException notInThisType) {
            return;
        }
        String policy = "CREATE VIEW v AS SELECT * FROM " + table + " WHERE " + view + ";\n";
        try (Connection connection = tables.connect(policy)) {
            for (int i = 0; i < OF_A_VIEW && findings.size() < MAX_FINDINGS; i++) {
                Choices choices = Choices.drawn(random);
                String finding = condition(connection, type, table, view, shown, choices);
                if (finding != null) {
                    List<Integer> small = Choices.shrunk(
                            choices.made(),
                            fewer -> condition(connection, type, table, view, shown, Choices.again(fewer)) != null,
                            TRIES);
                    String shrunk = condition(connection, type, table, view, shown, Choices.again(small));
                    found(tables.script(table) + "-- policy: " + policy + (shrunk == null ? finding : shrunk));
                    return;
                }
            }
        } catch (SQLException policyIsRefused) {
            // Nothing can be asked then.
        }
    }

    private @Nullable String condition(
            Connection connection, ColumnType type, String table, String view, Set<Integer> shown, Choices choices) {
        Condition condition = new ConditionGrammar(choices, dialect(), type).ofQuery(view);
        return judge(connection, "SELECT * FROM " + table + " WHERE " + condition.sql(), condition.values(), shown);
    }

    private void tryJoin(TypeTables tables, Random random) throws SQLException {
        Choices choices = Choices.drawn(random);
        ColumnType one = choices.pick(tables.types());
        ColumnType two = choices.pick(tables.types());
        if (!areComparable(one, two) || OpenLimits.isAnsweredFromCache(dialect(), one, two)) {
            return;
        }
        String other = "s" + tables.table(two);
        var forms = new JoinForms(dialect(), tables.table(one), other, choices.pick("=", "=", "=", "<>", "<", ">="));
        List<String> rows = List.of(choices.pick(two.rows()), choices.pick(two.rows()));
        Set<Integer> shown;
        try {
            tables.fill(other, rows);
            shown = tables.ids(forms.view());
        } catch (SQLException notInTheseTypes) {
            return;
        }
        String policy = "CREATE VIEW v AS " + forms.view() + ";\nCREATE VIEW w AS SELECT * FROM " + other
                + ";\nCREATE VIEW o AS SELECT * FROM one;\n";
        try (Connection connection = tables.connect(policy)) {
            for (String sql : forms.all(one.declaration())) {
                String finding = judge(connection, sql, List.of(), shown);
                if (finding != null) {
                    found(tables.script(tables.table(one)) + tables.script(tables.table(two)) + "-- in " + other + ": "
                            + rows + "\n-- policy: " + policy + finding);
                    return;
                }
            }
        } catch (SQLException policyIsRefused) {
            // Nothing can be asked then.
        }
    }

    private static boolean areComparable(ColumnType one, ColumnType two) {
        return one.family() == two.family()
                || one.family().isNumber() && two.family().isNumber()
                || List.of(one.family(), two.family())
                        .containsAll(List.of(ColumnType.Family.DATE, ColumnType.Family.MOMENT))
                || List.of(one.family(), two.family())
                        .containsAll(List.of(ColumnType.Family.TEXT, ColumnType.Family.CHOICE));
    }

    /** What is wrong with the answer, or null. */
    private @Nullable String judge(Connection connection, String sql, List<Bound> values, Set<Integer> shown) {
        tried++;
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1))) {
            Set<Integer> given = TypeTables.ids(connection, sql, values);
            accepted += request == null ? 0 : 1;
            withRows += given.isEmpty() ? 0 : 1;
            return shown.containsAll(given)
                    ? null
                    : sql + ";\n-- with " + values + "\n-- gives " + given + ", the view shows " + shown;
        } catch (SQLException e) {
            // Refused, or not in this type.
            return null;
        } catch (RuntimeException broken) {
            if (!broken.getStackTrace()[0].getClassName().startsWith("io.leeway.")) {
                // A driver's own: pgjdbc does not look whether a text that is bound as a DATE is one.
                return null;
            }
            return sql + ";\n-- with " + values + "\n-- breaks: " + broken;
        }
    }

    private void found(String text) {
        findings.add(text);
        print("FINDING\n" + text);
    }

    @SuppressWarnings("SystemOut") // How many were tried is what one wants to know.
    private static void print(String text) {
        System.out.println(text);
    }
}
