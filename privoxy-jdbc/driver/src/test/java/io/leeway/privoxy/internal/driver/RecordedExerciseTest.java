package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedExerciseTest {

    @Test
    void aCheckedConnectionBehavesAsThePlainOneCallByCall() throws Exception {
        String plainUrl = "jdbc:h2:mem:exercise";
        List<String> plain = RecordedExercise.run(DriverManager.getConnection(plainUrl), ExerciseSql.H2);
        var connections = new Connections(new Targets(new FakeGuard().recording(1, 2, 3, 4, 5, 6, 7, 8, 9)));
        // Without privoxyValues, errors that may quote rows would come as others: that has a test of its own.
        String url = "jdbc:privoxy:h2:mem:exercise;privoxyPolicy=policy.sql;privoxyValues=true"
                + ";privoxyExplain=counterexample";

        List<String> checked;
        try (var request = Privoxy.begin(Map.of("MyUId", 2L))) {
            assertThat(request.isOpen()).isTrue();
            checked = RecordedExercise.run(connections.open(url, new Properties()), ExerciseSql.H2);
        }

        assertThat(Journal.differences(plain, checked)).isEmpty();
        assertThat(plain).hasSizeGreaterThan(1_000);
    }

    /** With the guard of the product and a policy that shows all tables: deciding changes nothing either. */
    @Test
    void aPolicyThatAllowsAllChangesNothing(@TempDir Path directory) throws Exception {
        Path policy = Files.writeString(directory.resolve("policy.sql"), ExerciseSql.POLICY);
        List<String> plain = onDatabaseWithProcedures("jdbc:h2:mem:exercise");
        List<String> checked;
        try (var request = Privoxy.begin(Map.of("MyUId", 2L))) {
            assertThat(request.isOpen()).isTrue();
            checked = onDatabaseWithProcedures("jdbc:privoxy:h2:mem:exercise;privoxyValues=true"
                    + ";privoxyExplain=counterexample;privoxyFunctions=plus_one;privoxyPolicy=" + policy);
        }

        // What cannot be read is refused before the database could say what is wrong with it.
        assertThat(Journal.differences(plain, checked))
                .hasSize(2)
                .allMatch(difference -> difference.startsWith("plain:   wrong table -> ")
                        || difference.startsWith("plain:   escapes off -> "))
                .allMatch(difference -> difference.endsWith("UnsupportedQueryException[42P01, 1304]")
                        || difference.endsWith("UnsupportedQueryException[0A000, 1301]"));
    }

    private static List<String> onDatabaseWithProcedures(String url) throws SQLException {
        try (var keeper = DriverManager.getConnection("jdbc:h2:mem:exercise");
                var statement = keeper.createStatement()) {
            for (String ddl : ExerciseSql.H2.procedures()) {
                statement.execute(ddl);
            }
            return RecordedExercise.run(DriverManager.getConnection(url), ExerciseSql.H2, true);
        }
    }
}
