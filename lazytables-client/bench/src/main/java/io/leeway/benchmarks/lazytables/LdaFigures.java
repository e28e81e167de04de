package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.ForwardingApplication;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.lazytables.apps.RunSettings;
import io.leeway.lazytables.apps.Seat;
import io.leeway.lazytables.apps.WorkPerClock;
import io.leeway.lazytables.apps.lda.Corpus;
import io.leeway.lazytables.apps.lda.LdaApplication;
import io.leeway.lazytables.apps.lda.LdaModel;
import io.leeway.lazytables.apps.lda.LdaReference;
import io.leeway.lazytables.apps.lda.LdaResult;
import io.leeway.lazytables.apps.lda.SyntheticCorpus;
import java.io.IOException;

/**
 * Tokens that the topic model samples per second of CPU time: in one thread with counts in arrays, and over tables with one worker and a server in the same process, all of whose threads are counted.
 * The first passes, in which topics are spread over everything, are left out.
 */
record LdaFigures(Measuring measuring) {

    private static final String PEER = "MALLET 2.1.1 in one thread: 10.2 M tokens per CPU-second at 500,000 tokens";

    private static final int TOPICS = 100;
    private static final int WORDS = 10_000;
    private static final int LENGTH = 150;
    /** In which the compiler has much to do, and topics are spread over everything. */
    private static final int LEFT_OUT = 60;

    private static final int MEASURED = 40;
    private static final long SEED = 42;

    void run() throws IOException {
        for (int documents : measuring.isTrial() ? new int[] {100} : new int[] {3_333, 13_333}) {
            Corpus corpus = SyntheticCorpus.generate(documents, LENGTH, WORDS, TOPICS, SEED)
                    .corpus();
            var model = new LdaModel(TOPICS, WORDS, 0.1, 0.01);
            String of = ", %,d topics, %,d tokens".formatted(TOPICS, corpus.tokens());
            measuring.higher("LDA in one thread" + of, inOneThread(corpus, model), "M tokens/CPU-s", null, PEER);
            measuring.higher("LDA with one worker" + of, onTables(corpus, model), "M tokens/CPU-s", null, PEER);
        }
    }

    private static double inOneThread(Corpus corpus, LdaModel model) {
        var reference = new LdaReference(corpus, model, SEED);
        for (int pass = 0; pass < LEFT_OUT; pass++) {
            reference.pass();
        }
        long cpu = CpuTime.own();
        for (int pass = 0; pass < MEASURED; pass++) {
            reference.pass();
        }
        return millions(corpus, CpuTime.own() - cpu);
    }

    private static double onTables(Corpus corpus, LdaModel model) {
        var watched = new Watched(new LdaApplication(corpus, model));
        Run.of(watched, RunSettings.of(1, SEED).work(WorkPerClock.ONE, LEFT_OUT + MEASURED), RunLog.none());
        return millions(corpus, watched.cpu);
    }

    private static double millions(Corpus corpus, long cpu) {
        return (double) corpus.tokens() * MEASURED * 1e3 / cpu;
    }

    /** The application of one worker, whose passes are watched, without what is told while it runs. */
    private static final class Watched extends ForwardingApplication<LdaResult> {

        private int passes;
        /** Of the passes that are measured; read when the worker has ended. */
        private long cpu;

        Watched(Application<LdaResult> inner) {
            super(inner);
        }

        @Override
        protected Part<LdaResult> part(Seat seat, Part<LdaResult> part) {
            return new ForwardingPart<>(part) {

                @Override
                public void prefetch(int block) {
                    if (passes++ == LEFT_OUT) {
                        cpu = -CpuTime.own();
                    }
                    super.prefetch(block);
                }

                @Override
                public void measure(double[] sums) {
                    // Looks at all of the tables, which belongs to no pass.
                }

                @Override
                public void finish(double[] sums) {
                    cpu += CpuTime.own();
                    super.finish(sums);
                }
            };
        }
    }
}
