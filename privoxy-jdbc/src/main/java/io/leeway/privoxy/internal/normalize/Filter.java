package io.leeway.privoxy.internal.normalize;

/** A condition of a FROM or WHERE clause, read anew for each choice of optional parts that are absent. */
interface Filter {

    /** When it is true, if the parts in {@code absence} have no row (their columns are NULL). */
    Dnf holds(Absence absence);
}
