package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class RecordedExerciseTest {

    @Test
    void aCheckedConnectionBehavesAsThePlainOneCallByCall() throws Exception {
        String plainUrl = "jdbc:h2:mem:exercise";
        List<String> plain = RecordedExercise.run(DriverManager.getConnection(plainUrl), ExerciseSql.H2);
        var connections = new Connections(new Targets(new FakeGuard()));
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
}
