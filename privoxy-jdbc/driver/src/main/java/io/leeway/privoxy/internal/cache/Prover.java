package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.decide.Problem;

/**
 * Proves compliance; what it accepts must be compliant for all values of the problem's symbols.
 *
 * <p>There are several: the chase in its stages, and solvers for what it does not prove.
 */
@FunctionalInterface
public interface Prover {

    /** Whether a proof was found. */
    boolean proves(Problem problem);
}
