package io.leeway.lazytables.apps.lasso;

import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.BadInputException;
import io.leeway.lazytables.apps.Launch;
import java.util.Locale;

/** Markers that make a trait, from the command line. */
public final class LassoMain {

    private static final int MOST = 10_000_000;

    private LassoMain() {}

    /** See the documentation of the applications for options. */
    public static void main(String[] typed) {
        System.exit(Launch.run(LassoMain::run, typed));
    }

    static void run(Arguments arguments, Launch launch) {
        int samples = arguments.whole("samples", 500, 1, MOST);
        int features = arguments.whole("features", 10_000, 1, MOST);
        int causes = arguments.whole("causes", 20, 0, MOST);
        double noise = arguments.number("noise", 0.5);
        double share = arguments.number("lambda-share", 0.1);
        double rest = arguments.number("rest", 1e-6);
        int workers = arguments.whole("workers", 4, 1, 1024);
        double damping = arguments.number("damping", 1.0 / workers);
        if (causes > features || !(share > 0)) {
            throw new BadInputException("--causes is " + causes + " of " + features + " features, and --lambda-share "
                    + share + "; there cannot be more causes than features, and the share must be above zero");
        }
        Design design = SyntheticGenotypes.generate(samples, features, causes, noise, launch.seed())
                .design();
        double lambda = share * LassoObjective.largestLambda(design);
        if (launch.isReference()) {
            var reference = new LassoReference(design, lambda);
            launch.inOneThread(
                    "objective", reference::pass, () -> reference.objective().value());
        } else {
            double[] weights = launch.run(new LassoApplication(design, lambda, damping, rest))
                    .result();
            LassoObjective objective =
                    LassoObjective.of(design, lambda, weights, LassoObjective.residual(design, weights));
            launch.say(String.format(
                    Locale.ROOT,
                    "%d weights; %.3g above the optimum at most; conditions of the optimum broken by %.3g lambda",
                    objective.weights(),
                    objective.gap(),
                    objective.violation()));
        }
    }
}
