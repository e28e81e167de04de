package io.leeway.autotune.lab;

import io.leeway.autotune.AutoTuneError;

/**
 * How a study searches. Immutable.
 *
 * @param method the optimiser
 * @param budget trials that there will be; methods spend it from far to near, and trials beyond it go on near
 * @param seed of all randomness: one seed gives one sequence
 * @param failedScore what a failed trial counts for the optimiser; not a number for "as bad as the worst, and half the
 *     spread of all more"
 * @since 0.1
 */
public record StudyOptions(Method method, int budget, long seed, double failedScore) {

    /**
     * The paper's number of configurations (Gagan Somashekhar, "Performance Management of Large-Scale Microservices
     * Applications", 2023, section 3.4.2).
     */
    public static final int BUDGET = 15;

    private static final int MOST = 10_000;

    /** Refuses a budget that is none. */
    public StudyOptions {
        if (budget < 1 || budget > MOST) {
            throw AutoTuneError.BAD_VALUE.because("a budget is 1.." + MOST + " trials, not " + budget);
        }
    }

    /** A Gaussian process, 15 trials, seed 1. */
    public static StudyOptions defaults() {
        return new StudyOptions(Method.GP, BUDGET, 1, Double.NaN);
    }

    /** With another optimiser. */
    public StudyOptions with(Method newMethod) {
        return new StudyOptions(newMethod, budget, seed, failedScore);
    }

    /** With another budget. */
    public StudyOptions budget(int newBudget) {
        return new StudyOptions(method, newBudget, seed, failedScore);
    }

    /** With another seed. */
    public StudyOptions seed(long newSeed) {
        return new StudyOptions(method, budget, newSeed, failedScore);
    }

    /** With a score of failed trials. */
    public StudyOptions failedScore(double newScore) {
        return new StudyOptions(method, budget, seed, newScore);
    }
}
