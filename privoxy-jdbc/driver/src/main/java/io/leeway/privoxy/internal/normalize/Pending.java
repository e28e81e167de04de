package io.leeway.privoxy.internal.normalize;

/** A sub-query that remains to be revealed, once it is known for which outer rows. */
interface Pending {

    /** Emits what determines the sub-query's result for every outer row of the context. */
    void reveal(Context context);
}
