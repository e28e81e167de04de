package io.leeway.autotune.lab.internal.search;

/** Where to try next. Implementations have no state: all is in the history. */
@FunctionalInterface
public interface Optimizer {

    /** A point of the unit cube, not necessarily snapped, and not necessarily allowed by the constraints. */
    double[] next(History history);

    /** A coordinate that left [0, 1] comes back as from a mirror; if it would leave the other side, it stays at the bound. */
    static double reflected(double x) {
        double inside = x < 0 ? -x : x > 1 ? 2 - x : x;
        return inside < 0 || inside > 1 ? (x < 0 ? 0 : 1) : inside;
    }
}
