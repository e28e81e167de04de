package io.leeway.it.privoxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import io.leeway.testkit.fixtures.Fixture;
import io.leeway.testkit.fixtures.FixtureInstance;
import io.leeway.testkit.fixtures.FixtureLoader;
import io.leeway.testkit.fixtures.Fixtures;
import io.leeway.testkit.fixtures.Page;
import io.leeway.testkit.fixtures.PageRun;
import io.leeway.testkit.fixtures.PageRunner;
import io.leeway.testkit.fixtures.Scenario;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every page and every violation of the four fixtures on real servers: each statement gets the decision it deserves. */
class FixturePagesIT {

    private static final long SEED = 11;

    static Stream<Fixture> fixtures() {
        return Fixtures.all().stream();
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void onPostgres(Fixture fixture) throws Exception {
        assertThat(surprises(TestDatabases.postgres(), fixture, null)).isEmpty();
    }

    /**
     * In MariaDB's usual isolation one page loses a statement: it locks an order after it has read the user, and what is
     * locked then opens nothing of the snapshot of before (limits.md).
     */
    @ParameterizedTest
    @MethodSource("fixtures")
    void onMariaDb(Fixture fixture) throws Exception {
        String lost = "checkout: SELECT line_items.* FROM line_items WHERE line_items.order_id = ? ";
        List<String> surprises = surprises(TestDatabases.mariadb(), fixture, null);
        assertThat(surprises).allMatch(surprise -> surprise.startsWith(lost));
        if (!surprises.isEmpty()) {
            assertThat(surprises(TestDatabases.mariadb(), fixture, Connection.TRANSACTION_READ_COMMITTED))
                    .isEmpty();
        }
    }

    /** What was decided otherwise than it deserves, or gave other rows than without the check. */
    private static List<String> surprises(DatabaseServer server, Fixture fixture, @Nullable Integer isolation)
            throws Exception {
        FixtureInstance instance = fixture.instance(SEED, 2, 30);
        try (CheckedDatabase database = CheckedDatabase.on(server, "pages_" + fixture.name(), fixture.policy());
                Connection plain = database.plain().connect()) {
            FixtureLoader.load(plain, instance);
            plain.setAutoCommit(false);
            var surprises = new ArrayList<String>();
            int compared = 0;
            try (Connection checked = database.connectWatched()) {
                checked.setAutoCommit(false);
                if (isolation != null) {
                    checked.setTransactionIsolation(isolation);
                }
                for (Scenario scenario : instance.scenarios()) {
                    for (List<Page> pages : List.of(scenario.pages(), scenario.violations())) {
                        for (Page page : pages) {
                            compared += compare(plain, checked, database.sent(), page, surprises);
                        }
                    }
                }
            }

            assertThat(compared).isGreaterThan(20);
            return surprises;
        }
    }

    /** Compliant statements return what they return without the check; the others are not executed. */
    private static int compare(
            Connection plain, Connection checked, List<String> sent, Page page, List<String> surprises)
            throws SQLException {
        PageRun unchecked = PageRunner.run(plain, page);
        plain.rollback();
        sent.clear();
        PageRun run;
        try (PrivoxyRequest request = Privoxy.begin(page.context())) {
            assertThat(request.isOpen()).isTrue();
            run = PageRunner.run(checked, page);
            checked.rollback();
        }
        for (PageRun.Execution surprise : run.surprises()) {
            surprises.add(page.name() + ": " + surprise.statement().sql() + " -> " + surprise.failure());
        }
        int same = 0;
        for (PageRun.Execution execution : run.executions()) {
            String query = execution.query().name();
            if (execution.failure() == null) {
                boolean ordered = execution.statement().sql().contains("ORDER BY");
                if (!rows(run, query, ordered).equals(rows(unchecked, query, ordered))) {
                    surprises.add(page.name() + ": other rows for " + query);
                }
                same++;
            } else {
                if (!List.of("42501", "0A000", "HYP01")
                        .contains(execution.failure().getSQLState())) {
                    surprises.add(page.name() + ": state of " + execution.failure());
                }
                if (sent.contains(execution.statement().sql())
                        && run.executions().stream()
                                .noneMatch(other -> other.failure() == null
                                        && other.statement()
                                                .sql()
                                                .equals(execution.statement().sql()))) {
                    surprises.add(page.name() + ": refused, but executed: " + query);
                }
            }
        }
        return same;
    }

    /** Where a statement does not say in which order rows come, the database and privoxy may have different ones. */
    private static List<String> rows(PageRun run, String query, boolean ordered) {
        Stream<String> rows = run.rows(query).stream().map(Object::toString);
        return (ordered ? rows : rows.sorted()).toList();
    }
}
