package io.leeway.lazytables.apps.lda;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.apps.KillableRun;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Topic models in processes of their own, with servers that are processes, of which one after the other is killed at random, at work or while the one before it is hardly back. Every process checks in the
 * end that each word is counted as often as it occurs, and each topic as often as its words are; and the likelihood is where runs come to that nobody disturbs.
 *
 * <p>{@code -Dleeway.kills=N} kills more often.
 */
@Timeout(1_200)
@Tag(Depth.DEEP)
class LdaKillTest {

    private static final int KILLS = Depth.of(4, 12);
    private static final int SERVERS = 2;
    private static final int INSTANCES = 3;
    private static final int SLACK = 1;
    private static final int CHAINS = 8;
    private static final long SEED = 5;
    private static final Pattern END = Pattern.compile("LikelihoodPerToken (-[0-9.]+) after (\\d+) clocks");

    @TempDir
    private Path directory;

    private final RandomGenerator random = Seeds.random("kills");

    @Test
    void noTokenIsLostOrCountedTwiceAndTheModelIsAsGoodAsAnUndisturbedOne() throws Exception {
        List<String> texts;
        try (var run = new KillableRun(
                directory,
                random,
                SERVERS,
                INSTANCES,
                LdaKillMain.class,
                "--until=" + directory.resolve("enough"),
                "--resume",
                "--slack=" + SLACK,
                "--seed=" + SEED,
                "--passes=1000000",
                "--delay-millis=20")) {
            for (boolean ofServer : victims()) {
                if (ofServer) {
                    run.killServer();
                } else {
                    run.killInstance();
                }
            }
            Files.createFile(directory.resolve("enough"));
            texts = run.end();
        }

        assertThat(texts).allSatisfy(text -> assertThat(text).contains("topic 3:"));
        Matcher end = END.matcher(texts.get(0));
        assertThat(end.find()).as(texts.get(0)).isTrue();
        checkLikelihood(Double.parseDouble(end.group(1)), Integer.parseInt(end.group(2)));
    }

    /** Some are servers and some are not, whatever chance says. */
    private List<Boolean> victims() {
        var victims = new ArrayList<Boolean>();
        for (int i = 0; i < KILLS; i++) {
            victims.add(i < 2 ? i == 0 : random.nextBoolean());
        }
        Collections.shuffle(victims, new Random(random.nextLong()));
        return victims;
    }

    /** Between what the slowest of single threads has where staleness leaves a run behind, and the best; but for their spread. As {@link LdaApplicationTest} for runs that nobody disturbs. */
    private static void checkLikelihood(double value, int passes) {
        double[] granted = new double[CHAINS];
        double[] ends = new double[CHAINS];
        double begin = Double.NEGATIVE_INFINITY;
        Corpus corpus = LdaKillMain.corpus(SEED);
        for (int chain = 0; chain < CHAINS; chain++) {
            var single = new LdaReference(corpus, LdaKillMain.model(corpus), Seeds.seed("undisturbed " + chain));
            begin = Math.max(begin, single.logLikelihoodPerToken());
            for (int pass = 1; pass <= passes; pass++) {
                single.pass();
                if (pass == passes / (SLACK + 1)) {
                    granted[chain] = single.logLikelihoodPerToken();
                }
            }
            ends[chain] = single.logLikelihoodPerToken();
        }
        double spread = max(ends) - min(ends);

        assertThat(value).isBetween(min(granted) - spread, max(ends) + spread);
        // Which says something: topics at random are far from it.
        assertThat(min(granted) - spread - begin).isGreaterThan((max(ends) - begin) / 2);
    }

    private static double min(double[] values) {
        return Arrays.stream(values).min().orElseThrow();
    }

    private static double max(double[] values) {
        return Arrays.stream(values).max().orElseThrow();
    }
}
