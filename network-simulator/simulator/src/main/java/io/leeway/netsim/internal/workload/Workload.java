package io.leeway.netsim.internal.workload;

/**
 * What is sent.
 *
 * @param pattern who sends to whom
 * @param sizes lengths of messages
 * @param messages messages a job
 * @param jobs how many jobs, those beside them included
 * @param msr the share of its messages that a job needs
 * @param load offered bytes as a part of what the links of all receivers carry; the start of jobs is a Poisson process. With
 *     0 all start at once
 * @param exactShare the part of the jobs that is not approximate: these need all, and are sent by DCTCP
 */
public record Workload(
        Pattern pattern, Sizes sizes, int messages, int jobs, double msr, double load, double exactShare) {

    /** Who sends to whom. */
    public enum Pattern {
        /** A random host to a random other. */
        ALL_TO_ALL,
        /** All others to host 0. */
        INCAST,
        /** Each host to one other, each receiving from one. */
        PERMUTATION
    }
}
