package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which columns of an opaque SELECT have, in each of its rows, the value that they have in a row behind it.
 *
 * <p>Why not more: what a column of an opaque query shows is known in any case, as the query is revealed. Linking it to
 * the row behind only helps to prove what the tables around show.
 */
final class Showing {

    private final Work work;
    private final Place place;
    private final boolean grouped;
    private final Set<Operand> groups = new HashSet<>();

    Showing(Work work, QueryBody.Select select, Place place) {
        this.work = work;
        this.place = place;
        this.grouped = Traits.of(select, List.of(), work).grouped();
        // In a group all rows have the same value in what is grouped by, so also the one behind it; with ROLLUP it may
        // be NULL instead.
        if (grouped && Traits.hasPlainGroups(select)) {
            groups.addAll(new OutputReader(work, place, select.items()).groups(select, Absence.NONE));
        }
    }

    boolean shows(Cell cell) {
        if (!isColumn(cell)) {
            return false;
        }
        Operand operand = new ValueReader(work, place, Absence.NONE).read(cell);
        return operand instanceof Operand.Plain && (!grouped || groups.contains(operand));
    }

    /** Only columns: an expression that draws a conclusion from a row is not worth modelling. */
    private static boolean isColumn(Cell cell) {
        return !(cell instanceof Cell.OfExpression expression) || expression.expression() instanceof Expr.Column;
    }
}
