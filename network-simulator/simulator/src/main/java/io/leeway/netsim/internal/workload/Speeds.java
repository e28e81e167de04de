package io.leeway.netsim.internal.workload;

import io.leeway.netsim.internal.sim.Samples;

/** How long jobs took and how fast they were, those too that were not over. Not thread-safe. */
public final class Speeds {

    private final Samples times = new Samples();
    private final Samples goodputs = new Samples();
    private double squares;
    private int unfinished;

    /** Adds a job: seconds until it had enough, negative if that never came, and bits of messages a second until then. */
    void add(double seconds, double goodput) {
        if (seconds >= 0) {
            times.add(seconds);
        } else {
            unfinished++;
        }
        goodputs.add(goodput);
        squares += goodput * goodput;
    }

    /** Adds all of others. */
    public void addAll(Speeds others) {
        times.addAll(others.times);
        goodputs.addAll(others.goodputs);
        squares += others.squares;
        unfinished += others.unfinished;
    }

    /** Seconds until jobs had enough. */
    public Samples times() {
        return times;
    }

    /** Bits of messages a second, of each job. */
    public Samples goodputs() {
        return goodputs;
    }

    /** How many never had enough. */
    public int unfinished() {
        return unfinished;
    }

    /** Jain's index of the goodputs: 1 if all are the same, 1/n if one has all; not a number if there are none. */
    public double fairness() {
        double sum = goodputs.mean() * goodputs.size();
        return sum * sum / goodputs.size() / squares;
    }
}
