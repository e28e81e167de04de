package io.leeway.lazytables;

/**
 * Between what {@link AdaptivePace} may choose. Work is counted in units that the program defines, such as blocks of
 * its data.
 *
 * @param first what to begin with
 * @param mostSlack the most clocks that reads may be behind
 * @param leastWork the fewest units that a clock may go over
 * @param mostWork the most units that a clock may go over
 * @param unitsPerPass the units that all of the data is
 * @param falls whether the objective falls when things get better, as an error does
 * @since 0.1
 */
public record PaceBounds(Pace first, int mostSlack, int leastWork, int mostWork, int unitsPerPass, boolean falls) {

    /** Checks that they make sense together. */
    public PaceBounds {
        if (mostSlack < 0
                || mostSlack > 1 << 16
                || leastWork < 1
                || mostWork < leastWork
                || unitsPerPass < 1
                || first.slack() > mostSlack
                || first.work() < leastWork
                || first.work() > mostWork) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_ARGUMENT,
                    "Slack " + first.slack() + " and work " + first.work() + " to begin with, slack up to " + mostSlack
                            + ", work " + leastWork + " to " + mostWork + " of " + unitsPerPass
                            + " units in a pass: give bounds that hold what to begin with, slack up to 65536, work from 1");
        }
    }

    /** How far behind reads may be, in passes over the data. */
    public double staleness(Pace pace) {
        return (double) pace.work() / unitsPerPass * (pace.slack() + 1.0);
    }
}
