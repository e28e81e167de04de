package io.leeway.lazytables.apps.lda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.apps.Answered;
import io.leeway.lazytables.apps.Modes;
import io.leeway.lazytables.apps.Outcome;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.lazytables.apps.Settled;
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

    private static final int CHAINS = 8;

    private static SyntheticCorpus made;
    /** Of single threads with several seeds the likelihood after each pass, beginning with none. */
    private static final double[][] REFERENCES = new double[CHAINS][2 * PASSES + 1];

    @BeforeAll
    static void inOneThread() {
        made = SyntheticCorpus.generate(300, 80, 500, 5, Seeds.seed("lda documents"));
        for (int chain = 0; chain < CHAINS; chain++) {
            var single = new LdaReference(made.corpus(), MODEL, Seeds.seed("lda reference " + chain));
            for (int pass = 0; pass <= 2 * PASSES; pass++) {
                REFERENCES[chain][pass] = single.logLikelihoodPerToken();
                single.pass();
            }
        }
    }

    /** That tokens are conserved is checked by the result itself, see below. */
    @ParameterizedTest
    @EnumSource(
            names = {"ASYNC", "ADAPTIVE"},
            mode = EnumSource.Mode.EXCLUDE)
    void isAsGoodAsStalenessAllowsAndLosesNoToken(Modes mode) {
        check(Run.of(new LdaApplication(made.corpus(), MODEL), mode.settings(PASSES), RunLog.none()), mode);
    }

    /** With nobody waiting for anybody but until rows have come that were asked for, an asynchronous run is no staler than SSP. */
    @Test
    void anAsynchronousRunWhoseWorkersKeepStepIsAsGoodAsOneWithSlack() {
        check(
                Run.of(
                        new Answered<>(new LdaApplication(made.corpus(), MODEL), 4),
                        Modes.ASYNC.settings(PASSES).spread(4, 2),
                        RunLog.none()),
                Modes.SSP);
    }

    /** The worst that the bound on staleness allows, whatever else the machine does. */
    @ParameterizedTest
    @EnumSource(
            names = {"ASYNC", "ADAPTIVE"},
            mode = EnumSource.Mode.EXCLUDE)
    void isAsGoodAsStalenessAllowsWhenAllReadsAreAsStaleAsTheyMayBe(Modes mode) {
        var records = new StringBuilder();

        check(
                Run.of(
                        new LdaApplication(made.corpus(), MODEL),
                        mode.settings(PASSES).asStrict(),
                        RunLog.to(records)),
                mode);

        // Before the counts of others are seen the likelihood says nothing, and its fall to what it is no divergence.
        assertThat(records).doesNotContain("\"warning\"");
    }

    private static void check(Outcome<LdaResult> outcome, Modes mode) {
        double least = leastAfter(PASSES, staleness(mode));

        assertThat(outcome.value()).isBetween(least, best(PASSES) + spread());
        // Which says something: much nearer to the end than to the begin.
        assertThat(least - best(0)).isGreaterThan((best(PASSES) - best(0)) * 3 / 4);
        check(outcome.result());
    }

    /** What was stale is made good by passes without staleness: as many again come to where those of BSP come from the begin. Without a bound that is all that holds on any machine. */
    @ParameterizedTest
    @EnumSource(names = {"SSP", "HYBRID", "ASYNC", "ADAPTIVE"})
    void passesOfBspBehindItComeToTheReference(Modes mode) {
        Outcome<LdaResult> outcome = Run.of(
                new Settled<>(new LdaApplication(made.corpus(), MODEL), PASSES), mode.settings(PASSES), RunLog.none());

        assertThat(outcome.value()).isBetween(leastAfter(PASSES, 1), best(2 * PASSES) + spread());
        check(outcome.result());
    }

    private static void check(LdaResult result) {
        assertThat(made.recovered(result.topicWords())).isGreaterThan(0.7);
        int[] inTopics = Arrays.stream(result.topicWords())
                .mapToInt(topic -> Arrays.stream(topic).sum())
                .toArray();
        assertThat(Arrays.stream(inTopics).sum()).isEqualTo(made.corpus().tokens());
    }

    /**
     * How far a run must be after so many passes. What another worker does comes to a reader up to as many passes late as reads may be stale, where a single thread's next pass has it: so a run is granted that many passes
     * and one more for each pass of the slowest single thread, and once the spread of their ends, which is what chance does to any chain. Tried with 4 corpora, 8 single threads for each and 4 runs of each mode, all reads
     * as stale as they may be: the bound was 0.21 to 0.30 below the best single thread for BSP, 0.29 to 0.38 for A-BSP, 0.41 to 0.47 for SSP, 0.51 to 0.58 for the hybrid, and the nearest that any run came to it was
     * 0.05.
     */
    private static double leastAfter(int passes, int staleness) {
        int granted = passes / (staleness + 1);
        return Arrays.stream(REFERENCES)
                        .mapToDouble(chain -> chain[granted])
                        .min()
                        .orElseThrow()
                - spread();
    }

    /** In passes: work × (slack + 1), and at least one. */
    private static int staleness(Modes mode) {
        return switch (mode) {
            case BSP, MINI_BATCHES -> 1;
            case A_BSP -> 2;
            case SSP -> 3;
            case HYBRID -> 4;
            case ASYNC, ADAPTIVE -> throw new IllegalArgumentException(mode + " has no bound");
        };
    }

    private static double best(int passes) {
        return Arrays.stream(REFERENCES)
                .mapToDouble(chain -> chain[passes])
                .max()
                .orElseThrow();
    }

    /** By how much single threads with different seeds differ in the end. */
    private static double spread() {
        return best(PASSES)
                - Arrays.stream(REFERENCES)
                        .mapToDouble(chain -> chain[PASSES])
                        .min()
                        .orElseThrow();
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
