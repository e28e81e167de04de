package io.leeway.privoxy.internal.smt;

/** How much evaluation a counterexample is worth: joins of many atoms have more combinations of rows than anybody can wait for. */
final class Steps {

    private long left;

    Steps(long limit) {
        this.left = limit;
    }

    /** Another row is tried; not evaluable once there were too many. */
    void take() {
        if (--left < 0) {
            throw new NotEvaluable("more combinations of rows than are tried");
        }
    }
}
