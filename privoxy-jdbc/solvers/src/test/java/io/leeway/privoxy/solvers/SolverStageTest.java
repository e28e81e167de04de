package io.leeway.privoxy.solvers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.UndecidedQueryException;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The solvers behind the real driver: a paper is shown whatever its seven flags are, but by eight views, one for each
 * flag that is the first to be set. That takes more cases than the chase tells apart.
 */
class SolverStageTest {

    private static final List<String> FLAGS = List.of("a", "b", "c", "d", "e", "f", "g");

    /** The papers of a project, for who is a member. A membership that was read before is no matter of solvers. */
    private static final String PAPERS = "SELECT p.id, p.title FROM papers p JOIN members m ON m.project = p.project"
            + " WHERE m.person = ? AND p.project = ?";

    @TempDir
    Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final String url = "h2:mem:solver_" + UUID.randomUUID();
    private Connection plain;
    private Connection checked;

    @BeforeEach
    void connect() throws SQLException, IOException {
        Metrics.addRegistry(registry);
        plain = DriverManager.getConnection("jdbc:" + url, "sa", "");
        StringBuilder flags = new StringBuilder();
        for (String flag : FLAGS) {
            flags.append(", ").append(flag).append(" BOOLEAN NOT NULL");
        }
        try (Statement statement = plain.createStatement()) {
            statement.execute("CREATE TABLE members (person BIGINT, project BIGINT, PRIMARY KEY (person, project))");
            statement.execute("CREATE TABLE papers (id BIGINT PRIMARY KEY, project BIGINT NOT NULL, title VARCHAR(50)"
                    + flags + ")");
            statement.execute("INSERT INTO members VALUES (1, 10), (2, 20)");
            for (int id : List.of(10, 20)) {
                statement.execute("INSERT INTO papers VALUES (" + id + ", " + id + ", 'paper " + id
                        + "', FALSE, FALSE, TRUE, FALSE, TRUE, FALSE, TRUE)");
            }
        }
        Path policy = Files.writeString(directory.resolve("policy.sql"), policy());
        checked = DriverManager.getConnection("jdbc:privoxy:" + url + ";privoxyPolicy=" + policy, "sa", "");
    }

    private static String policy() {
        StringBuilder policy = new StringBuilder("""
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW my_projects AS SELECT * FROM members WHERE person = ?MyUId;
                """);
        String unset = "";
        for (String flag : FLAGS) {
            policy.append(view("first_is_" + flag, unset + " AND p." + flag + " = TRUE"));
            unset += " AND p." + flag + " = FALSE";
        }
        return policy.append(view("none", unset)).toString();
    }

    private static String view(String name, String condition) {
        return "CREATE VIEW " + name + " AS SELECT p.id, p.project, p.title FROM papers p JOIN members m"
                + " ON m.project = p.project WHERE m.person = ?MyUId" + condition + ";\n";
    }

    @AfterEach
    void disconnect() throws SQLException {
        checked.close();
        plain.close();
        Metrics.removeRegistry(registry);
        registry.close();
    }

    @Test
    void whatASolverProvedIsATemplateForTheNextUserAndProject() throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L))) {
            assertThat(ask(PAPERS, 1, 10)).containsExactly("paper 10");
        }
        assertThat(checks("solver", "allow")).isEqualTo(1);
        assertThat(registry.get("privoxy.template")
                        .tag("event", "created")
                        .counter()
                        .count())
                .as("templates")
                .isEqualTo(1);
        long asked = solverResults();

        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
            assertThat(ask(PAPERS, 2, 20)).containsExactly("paper 20");
        }
        assertThat(checks("solver", "allow")).isEqualTo(1);
        assertThat(checks("template", "allow")).isEqualTo(1);
        assertThat(solverResults()).as("solvers asked").isEqualTo(asked);
    }

    @Test
    void theTemplateDemandsWhatTheProofNeeded() throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L))) {
            ask(PAPERS, 1, 10);

            assertThatThrownBy(() -> ask(PAPERS, 2, 20)).isInstanceOf(PolicyViolationException.class);
        }
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
            assertThatThrownBy(() -> ask(PAPERS, 1, 10)).isInstanceOf(PolicyViolationException.class);
        }
    }

    @Test
    void whatWasReadIsNoMatterOfSolvers() throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L))) {
            ask("SELECT project FROM members WHERE person = ? AND project = ?", 1, 10);

            assertThatThrownBy(() -> ask("SELECT id, title FROM papers WHERE project = ?", 10))
                    .isInstanceOf(UndecidedQueryException.class);
        }
    }

    @Test
    void everySolverThatWasAskedIsCountedOnce() throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L))) {
            ask(PAPERS, 1, 10);
        }

        assertThat(solverResults("won")).as("races that were won").isPositive();
        // Who loses a race ends after it.
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(solverResults("lost") + solverResults("timeout") + solverResults("unknown"))
                                .isPositive());
        assertThat(registry.find("privoxy.solver").timers())
                .allMatch(timer -> List.of("cvc5", "z3").contains(timer.getId().getTag("solver")));
    }

    @Test
    void withoutSolversItIsUndecidedAndNothingIsLearnt() throws SQLException {
        try (Connection alone = DriverManager.getConnection(
                        "jdbc:privoxy:" + url + ";privoxySolver=off;privoxyPolicy=" + directory.resolve("policy.sql"),
                        "sa",
                        "");
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L))) {
            assertThatThrownBy(() -> ask(alone, PAPERS, 1, 10)).isInstanceOf(UndecidedQueryException.class);
            assertThatThrownBy(() -> ask(alone, PAPERS, 1, 10)).isInstanceOf(UndecidedQueryException.class);
        }
        assertThat(solverResults()).isZero();
    }

    private long checks(String stage, String outcome) {
        return registry.get("privoxy.check")
                .tags("stage", stage, "outcome", outcome)
                .timer()
                .count();
    }

    private long solverResults() {
        return registry.find("privoxy.solver").timers().stream()
                .filter(timer -> !"lost".equals(timer.getId().getTag("outcome")))
                .mapToLong(Timer::count)
                .sum();
    }

    private long solverResults(String outcome) {
        return registry.find("privoxy.solver").tag("outcome", outcome).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    private List<String> ask(String sql, long... arguments) throws SQLException {
        return ask(checked, sql, arguments);
    }

    /** The last column of each row. */
    private static List<String> ask(Connection connection, String sql, long... arguments) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setLong(i + 1, arguments[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                List<String> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(result.getString(result.getMetaData().getColumnCount()));
                }
                return rows;
            }
        }
    }
}
