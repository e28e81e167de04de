package io.leeway.lazytables.apps.lda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.testkit.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LdaReferenceTest {

    private static final int SWEEPS = 200_000;

    /** All topics of all tokens at once, as often as their joint probability says: computed by enumeration. */
    @Test
    void visitsAssignmentsAsOftenAsTheExactPosteriorSays() {
        Corpus corpus = Corpus.of(3, new int[] {0, 0, 1}, new int[] {1, 2, 2});
        var model = new LdaModel(2, 3, 0.7, 0.3);
        var reference = new LdaReference(corpus, model, Seeds.seed("posterior"));
        double[] exact = posterior(corpus, model);

        double[] seen = new double[exact.length];
        for (int i = 0; i < SWEEPS; i++) {
            reference.pass();
            seen[assignment(reference.block())] += 1.0 / SWEEPS;
        }

        double distance = 0;
        for (int i = 0; i < exact.length; i++) {
            distance += Math.abs(seen[i] - exact[i]) / 2;
        }
        // Sixty-four outcomes: independent draws are 0.007 off on average; successive sweeps are not independent.
        assertThat(distance).isLessThan(0.025);
    }

    private static int assignment(TokenBlock block) {
        int number = 0;
        for (int t = 0; t < block.tokens(); t++) {
            number |= block.topic(t) << t;
        }
        return number;
    }

    /** By the chain rule, token by token: independent of the counts and of the objective under test. */
    private static double[] posterior(Corpus corpus, LdaModel model) {
        TokenBlock order = TokenBlock.of(corpus, 0, corpus.documents(), 0);
        double[] probability = new double[1 << corpus.tokens()];
        for (int z = 0; z < probability.length; z++) {
            double product = 1;
            int[][] documentTopic = new int[corpus.documents()][model.topics()];
            int[][] topicWord = new int[model.topics()][corpus.words()];
            int[] total = new int[model.topics()];
            int[] length = new int[corpus.documents()];
            for (int place = 0; place < order.words(); place++) {
                for (int t = order.start(place); t < order.start(place + 1); t++) {
                    int k = z >> t & 1;
                    int d = order.document(t);
                    int w = order.word(place);
                    product *= (documentTopic[d][k]++ + model.alpha()) / (length[d]++ + model.alpha() * model.topics());
                    product *= (topicWord[k][w]++ + model.beta()) / (total[k]++ + model.betaSum());
                }
            }
            probability[z] = product;
        }
        double sum = Arrays.stream(probability).sum();
        return Arrays.stream(probability).map(each -> each / sum).toArray();
    }

    @Test
    void objectiveIsTheLogarithmOfTheJointProbability() {
        Corpus corpus = Corpus.of(4, new int[] {0, 3, 1, 1}, new int[] {2, 2});
        var model = new LdaModel(3, 4, 0.4, 0.05);
        var reference = new LdaReference(corpus, model, Seeds.seed("objective"));
        reference.pass();

        // By the chain rule, as above, for the one assignment that the sampler has.
        double log = 0;
        int[][] documentTopic = new int[2][3];
        int[][] topicWord = new int[3][4];
        int[] total = new int[3];
        int[] length = new int[2];
        TokenBlock block = reference.block();
        for (int place = 0; place < block.words(); place++) {
            for (int t = block.start(place); t < block.start(place + 1); t++) {
                int k = block.topic(t);
                int d = block.document(t);
                log += Math.log((documentTopic[d][k]++ + 0.4) / (length[d]++ + 1.2));
                log += Math.log((topicWord[k][block.word(place)]++ + 0.05) / (total[k]++ + 0.2));
            }
        }

        assertThat(reference.logLikelihoodPerToken()).isCloseTo(log / 6, within(1e-9));
    }

    @Test
    void logGammaIsThatOfFactorialsAndOfOneHalf() {
        assertThat(LogLikelihood.logGamma(1)).isCloseTo(0, within(1e-12));
        assertThat(LogLikelihood.logGamma(0.5)).isCloseTo(Math.log(Math.PI) / 2, within(1e-12));
        assertThat(LogLikelihood.logGamma(21)).isCloseTo(Math.log(2432902008176640000.0), within(1e-11));
        assertThat(LogLikelihood.logGamma(0.01)).isCloseTo(4.599479878042021, within(1e-11));
    }

    @Test
    void keepsItsCountsConsistentWithTheTopicsOfTokens() {
        Corpus corpus =
                SyntheticCorpus.generate(60, 40, 200, 7, Seeds.seed("counts")).corpus();
        var reference = new LdaReference(corpus, new LdaModel(7, 200, 0.1, 0.01), 5);

        for (int i = 0; i < 5; i++) {
            reference.pass();
        }

        int[][] expectedWords = new int[7][200];
        int[][] expectedDocuments = new int[60][7];
        TokenBlock block = reference.block();
        for (int place = 0; place < block.words(); place++) {
            for (int t = block.start(place); t < block.start(place + 1); t++) {
                expectedWords[block.topic(t)][block.word(place)]++;
                expectedDocuments[block.document(t)][block.topic(t)]++;
            }
        }
        assertThat(reference.topicWords()).isDeepEqualTo(expectedWords);
        for (int k = 0; k < 7; k++) {
            assertThat(reference.total(k))
                    .isEqualTo(Arrays.stream(expectedWords[k]).sum());
            for (int d = 0; d < 60; d++) {
                assertThat(reference.documents().count(d, k)).isEqualTo(expectedDocuments[d][k]);
            }
        }
    }

    @Test
    void findsTheTopicsThatTheDocumentsWereMadeOf() {
        var made = SyntheticCorpus.generate(600, 100, 1000, 8, Seeds.seed("recovery"));
        // Twice as many topics as there are: with as many some chains stay where two of them are one.
        var reference = new LdaReference(made.corpus(), new LdaModel(16, 1000, 0.1, 0.01), 3);
        double before = reference.logLikelihoodPerToken();
        double guessed = made.recovered(reference.topicWords());

        for (int i = 0; i < 60; i++) {
            reference.pass();
        }

        assertThat(reference.logLikelihoodPerToken()).isGreaterThan(before + 0.5);
        assertThat(made.recovered(reference.topicWords())).isGreaterThan(0.7).isGreaterThan(guessed);
    }
}
