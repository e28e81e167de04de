package io.leeway.privoxy.spi;

import java.util.List;
import java.util.Map;

/**
 * What a solver found.
 *
 * @since 0.1
 */
public sealed interface Outcome {

    /**
     * The script has no model.
     *
     * @param core assumptions that suffice for that, not necessarily a smallest set
     */
    record Unsatisfiable(List<String> core) implements Outcome {
        public Unsatisfiable {
            core = List.copyOf(core);
        }
    }

    /**
     * The script has a model.
     *
     * @param values by constant; elements of an uninterpreted sort are equal exactly if their texts are, Booleans are
     *     {@code true} and {@code false}, numbers are decimals or fractions as {@code -1/3}
     */
    record Satisfiable(Map<String, String> values) implements Outcome {
        public Satisfiable {
            values = Map.copyOf(values);
        }
    }

    /**
     * No answer.
     *
     * @param reason in a few words, without data
     */
    record Unknown(String reason) implements Outcome {

        /** No answer within the limits: to be returned just so, as it is counted apart. */
        public static final Unknown OUT_OF_LIMITS = new Unknown("the limits were used up");
    }

    /** Whether the question is answered. */
    default boolean isConclusive() {
        return !(this instanceof Unknown);
    }
}
