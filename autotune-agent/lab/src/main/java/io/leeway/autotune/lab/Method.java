package io.leeway.autotune.lab;

import io.leeway.autotune.AutoTuneError;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How a study searches (Gagan Somashekhar, "Performance Management of Large-Scale Microservices Applications", 2023,
 * section 3.4.2, optimization algorithms).
 *
 * @since 0.1
 */
public enum Method {
    /** Points from anywhere: what every other method has to beat. */
    RANDOM("points from anywhere"),
    /** Simulated annealing. */
    ANNEALING("a neighbour of the present point, sometimes a worse one"),
    /** Dynamically dimensioned search. */
    DDS("the best point changed in fewer and fewer parameters"),
    /** Particle swarm optimisation. */
    SWARM("particles drawn to their own and to the common best"),
    /** A genetic algorithm. */
    GENETIC("children of good points, with mutations"),
    /** Bayesian optimisation with a Gaussian process. */
    GP("a Gaussian process and expected improvement"),
    /** Bayesian optimisation with gradient-boosted trees. */
    BOOSTED("boosted trees for quantiles and expected improvement"),
    /** Bayesian optimisation with a random forest. */
    FOREST("a random forest and expected improvement"),
    /** Tree-structured Parzen estimator. */
    TPE("densities of good and of other points"),
    /** DDS first, of whose points a Gaussian process goes on. */
    HYBRID("DDS, then a Gaussian process"),
    /** Covariance matrix adaptation. */
    CMAES("a normal distribution that adapts to where it succeeds");

    private final String text;

    Method(String text) {
        this.text = text;
    }

    /** What it does, in a few words. */
    public String text() {
        return text;
    }

    /**
     * The method of a name, in any case.
     *
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_VALUE} if there is none
     */
    public static Method of(String name) {
        try {
            return valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw AutoTuneError.BAD_VALUE.because("an optimiser is one of " + names() + ", not " + name, e);
        }
    }

    /** All names, for people. */
    public static String names() {
        return Arrays.stream(values())
                .map(method -> method.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}
