package io.leeway.autotune;

/**
 * The value of a knob: a number or one of several words. Immutable.
 *
 * @since 0.1
 */
public sealed interface KnobValue {

    /**
     * A number; for a knob of kind integer without a fraction.
     *
     * @param value finite
     */
    record Amount(double value) implements KnobValue {

        /** Refuses what is not finite. */
        public Amount {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("not a finite number: " + value);
            }
        }

        @Override
        public String toString() {
            return value == Math.rint(value) && Math.abs(value) < 1e15
                    ? Long.toString((long) value)
                    : Double.toString(value);
        }
    }

    /**
     * One of the words of a categorical knob.
     *
     * @param word as the knob's specification spells it
     */
    record Choice(String word) implements KnobValue {

        @Override
        public String toString() {
            return word;
        }
    }

    /** A number. */
    static KnobValue of(double value) {
        return new Amount(value);
    }

    /** A word. */
    static KnobValue of(String word) {
        return new Choice(word);
    }

    /**
     * The number.
     *
     * @throws IllegalStateException if it is a word
     */
    default double number() {
        if (this instanceof Amount amount) {
            return amount.value();
        }
        throw new IllegalStateException(this + " is not a number");
    }
}
