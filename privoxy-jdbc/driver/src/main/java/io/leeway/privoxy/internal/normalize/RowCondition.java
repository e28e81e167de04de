package io.leeway.privoxy.internal.normalize;

import java.util.List;

/**
 * A condition on the columns that a sub-query returns.
 *
 * <p>A test rather than a value to compare with, as {@code (a, b) IN (…)}, {@code > ANY} and {@code <> ALL} look at the
 * columns in different ways, and for different truth values.
 */
interface RowCondition {

    /** When it holds for a row of the sub-query. */
    Dnf holds(List<Operand> columns);
}
