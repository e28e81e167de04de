package io.leeway.privoxy.internal.decide;

import java.util.Arrays;

/**
 * An uninterpreted function at some nodes.
 *
 * <p>What SQL computes is not interpreted here. That equal arguments give equal results is all that a proof may use, as
 * the databases' own functions differ in rounding, collation and settings. So a proof that needs to know what a
 * function does is lost, but none is false.
 */
@SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
record Application(String symbol, int[] arguments, int result) {

    /**
     * Collation keys are null exactly when their argument is; of other functions nothing is assumed.
     *
     * <p>This is what makes comparisons by collation keys exact for NULL: a column is null if and only if its key is.
     * Nothing of the kind holds of {@code COALESCE} or of a function that is allowed by configuration, so these are not
     * strict.
     */
    boolean isStrict() {
        return symbol.startsWith("key:");
    }

    /**
     * Symbol and classes of the arguments.
     *
     * <p>Made of classes at the time of asking, so it is stale after a merge; {@link Universe#close()} makes all of
     * them anew.
     */
    static final class Key {
        private final String symbol;
        private final int[] roots;

        Key(String symbol, int[] roots) {
            this.symbol = symbol;
            this.roots = roots;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && symbol.equals(key.symbol) && Arrays.equals(roots, key.roots);
        }

        @Override
        public int hashCode() {
            return 31 * symbol.hashCode() + Arrays.hashCode(roots);
        }
    }
}
