package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whether the check calls two values the same where the database does: a policy shows the rows {@code WHERE v = ?Me},
 * and queries ask by every other spelling. What passes must be among the rows that the view shows, whatever is stored;
 * and by the very spelling of the request it must pass. So the check is neither finer nor coarser than the database.
 */
class CollationsIT {

    @TempDir
    Path directory;

    /**
     * A type with values of which some are equal although they look different.
     *
     * @param context type of the policy's parameter, or empty if the policy names the value itself
     * @param literals as SQL expressions
     * @param me the request's own spelling
     */
    private record Case(
            DatabaseServer server, List<String> before, String type, String context, List<String> literals, Object me) {
        boolean isFloating() {
            return type.startsWith("DOUBLE");
        }

        @Override
        public String toString() {
            return context + " against " + type;
        }
    }

    static Stream<Case> cases() {
        List<String> texts = List.of("'anna'", "'Anna'", "'ANNA'", "'anna '", "'\u00e4nna'", "'anne'");
        List<String> icu =
                List.of("CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
        List<String> numbers = List.of("1.0", "1.00", "1", "1.01");
        List<Case> cases = new ArrayList<>();
        for (String type : List.of(
                "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci",
                "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin",
                "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_as_cs",
                "CHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")) {
            cases.add(new Case(TestDatabases.mariadb(), List.of(), type, "VARCHAR(20)", texts, "anna"));
        }
        cases.add(new Case(TestDatabases.mariadb(), List.of(), "DECIMAL(5, 2)", "DECIMAL(5, 2)", numbers, 1));
        cases.add(new Case(TestDatabases.mariadb(), List.of(), "DOUBLE", "", List.of("0", "0e0", "-0e0", "1"), "0"));
        for (String type : List.of("TEXT", "VARCHAR(20)", "CHAR(20)")) {
            cases.add(new Case(TestDatabases.postgres(), List.of(), type, "VARCHAR(20)", texts, "anna"));
        }
        cases.add(new Case(
                TestDatabases.postgres(), List.of("CREATE EXTENSION citext"), "CITEXT", "VARCHAR(20)", texts, "anna"));
        cases.add(new Case(TestDatabases.postgres(), icu, "TEXT COLLATE ci", "TEXT", texts, "anna"));
        cases.add(new Case(TestDatabases.postgres(), List.of(), "NUMERIC", "", numbers, "1.0"));
        cases.add(new Case(TestDatabases.postgres(), List.of(), "NUMERIC(5, 2)", "NUMERIC", numbers, 1));
        cases.add(new Case(
                TestDatabases.postgres(), List.of(), "DOUBLE PRECISION", "", List.of("0", "0e0", "-0e0", "1"), "0"));
        cases.add(new Case(TestDatabases.h2(), List.of(), "VARCHAR_IGNORECASE(20)", "VARCHAR(20)", texts, "anna"));
        cases.add(new Case(TestDatabases.h2(), List.of(), "CHAR(20)", "VARCHAR(20)", texts, "anna"));
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whatPassesIsAmongWhatTheViewShows(Case of) throws SQLException {
        boolean isConstant = of.context().isEmpty();
        String own = of.me() instanceof String text && !isConstant
                ? "'" + text + "'"
                : of.me().toString();
        String policy = (isConstant ? "" : "CREATE CONTEXT Me " + of.context() + ";")
                + "CREATE VIEW mine AS SELECT * FROM things WHERE v = " + (isConstant ? own : "?Me") + ";";
        try (CheckedDatabase database = new CheckedDatabase(of.server(), directory, policy);
                Connection plain = database.plain()) {
            for (String statement : of.before()) {
                CheckedDatabase.run(plain, statement);
            }
            CheckedDatabase.run(plain, "CREATE TABLE things (id BIGINT NOT NULL PRIMARY KEY, v " + of.type() + ")");
            for (int i = 0; i < of.literals().size(); i++) {
                CheckedDatabase.run(
                        plain,
                        "INSERT INTO things VALUES (" + i + ", " + of.literals().get(i) + ")");
            }
            List<String> shown = CheckedDatabase.rows(plain, "SELECT id FROM things WHERE v = " + own);
            assertThat(shown).as("what the view shows").isNotEmpty();
            int passed = 0;
            try (Connection checked = database.connect();
                    PrivoxyRequest request = Privoxy.begin(Map.of("Me", of.me()))) {
                assertThat(request.isOpen()).isTrue();
                if (!of.isFloating()) {
                    assertThat(CheckedDatabase.rows(checked, "SELECT id FROM things WHERE v = " + own))
                            .as("asked by the own spelling")
                            .containsExactlyInAnyOrderElementsOf(shown);
                }
                for (String literal : of.literals()) {
                    for (String condition : List.of(
                            "v = " + literal,
                            literal + " = v",
                            "v IN (" + literal + ")",
                            "v = " + own + " AND v = " + literal,
                            "v >= " + literal + " AND v <= " + literal,
                            "NOT v <> " + literal)) {
                        String sql = "SELECT id FROM things WHERE " + condition;
                        try {
                            assertThat(shown).as(sql).containsAll(CheckedDatabase.rows(checked, sql));
                            passed++;
                        } catch (PolicyViolationException refused) {
                            // Refusing is never a leak.
                        }
                    }
                }
            }
            // A comparison of a floating-point column with a number is never taken for another one.
            assertThat(passed).as("queries that pass").isGreaterThanOrEqualTo(of.isFloating() ? 0 : 6);
        }
    }
}
