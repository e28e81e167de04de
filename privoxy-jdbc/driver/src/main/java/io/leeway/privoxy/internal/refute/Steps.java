package io.leeway.privoxy.internal.refute;

/**
 * How much evaluation a counterexample is worth: joins of many atoms have more combinations of rows than anybody can
 * wait for.
 *
 * <p>Of its own here, beside that of the chase: this one counts cells that are kept, too, since a product of rows of
 * thousands of columns filled the memory before ({@code SixthAttackIT}).
 */
final class Steps {

    private long left;

    Steps(long limit) {
        this.left = limit;
    }

    /** So many cells are looked at or kept; not evaluable once there were too many. */
    void take(int cells) {
        // Something has to be paid for no cells, too.
        left -= cells + 1L;
        if (left < 0) {
            throw new NotEvaluable("more combinations of rows than are tried");
        }
    }
}
