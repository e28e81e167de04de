package io.leeway.privoxy.internal.guard;

import static io.leeway.privoxy.internal.guard.CheckedDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.TestDatabases;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each stage that decides is seen in Micrometer, with what came of it, and so is what is passed over. */
class StagesAreMeteredTest {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW names AS SELECT id, name FROM users;
            CREATE VIEW mine AS SELECT * FROM notes WHERE owner = ?MyUId;
            """;

    @TempDir
    Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private CheckedDatabase database;
    private Connection connection;
    private PrivoxyRequest request;

    @BeforeEach
    void connect() throws SQLException {
        Metrics.addRegistry(registry);
        database = new CheckedDatabase(
                TestDatabases.h2(),
                directory,
                POLICY,
                "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(50))",
                "CREATE TABLE notes (id BIGINT PRIMARY KEY, owner BIGINT NOT NULL, text VARCHAR(50))",
                "INSERT INTO users VALUES (1, 'Ada')",
                "INSERT INTO notes VALUES (10, 1, 'one'), (11, 1, 'two'), (20, 2, 'three')");
        request = Privoxy.begin(Map.of("MyUId", 1L));
    }

    @AfterEach
    void disconnect() throws SQLException {
        request.close();
        connection.close();
        database.close();
        Metrics.removeRegistry(registry);
        registry.close();
    }

    @Test
    void theColumnRule() throws SQLException {
        connection = database.connect();
        assertCounted("column", "allow", 1, () -> rows(connection, "SELECT id, name FROM users"));
    }

    @Test
    void theChaseThenTheTemplateItMade() throws SQLException {
        connection = database.connect();
        double created = counter("privoxy.template", "event", "created");
        assertCounted("chase", "allow", 1, () -> rows(connection, "SELECT text FROM notes WHERE owner = 1"));
        assertThat(counter("privoxy.template", "event", "created")).isEqualTo(created + 1);

        assertCounted("template", "allow", 1, () -> rows(connection, "SELECT text FROM notes WHERE owner = 1"));
    }

    @Test
    void aRefusalByTheChase() throws SQLException {
        connection = database.connect();
        assertCounted("chase", "deny", 1, () -> assertRefused("SELECT text FROM notes WHERE owner = 2"));
    }

    @Test
    void whatIsNotUnderstood() throws SQLException {
        connection = database.connect();
        assertCounted("none", "unsupported", 1, () -> assertRefused("SELECT unknown_function(text) FROM notes"));
        assertCounted("none", "unsupported", 1, () -> assertRefused("EXPLAIN PLAN FOR NOTHING KNOWN"));
    }

    @Test
    void whatPassesInAuditModeOnly() throws SQLException {
        connection = database.connect("privoxyMode", "audit");
        double denied = counter("privoxy.audited", "outcome", "deny");
        double unsupported = counter("privoxy.audited", "outcome", "unsupported");

        rows(connection, "SELECT text FROM notes WHERE owner = 2");
        rows(connection, "SELECT ARRAY_AGG(text) OVER (ORDER BY id GROUPS CURRENT ROW EXCLUDE TIES) FROM notes");

        assertThat(counter("privoxy.audited", "outcome", "deny") + counter("privoxy.audited", "outcome", "unsupported"))
                .isEqualTo(denied + unsupported + 2);
        assertThat(counter("privoxy.audited", "outcome", "deny")).isGreaterThan(denied);
    }

    @Test
    void theSizeOfTheTrace() throws SQLException {
        connection = database.connect();
        DistributionSummary entries = registry.get("privoxy.trace.entries").summary();
        DistributionSummary cells = registry.get("privoxy.trace.cells").summary();
        rows(connection, "SELECT id, text FROM notes WHERE owner = 1");
        double before = entries.totalAmount();
        double cellsBefore = cells.totalAmount();

        rows(connection, "SELECT text FROM notes WHERE id = 10 AND owner = 1");

        assertThat(entries.totalAmount()).isEqualTo(before + 1);
        assertThat(cells.totalAmount()).isGreaterThanOrEqualTo(cellsBefore + 2);
    }

    @Test
    void noMeterHasATagOutsideItsClosedSet() throws SQLException {
        connection = database.connect();
        rows(connection, "SELECT text FROM notes WHERE owner = 1");
        assertRefused("SELECT text FROM notes WHERE owner = 2");

        assertThat(registry.getMeters().stream()
                        .map(Meter::getId)
                        .filter(id -> id.getName().startsWith("privoxy."))
                        .flatMap(id -> id.getTags().stream())
                        .map(Tag::getValue))
                .isNotEmpty()
                .isSubsetOf(
                        "column",
                        "template",
                        "chase",
                        "solver",
                        "none",
                        "allow",
                        "deny",
                        "undecided",
                        "unsupported",
                        "error",
                        "created",
                        "loaded",
                        "evicted",
                        "rejected",
                        "cvc5",
                        "z3",
                        "other",
                        "won",
                        "lost",
                        "unknown",
                        "timeout");
    }

    private interface Action {
        void run() throws SQLException;
    }

    private void assertCounted(String stage, String outcome, int times, Action action) throws SQLException {
        Timer timer = registry.get("privoxy.check")
                .tags("stage", stage, "outcome", outcome)
                .timer();
        long before = timer.count();
        action.run();
        assertThat(timer.count()).as("%s, %s", stage, outcome).isEqualTo(before + times);
    }

    private double counter(String name, String tag, String value) {
        return registry.get(name).tag(tag, value).counter().count();
    }

    private void assertRefused(String sql) {
        assertThatThrownBy(() -> rows(connection, sql)).isInstanceOf(SQLException.class);
    }
}
