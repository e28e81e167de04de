package io.leeway.privoxy.internal.normalize;

import java.util.List;

/**
 * The rows of a block for which the same optional parts are there and the same are not. The rows of the block are those
 * of all its branches, each in one.
 *
 * <p>A branch is what {@link Revealer} can ask as conjunctive queries: whatever depends on whether a row is missing has
 * been decided. Parts of which nobody speaks stay undecided ({@code optional}), or each outer join would double the
 * number of branches.
 *
 * @param absence the parts without row
 * @param rows what each row of the branch is a combination of
 * @param where condition of WHERE and inner joins
 * @param on condition of the parts that are there
 * @param absent the parts that have no matching row, outermost only
 * @param optional parts of which conditions and sub-queries do not speak: there or not
 */
record Branch(
        Absence absence, List<Use> rows, Dnf where, Dnf on, List<OptionalPart> absent, List<OptionalPart> optional) {
    Branch {
        rows = List.copyOf(rows);
        absent = List.copyOf(absent);
        optional = List.copyOf(optional);
    }
}
