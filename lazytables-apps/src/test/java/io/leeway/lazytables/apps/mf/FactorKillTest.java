package io.leeway.lazytables.apps.mf;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.apps.KillableRun;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.lazytables.apps.RunSettings;
import io.leeway.lazytables.apps.WorkPerClock;
import io.leeway.testkit.Seeds;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A strict run comes to the same numbers, to the last bit, whether its servers are killed or not.
 *
 * <p>{@code -Dleeway.kills=N} kills more often.
 */
@Timeout(1_200)
class FactorKillTest {

    private static final int KILLS = Integer.getInteger("leeway.kills", 4);
    private static final int SERVERS = 2;
    private static final int INSTANCES = 2;
    private static final int SLACK = 1;
    /** More than pass while all servers are killed: while one is away, strict reads wait. */
    private static final int PASSES = 100 + 50 * KILLS;

    private static final long SEED = 11;

    @TempDir
    private Path directory;

    @Test
    void serversThatAreKilledChangeNoBitOfAStrictRun() throws Exception {
        var settings = RunSettings.of(2 * INSTANCES, SEED)
                .spread(INSTANCES, SERVERS)
                .slack(SLACK)
                .work(WorkPerClock.ONE, PASSES)
                .asStrict();
        String undisturbed = FactorKillMain.text(
                Run.of(FactorKillMain.application(), settings, RunLog.none()).result());

        try (var run = new KillableRun(
                directory,
                Seeds.random("kills of servers"),
                SERVERS,
                INSTANCES,
                FactorKillMain.class,
                "--strict",
                "--slack=" + SLACK,
                "--seed=" + SEED,
                "--passes=" + PASSES,
                "--delay-millis=10")) {
            for (int i = 0; i < KILLS; i++) {
                run.killServer();
            }

            assertThat(run.end()).allSatisfy(text -> assertThat(text).contains(undisturbed + "\n"));
        }
    }
}
