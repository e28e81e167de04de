package io.leeway.lazytables.apps.lda;

import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.BadInputException;
import io.leeway.lazytables.apps.Launch;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** Topics of texts, from the command line. */
public final class LdaMain {

    private static final int MOST = 100_000_000;

    private LdaMain() {}

    /** See the documentation of the applications for options. */
    public static void main(String[] typed) {
        System.exit(Launch.run(LdaMain::run, typed));
    }

    static void run(Arguments arguments, Launch launch) {
        int topics = arguments.whole("topics", 50, 1, LdaModel.MOST_TOPICS);
        double alpha = arguments.number("alpha", 0.1);
        double beta = arguments.number("beta", 0.01);
        Corpus corpus = corpus(arguments, launch, topics);
        var model = new LdaModel(topics, corpus.words(), alpha, beta);
        if (launch.isReference()) {
            var reference = new LdaReference(corpus, model, launch.seed());
            launch.inOneThread("logLikelihoodPerToken", reference::pass, reference::logLikelihoodPerToken);
        } else {
            LdaResult result = launch.run(new LdaApplication(corpus, model)).result();
            launch.say(String.format(
                    Locale.ROOT,
                    "%,d words in %,d documents, each counted once; %,d different ones",
                    corpus.tokens(),
                    corpus.documents(),
                    corpus.words()));
            result.lines(corpus).forEach(launch::say);
        }
    }

    private static Corpus corpus(Arguments arguments, Launch launch, int topics) {
        String jars = arguments.text("jars");
        String bag = arguments.text("bag");
        String vocabulary = arguments.text("vocabulary");
        int documents = arguments.whole("documents", 2000, 1, MOST);
        int length = arguments.whole("length", 150, 1, 1_000_000);
        int words = arguments.whole("words", 5000, 1, MOST);
        if (jars != null && bag != null) {
            throw new BadInputException("give --jars or --bag, not both");
        }
        if (jars != null) {
            return JarText.read(
                    Arrays.stream(jars.split(File.pathSeparator)).map(Path::of).toList());
        }
        if (bag != null) {
            return BagOfWordsFile.read(Path.of(bag), vocabulary == null ? null : Path.of(vocabulary));
        }
        return SyntheticCorpus.generate(documents, length, words, topics, launch.seed())
                .corpus();
    }
}
