package io.leeway.netsim.internal.workload;

import java.util.List;

/**
 * What is sent.
 *
 * @param pattern who sends to whom
 * @param sizes lengths of messages
 * @param arrivals when the messages of a job are there
 * @param messages messages a job
 * @param jobs how many jobs, the exact ones included
 * @param msr the share of its messages that a job needs
 * @param load offered bytes as a part of what the links of all receivers carry; the start of jobs is a Poisson process. With
 *     0 all start at once
 * @param exactShare the part of the jobs that is not approximate: these need all, and are sent by DCTCP
 * @param after when the first of these jobs may start, in picoseconds; what is beside them starts before
 * @param beside jobs of other kinds that run as long as these do
 * @param background packets that nobody counts
 * @param trace the jobs, if they are given; then pattern, sizes, arrivals, messages, jobs and load say nothing
 */
public record Workload(
        Pattern pattern,
        Sizes sizes,
        Arrivals arrivals,
        int messages,
        int jobs,
        double msr,
        double load,
        double exactShare,
        long after,
        List<Beside> beside,
        List<Background.Phase> background,
        List<FlowTrace.Job> trace) {

    /** Copies. */
    public Workload {
        beside = List.copyOf(beside);
        background = List.copyOf(background);
        trace = List.copyOf(trace);
    }

    /** Jobs whose messages are all there at the start, and nothing beside them. */
    public static Workload of(Pattern pattern, Sizes sizes, int messages, int jobs, double load) {
        return new Workload(
                pattern,
                sizes,
                new Arrivals.Together(),
                messages,
                jobs,
                1,
                load,
                0,
                0,
                List.of(),
                List.of(),
                List.of());
    }

    /** One case of a sweep. */
    public Workload at(double share, double offered, double exact, double besideScale) {
        List<Beside> scaled = besideScale == 0
                ? List.of()
                : beside.stream().map(one -> one.scaled(besideScale)).toList();
        return new Workload(
                pattern, sizes, arrivals, messages, jobs, share, offered, exact, after, scaled, background, trace);
    }

    /** Who sends to whom. */
    public enum Pattern {
        /** A random host to a random other. */
        ALL_TO_ALL,
        /** All others to host 0. */
        INCAST,
        /** Each host to one other, each receiving from one. */
        PERMUTATION,
        /** Host 1 to host 0. */
        PAIR
    }

    /**
     * Jobs of another kind by the same transport, between random hosts.
     *
     * @param sizes lengths of their messages
     * @param messages messages a job
     * @param msr the share that they need
     * @param load what they offer, as a part of what the links of all receivers carry
     */
    public record Beside(Sizes sizes, int messages, double msr, double load) {
        Beside scaled(double factor) {
            return new Beside(sizes, messages, msr, load * factor);
        }
    }
}
