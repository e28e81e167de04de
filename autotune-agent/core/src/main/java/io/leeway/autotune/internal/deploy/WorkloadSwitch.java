package io.leeway.autotune.internal.deploy;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which of several tuned deployments a varying load gets (AutoTune §2.5): the present one stays until the load has been outside
 * its band for five minutes without a break; then the one tuned for the lowest rate that still exceeds the recent mean times
 * the over-provisioning factor. Above all of them there is none: that is autoscaling's business.
 *
 * @param <D> what stands for a deployment
 */
public final class WorkloadSwitch<D> {

    /** How long a load has to have changed. */
    public static final double HYSTERESIS_SECONDS = 300;

    private final NavigableMap<Double, D> byRate;
    private final double factor;
    private double mean;
    private double outsideSince = Double.NaN;
    private double sum;
    private int count;

    /**
     * A library of deployments.
     *
     * @param byRate each with the rate it was tuned for
     * @param factor over-provisioning, above 1
     * @param rate the rate at the start
     */
    public WorkloadSwitch(Map<Double, D> byRate, double factor, double rate) {
        this.byRate = new TreeMap<>(byRate);
        this.factor = factor;
        this.mean = rate;
    }

    /**
     * The rate of the last bucket of the load.
     *
     * @param seconds a clock; one that jumps back starts the five minutes anew
     * @return the deployment to change to, if it is time to; empty inside if none is for so much load
     */
    public Optional<Optional<D>> observe(double seconds, double rate) {
        boolean outside = rate > mean * factor || rate < mean / factor;
        if (!outside || seconds < outsideSince) {
            outsideSince = Double.NaN;
            sum = 0;
            count = 0;
            return Optional.empty();
        }
        if (Double.isNaN(outsideSince)) {
            outsideSince = seconds;
        }
        sum += rate;
        count++;
        if (seconds - outsideSince < HYSTERESIS_SECONDS) {
            return Optional.empty();
        }
        mean = sum / count;
        outsideSince = Double.NaN;
        sum = 0;
        count = 0;
        return Optional.of(choose(mean));
    }

    /** The deployment for a mean rate. */
    public Optional<D> choose(double rate) {
        return Optional.ofNullable(byRate.ceilingEntry(rate * factor)).map(Map.Entry::getValue);
    }

    /** The rates that there are deployments for. */
    public List<Double> rates() {
        return List.copyOf(byRate.keySet());
    }
}
