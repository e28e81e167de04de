package io.leeway.lazytables.apps.lda;

import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.Launch;
import io.leeway.lazytables.apps.Until;
import java.nio.file.Path;

/** Topics of made-up texts, until a file is there: all workers end at the clock at which all have seen it. */
public final class LdaKillMain {

    private static final int TOPICS = 4;

    private LdaKillMain() {}

    /** Runs it; see {@link LdaKillTest}. */
    public static void main(String[] typed) {
        System.exit(Launch.run(LdaKillMain::run, typed));
    }

    private static void run(Arguments arguments, Launch launch) {
        Path stop = Path.of(String.valueOf(arguments.text("until")));
        Corpus corpus = corpus(launch.seed());
        launch.run(new Until<>(new LdaApplication(corpus, model(corpus)), stop))
                .result()
                .lines(corpus)
                .forEach(launch::say);
    }

    static Corpus corpus(long seed) {
        return SyntheticCorpus.generate(300, 60, 300, TOPICS, seed).corpus();
    }

    /**
     * Twice as many topics as there are. With as many some chains stay where two of them are one, others do not, and where a run ends says more about chance than about the run: of eight corpora two
     * had runs that the bound of {@link LdaKillTest} refused for a third and a half of all choices of single threads, with twice as many none of eight for more than one in 300.
     */
    static LdaModel model(Corpus corpus) {
        return new LdaModel(2 * TOPICS, corpus.words(), 0.1, 0.01);
    }
}
