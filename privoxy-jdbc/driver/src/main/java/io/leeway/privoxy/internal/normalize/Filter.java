package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a FROM or WHERE clause, read anew for each choice of optional parts that are absent.
 *
 * <p>Not a {@link Dnf} from the start: what a condition says depends on which optional parts are absent, and that is
 * decided after all of FROM has been read ({@link Branching}).
 */
interface Filter {

    /** When it is true, if the parts in {@code absence} have no row (their columns are NULL). */
    Dnf holds(Absence absence);

    /** The operands of a conjunction, each for itself: so it shows which of them fails; nothing for null. */
    static List<Filter> of(@Nullable Expr condition, Work work, Place place) {
        if (condition == null) {
            return List.of();
        }
        work.account.read(condition);
        // By itself each may fail on NULLs, by which an outer join turns out to be an inner one, and be left out where
        // it is hidden. WHERE is TRUE iff all operands of an AND are, so nothing is lost.
        List<Expr> operands = condition instanceof Expr.And and ? and.operands() : List.of(condition);
        return operands.stream()
                .<Filter>map(operand -> absence -> TruthReader.isTrue(operand, work, place, absence))
                .toList();
    }
}
