package io.leeway.benchmarks.lazytables;

import cc.mallet.topics.ParallelTopicModel;
import cc.mallet.types.Alphabet;
import cc.mallet.types.FeatureSequence;
import cc.mallet.types.Instance;
import cc.mallet.types.InstanceList;
import io.leeway.benchmarks.lazytables.Workload.SingleThread;
import io.leeway.lazytables.apps.lda.Corpus;
import io.leeway.lazytables.apps.lda.LdaModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.logging.Level;

/** MALLET's sampler of topics with one thread, on the same documents with the same priors, which it must not change. */
final class MalletTopics {

    private MalletTopics() {}

    static SingleThread of(Corpus corpus, long seed) {
        ParallelTopicModel.logger.setLevel(Level.OFF);
        LdaModel model = Workload.model(corpus);
        var mallet = new ParallelTopicModel(model.topics(), model.alpha() * model.topics(), model.beta());
        mallet.setNumThreads(1);
        mallet.setOptimizeInterval(0);
        mallet.setTopicDisplay(0, 0);
        mallet.printLogLikelihood = false;
        mallet.setRandomSeed((int) seed);
        mallet.addInstances(instances(corpus));
        var random = new SplittableRandom(seed);
        return new SingleThread(
                passes -> {
                    mallet.setNumIterations(passes);
                    // It begins its random numbers anew each time.
                    mallet.setRandomSeed(random.nextInt());
                    try {
                        mallet.estimate();
                    } catch (IOException unexpected) {
                        throw new UncheckedIOException(unexpected);
                    }
                },
                () -> mallet.modelLogLikelihood() / corpus.tokens());
    }

    private static InstanceList instances(Corpus corpus) {
        var words = new Alphabet(corpus.words());
        for (int word = 0; word < corpus.words(); word++) {
            words.lookupIndex(corpus.text(word));
        }
        var instances = new InstanceList(words, null);
        for (int d = 0; d < corpus.documents(); d++) {
            instances.add(
                    new Instance(new FeatureSequence(words, corpus.document(d)), null, Integer.toString(d), null));
        }
        return instances;
    }
}
