package io.leeway.autotune.internal.deploy;

import io.leeway.autotune.spi.Deployment;

/**
 * Where a run of AutoTune is; enough to go on from after a crash, since every phase begins with a deployment.
 *
 * @param phase that is under way or done
 * @param deployment the best that was verified so far
 * @param delta the present step, as a share of a server's capacity
 * @param iteration of the phase
 * @param what for people
 */
public record Step(Phase phase, Deployment deployment, double delta, int iteration, String what) {

    /** The phases, in order. */
    public enum Phase {
        /** Reducing what does not hurt. */
        CLAMPDOWN,
        /** On fewer servers. */
        PACK,
        /** What is left on each server to who needs it most. */
        LEFTOVERS,
        /** From who needs it less to who needs it more. */
        TRANSFER,
        /** Over. */
        DONE
    }
}
