package io.leeway.lazytables.apps.mf;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.apps.KillableRun;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.lazytables.apps.RunSettings;
import io.leeway.lazytables.apps.WorkPerClock;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A strict run comes to the same numbers, to the last bit, whether its servers are killed or not.
 *
 * <p>{@code -Dleeway.kills=N} kills more often.
 */
@Timeout(1_200)
@Tag(Depth.DEEP)
class FactorKillTest {

    private static final int KILLS = Depth.of(4, 12);
    private static final int SERVERS = 2;
    private static final int INSTANCES = 2;
    private static final int SLACK = 1;
    private static final long SEED = 11;
    private static final Pattern END = Pattern.compile(" after (\\d+) clocks");

    @TempDir
    private Path directory;

    @Test
    void serversThatAreKilledChangeNoBitOfAStrictRun() throws Exception {
        List<String> texts;
        try (var run = new KillableRun(
                directory,
                Seeds.random("kills of servers"),
                SERVERS,
                INSTANCES,
                FactorKillMain.class,
                "--until=" + directory.resolve("enough"),
                "--strict",
                "--slack=" + SLACK,
                "--seed=" + SEED,
                "--passes=1000000",
                "--delay-millis=10")) {
            for (int i = 0; i < KILLS; i++) {
                run.killServer();
            }
            Files.createFile(directory.resolve("enough"));
            texts = run.end();
        }

        Matcher end = END.matcher(texts.get(0));
        assertThat(end.find()).as(texts.get(0)).isTrue();
        String undisturbed = undisturbed(Integer.parseInt(end.group(1)));
        assertThat(texts).allSatisfy(text -> assertThat(text).contains(undisturbed + "\n"));
    }

    /** Of as many passes, which are clocks: how many pass while servers are killed depends on the machine. */
    private static String undisturbed(int passes) {
        var settings = RunSettings.of(2 * INSTANCES, SEED)
                .spread(INSTANCES, SERVERS)
                .slack(SLACK)
                .work(WorkPerClock.ONE, passes)
                .asStrict();
        return FactorKillMain.text(
                Run.of(FactorKillMain.application(), settings, RunLog.none()).result());
    }
}
