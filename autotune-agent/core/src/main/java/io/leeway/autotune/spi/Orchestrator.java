package io.leeway.autotune.spi;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Deploys an application on servers and measures it: what AutoTune asks of Kubernetes, of processes in control groups,
 * or of a simulator (AutoTune §2.6). Called by one thread.
 *
 * @since 0.1
 */
public interface Orchestrator {

    /**
     * One trial.
     *
     * @param latency of the percentile that counts, in milliseconds
     * @param throughput answered requests a second
     * @param errorRate share of failed requests
     */
    record Trial(double latency, double throughput, double errorRate) {}

    /** The instances, and what each needs at least. */
    Map<String, Allocation> floors();

    /** What each server has; all are alike. */
    Allocation capacity();

    /** What every placement has to obey. */
    List<Constraint> constraints();

    /** What can be limited here; what cannot is left as it is. */
    Set<Resource> tunable();

    /**
     * Brings a deployment about; returns when its instances are well. A change of allocations alone restarts nothing
     * where that is possible.
     *
     * @throws io.leeway.autotune.AutoTuneException if it does not come about; the one before is in place then
     */
    void deploy(Deployment deployment);

    /** Runs the representative workload on what is deployed, once. */
    Trial measure();
}
