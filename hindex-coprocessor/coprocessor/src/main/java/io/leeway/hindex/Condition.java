package io.leeway.hindex;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a column of an index is asked for. Values are of the class that the column's {@link Encoding#valueType()} tells.
 * In a query, the conditions of all columns but the last must be exact: {@link #is}, {@link #in} or {@link #isAbsent}.
 *
 * @since 0.1
 */
public sealed interface Condition {

    /** Has just this value. */
    static Condition is(Object value) {
        return new In(List.of(value));
    }

    /** Has one of these values. */
    static Condition in(List<?> values) {
        return new In(List.copyOf(values));
    }

    /** Has no value; for columns after the first. */
    static Condition isAbsent() {
        return new Absent();
    }

    /** Has a value between these, both included. */
    static Condition between(Object lowest, Object highest) {
        return new Range(lowest, true, highest, true);
    }

    /** Has this value or a greater one. */
    static Condition atLeast(Object lowest) {
        return new Range(lowest, true, null, false);
    }

    /** Has a greater value. */
    static Condition above(Object bound) {
        return new Range(bound, false, null, false);
    }

    /** Has this value or a smaller one. */
    static Condition atMost(Object highest) {
        return new Range(null, false, highest, true);
    }

    /** Has a smaller value. */
    static Condition below(Object bound) {
        return new Range(null, false, bound, false);
    }

    /** Has any value. */
    static Condition isPresent() {
        return new Range(null, false, null, false);
    }

    /** Has a value that begins so. */
    static Condition startsWith(Object prefix) {
        return new Prefix(prefix);
    }

    /**
     * One of some values.
     *
     * @param values which
     */
    record In(List<Object> values) implements Condition {
        /** Takes a copy. */
        public In {
            values = List.copyOf(values);
        }
    }

    /** No value. */
    record Absent() implements Condition {}

    /**
     * Values between bounds; null where there is none.
     *
     * @param low the lower bound
     * @param lowIncluded whether it belongs to the range
     * @param high the upper bound
     * @param highIncluded whether it belongs to the range
     */
    record Range(
            @Nullable Object low,
            boolean lowIncluded,
            @Nullable Object high,
            boolean highIncluded) implements Condition {}

    /**
     * Values that begin alike.
     *
     * @param start how
     */
    record Prefix(Object start) implements Condition {}
}
