package io.leeway.lazytables.apps.mf;

import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.Launch;
import java.nio.file.Path;

/** Factors of ratings, from the command line. */
public final class FactorMain {

    private static final int MOST = 100_000_000;

    private FactorMain() {}

    /** See the documentation of the applications for options. */
    public static void main(String[] typed) {
        System.exit(Launch.run(FactorMain::run, typed));
    }

    static void run(Arguments arguments, Launch launch) {
        int rank = arguments.whole("rank", 16, 1, 4096);
        double rate = arguments.number("rate", 0.01);
        double lambda = arguments.number("lambda", 0.05);
        String file = arguments.text("ratings");
        int users = arguments.whole("users", 2000, 1, MOST);
        int items = arguments.whole("items", 1000, 2, MOST);
        int perUser = arguments.whole("per-user", 100, 1, MOST);
        double noise = arguments.number("noise", 0.3);
        Ratings ratings = file == null
                ? SyntheticRatings.generate(users, items, perUser, rank, noise, launch.seed())
                : MovieLensFile.read(Path.of(file));
        if (launch.isReference()) {
            var reference = new FactorReference(ratings, rank, rate, lambda, launch.seed());
            launch.inOneThread("rootMeanSquareError", reference::pass, () -> reference.rootMeanSquare(ratings));
        } else {
            launch.run(new FactorApplication(ratings, rank, rate, lambda));
        }
    }
}
