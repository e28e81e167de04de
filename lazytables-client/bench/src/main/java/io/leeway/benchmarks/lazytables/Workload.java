package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.graph.Graph;
import io.leeway.lazytables.apps.graph.SyntheticGraphs;
import io.leeway.lazytables.apps.lasso.Design;
import io.leeway.lazytables.apps.lasso.LassoApplication;
import io.leeway.lazytables.apps.lasso.LassoObjective;
import io.leeway.lazytables.apps.lasso.LassoReference;
import io.leeway.lazytables.apps.lasso.SyntheticGenotypes;
import io.leeway.lazytables.apps.lda.Corpus;
import io.leeway.lazytables.apps.lda.LdaApplication;
import io.leeway.lazytables.apps.lda.LdaModel;
import io.leeway.lazytables.apps.lda.LdaReference;
import io.leeway.lazytables.apps.lda.SyntheticCorpus;
import io.leeway.lazytables.apps.mf.FactorApplication;
import io.leeway.lazytables.apps.mf.FactorReference;
import io.leeway.lazytables.apps.mf.Ratings;
import io.leeway.lazytables.apps.mf.SyntheticRatings;
import io.leeway.lazytables.apps.pagerank.PageRankApplication;
import io.leeway.lazytables.apps.pagerank.PageRankReference;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** What is computed, with generated data; a share of less than one is for tests. */
enum Workload {

    /** Topics: 600,000 tokens, 2,000 words, 100 topics, about 75 tokens of each word at each of four workers. */
    LDA("LDA", "tokens", false) {
        @Override
        Application<?> application(long seed, double share, int workers) {
            Corpus corpus = corpus(seed, share);
            return new LdaApplication(corpus, model(corpus));
        }

        @Override
        SingleThread reference(long seed, double share) {
            Corpus corpus = corpus(seed, share);
            var reference = new LdaReference(corpus, model(corpus), seed);
            return new SingleThread(passes -> repeat(passes, reference::pass), reference::logLikelihoodPerToken);
        }

        @Override
        double units(long seed, double share) {
            return corpus(seed, share).tokens();
        }
    },

    /** Factors of rank 32 of 800,000 ratings of 1,000 items. */
    MF("MF", "ratings", true) {
        @Override
        Application<?> application(long seed, double share, int workers) {
            return application(seed, share, workers, 1);
        }

        @Override
        Application<?> application(long seed, double share, int workers, double steps) {
            return new FactorApplication(ratings(seed, share), RANK, RATE * steps, LAMBDA);
        }

        @Override
        SingleThread reference(long seed, double share) {
            Ratings ratings = ratings(seed, share);
            var reference = new FactorReference(ratings, RANK, RATE, LAMBDA, seed);
            return new SingleThread(passes -> repeat(passes, reference::pass), () -> reference.rootMeanSquare(ratings));
        }

        @Override
        double units(long seed, double share) {
            return (double) part(USERS, share) * PER_USER;
        }

        private Ratings ratings(long seed, double share) {
            return SyntheticRatings.generate(part(USERS, share), ITEMS, PER_USER, RANK, NOISE, seed);
        }
    },

    /** Weights of 20,000 markers of 1,000 samples. */
    LASSO("Lasso", "coordinates", true) {
        @Override
        Application<?> application(long seed, double share, int workers) {
            Design design = design(seed, share);
            return new LassoApplication(design, lambda(design), 1.0 / workers, 0);
        }

        @Override
        SingleThread reference(long seed, double share) {
            Design design = design(seed, share);
            var reference = new LassoReference(design, lambda(design));
            return new SingleThread(
                    passes -> repeat(passes, reference::pass),
                    () -> reference.objective().value());
        }

        @Override
        double units(long seed, double share) {
            return part(MARKERS, share);
        }

        private Design design(long seed, double share) {
            return SyntheticGenotypes.generate(SAMPLES, part(MARKERS, share), CAUSES, 0.5, seed)
                    .design();
        }

        private double lambda(Design design) {
            return LAMBDA_SHARE * LassoObjective.largestLambda(design);
        }
    },

    /** Ranks of 200,000 pages, about eight links each, in 782 rows. */
    PAGERANK("PageRank", "pages", true) {
        @Override
        Application<?> application(long seed, double share, int workers) {
            return new PageRankApplication(web(seed, share), DAMPING, 0);
        }

        @Override
        SingleThread reference(long seed, double share) {
            var reference = new PageRankReference(web(seed, share), DAMPING);
            double[] change = {Double.NaN};
            return new SingleThread(passes -> repeat(passes, () -> change[0] = reference.pass()), () -> change[0]);
        }

        @Override
        double units(long seed, double share) {
            return part(PAGES, share);
        }

        private Graph web(long seed, double share) {
            return SyntheticGraphs.web(part(PAGES, share), DEGREE, seed);
        }
    };

    private static final int DOCUMENTS = 4_000;
    private static final int LENGTH = 150;
    private static final int WORDS = 2_000;
    private static final int TOPICS = 100;
    private static final double ALPHA = 0.1;
    private static final double BETA = 0.01;

    private static final int USERS = 4_000;
    private static final int ITEMS = 1_000;
    private static final int PER_USER = 200;
    private static final int RANK = 32;
    private static final double RATE = 0.003;
    private static final double LAMBDA = 0.05;
    private static final double NOISE = 0.3;

    private static final int SAMPLES = 1_000;
    private static final int MARKERS = 20_000;
    private static final int CAUSES = 50;
    private static final double LAMBDA_SHARE = 0.1;

    private static final int PAGES = 200_000;
    private static final int DEGREE = 8;
    private static final double DAMPING = 0.85;

    private final String title;
    private final String unit;
    private final boolean falls;

    Workload(String title, String unit, boolean falls) {
        this.title = title;
        this.unit = unit;
        this.falls = falls;
    }

    /**
     * A computation without tables.
     *
     * @param run goes on for so many passes
     * @param value the objective
     */
    record SingleThread(Passes run, DoubleSupplier value) {}

    /** Goes on for so many passes. */
    interface Passes {
        void run(int passes);
    }

    static Workload parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As figures call it. */
    String title() {
        return title;
    }

    /** What a pass goes over. */
    String unit() {
        return unit;
    }

    /** Whether the objective falls when things get better. */
    boolean falls() {
        return falls;
    }

    /** Over tables. */
    abstract Application<?> application(long seed, double share, int workers);

    /** Over tables, with steps that are so many times as long as usual, if it goes by steps. */
    Application<?> application(long seed, double share, int workers, double steps) {
        return application(seed, share, workers);
    }

    /** The reference in one thread, on the same data. */
    abstract SingleThread reference(long seed, double share);

    /** How many units a pass goes over. */
    abstract double units(long seed, double share);

    /** The documents of {@link #LDA}. */
    static Corpus corpus(long seed, double share) {
        return SyntheticCorpus.generate(part(DOCUMENTS, share), LENGTH, WORDS, TOPICS, seed)
                .corpus();
    }

    /** The model of {@link #LDA}. */
    static LdaModel model(Corpus corpus) {
        return new LdaModel(TOPICS, corpus.words(), ALPHA, BETA);
    }

    private static int part(int all, double share) {
        return (int) Math.max(1, Math.round(all * share));
    }

    private static void repeat(int passes, Runnable pass) {
        for (int i = 0; i < passes; i++) {
            pass.run();
        }
    }
}
