package io.leeway.autotune.internal.deploy;

/**
 * The numbers that AutoTune §2.3 to §2.4 gives, and those that it leaves open.
 *
 * @param partitions groups that MRs are stressed in
 * @param firstStep share of a server's capacity
 * @param divisor of the step, each iteration
 * @param lastStep no smaller step is made
 * @param minTrials of a comparison
 * @param maxTrials of a comparison; after so many the point estimate decides, in favour of what is there
 * @param finalTrials of a comparison that much is built on
 * @param stressTolerance how much worse than the first deployment a reduction may look; tighter than the final one,
 *     else every accepted step would use up what the placement needs
 * @param finalTolerance how much worse a placement, and the result, may be
 * @param throughputShare of the first deployment's that has to be there
 * @param errorPoints how far errors may rise
 * @param orders placements tried for each number of servers
 * @param transferStop below this step a transfer that does not help ends the search
 * @param seed of partitions
 */
public record Settings(
        int partitions,
        double firstStep,
        double divisor,
        double lastStep,
        int minTrials,
        int maxTrials,
        int finalTrials,
        double stressTolerance,
        double finalTolerance,
        double throughputShare,
        double errorPoints,
        int orders,
        double transferStop,
        long seed) {

    /** 4 partitions; 30 % divided by 1.2 down to 3 %; 5 to 25 trials, 200 for the result; 2 and 5 % tolerance; 99 %; 0.1 points; 6 orders. */
    public static Settings defaults(long seed) {
        return new Settings(4, 0.30, 1.2, 0.03, 5, 25, 200, 0.02, 0.05, 0.99, 0.001, 6, 0.10, seed);
    }
}
