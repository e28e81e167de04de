package io.leeway.privoxy.internal.normalize;

import java.util.List;

/** A condition on the columns that a sub-query returns. */
interface RowCondition {

    /** When it holds for a row of the sub-query. */
    Dnf holds(List<Operand> columns);
}
