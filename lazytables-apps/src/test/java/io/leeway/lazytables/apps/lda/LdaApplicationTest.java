package io.leeway.lazytables.apps.lda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.apps.Modes;
import io.leeway.lazytables.apps.Outcome;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LdaApplicationTest {

    private static final int PASSES = 60;
    /** Twice as many topics as there are: chains that find all of them end nearer to each other. */
    private static final LdaModel MODEL = new LdaModel(10, 500, 0.1, 0.01);

    private static SyntheticCorpus made;
    private static double reference;
    private static double begin;

    @BeforeAll
    static void inOneThread() {
        made = SyntheticCorpus.generate(300, 80, 500, 5, Seeds.seed("lda documents"));
        var single = new LdaReference(made.corpus(), MODEL, Seeds.seed("lda reference"));
        begin = single.logLikelihoodPerToken();
        for (int i = 0; i < PASSES; i++) {
            single.pass();
        }
        reference = single.logLikelihoodPerToken();
    }

    /** That tokens are conserved is checked by the result itself, see below. */
    @ParameterizedTest
    @EnumSource
    void isAsGoodAsTheReferenceAndLosesNoToken(Modes mode) {
        Outcome<LdaResult> outcome =
                Run.of(new LdaApplication(made.corpus(), MODEL), mode.settings(PASSES), RunLog.none());

        // Staleness costs progress per pass, the more of it the more; where single chains end differs by a tenth.
        assertThat(outcome.value()).isBetween(reference - tolerance(mode), reference + 0.15);
        assertThat(tolerance(mode)).isLessThan((reference - begin) / 2);
        assertThat(made.recovered(outcome.result().topicWords())).isGreaterThan(0.7);
        int[] inTopics = Arrays.stream(outcome.result().topicWords())
                .mapToInt(topic -> Arrays.stream(topic).sum())
                .toArray();
        assertThat(Arrays.stream(inTopics).sum()).isEqualTo(made.corpus().tokens());
    }

    private static double tolerance(Modes mode) {
        return switch (mode) {
            case BSP, MINI_BATCHES -> 0.15;
            case A_BSP, SSP -> 0.3;
            case HYBRID, ADAPTIVE -> 0.4;
            // Nobody waits for anybody: a worker may be done before it hears of the others.
            case ASYNC -> 0.9;
        };
    }

    @Test
    void oneTokenMoreOrLessIsNoticed() {
        Corpus corpus = Corpus.of(2, new int[] {0, 1, 1});

        assertThatThrownBy(() -> LdaResult.conserved(corpus, new int[][] {{1, 1}}, new long[] {2}))
                .hasMessageContaining("word 1 occurs 2 times and is counted 1 times");
        assertThatThrownBy(() -> LdaResult.conserved(corpus, new int[][] {{1, 3}, {0, -1}}, new long[] {4, -1}))
                .hasMessageContaining("-1 times");
        assertThatThrownBy(() -> LdaResult.conserved(corpus, new int[][] {{1, 2}}, new long[] {2}))
                .hasMessageContaining("topic 0 has 3 words and a total of 2");
    }
}
