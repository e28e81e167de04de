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
        everyPage(TestDatabases.postgres(), fixture);
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void onMariaDb(Fixture fixture) throws Exception {
        everyPage(TestDatabases.mariadb(), fixture);
    }

    private static void everyPage(DatabaseServer server, Fixture fixture) throws Exception {
        FixtureInstance instance = fixture.instance(SEED, 2, 30);
        try (CheckedDatabase database = CheckedDatabase.on(server, "pages_" + fixture.name(), fixture.policy());
                Connection plain = database.plain().connect()) {
            FixtureLoader.load(plain, instance);
            plain.setAutoCommit(false);
            var surprises = new ArrayList<String>();
            int compared = 0;
            try (Connection checked = database.connectWatched()) {
                checked.setAutoCommit(false);
                // PostgreSQL's usual one. In MariaDB's the shop's checkout loses two statements: a row that is read FOR
                // UPDATE opens nothing of the snapshot of before (limits.md).
                checked.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                for (Scenario scenario : instance.scenarios()) {
                    for (List<Page> pages : List.of(scenario.pages(), scenario.violations())) {
                        for (Page page : pages) {
                            compared += compare(plain, checked, database.sent(), page, surprises);
                        }
                    }
                }
            }

            assertThat(surprises).isEmpty();
            assertThat(compared).isGreaterThan(20);
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
