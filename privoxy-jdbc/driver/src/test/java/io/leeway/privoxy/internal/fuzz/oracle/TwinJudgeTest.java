package io.leeway.privoxy.internal.fuzz.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TwinJudgeTest {

    @TempDir
    Path directory;

    /** All rows of it are shown whole; of those that ORDER BY leaves together, H2 lets a LIMIT pass any. */
    @Test
    void whatTheDatabaseChoosesAtRandomIsNoFinding() throws SQLException {
        try (TwinWorlds worlds = new TwinWorlds(Dialect.H2, TestDatabases.h2(), directory, 1);
                TwinJudge judge = new TwinJudge(Dialect.H2, worlds)) {
            for (int time = 0; time < 20; time++) {
                assertThat(judge.judge(
                                List.of("SELECT 'a' AS c0, a1.code AS c1, lag(a0.email) OVER (ORDER BY a0.salary)"
                                        + " AS c2 FROM users a0 CROSS JOIN j a1 WHERE a0.id = 1 ORDER BY 1 LIMIT 2")))
                        .isNull();
            }
            assertThat(judge.counts()).isEqualTo("20 accepted, 0 refused, 0 failed");
        }
    }
}
