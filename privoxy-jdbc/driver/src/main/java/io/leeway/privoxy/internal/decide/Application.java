package io.leeway.privoxy.internal.decide;

import java.util.Arrays;

/** An uninterpreted function at some nodes. */
@SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
record Application(String symbol, int[] arguments, int result) {

    /** Collation keys are null exactly when their argument is; of other functions nothing is assumed. */
    boolean isStrict() {
        return symbol.startsWith("key:");
    }

    /** Symbol and classes of the arguments. */
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
