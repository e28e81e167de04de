package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.Truth;
import io.leeway.privoxy.internal.sql.ast.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on sub-queries. With {@code c} the sub-query's column:
 *
 * <ul>
 *   <li>{@code x IN (q)}, {@code x = ANY (q)} is TRUE iff q has a row where {@code x = c} is TRUE, and FALSE iff it has
 *       no row where {@code x = c} is not FALSE (TRUE, or unknown because of a NULL);
 *   <li>{@code x op ALL (q)} is TRUE iff q has no row where {@code x op c} is not TRUE, and FALSE iff it has one where
 *       it is FALSE;
 *   <li>{@code EXISTS (q)} is never unknown.
 * </ul>
 *
 * <p>That there is a row with a property joins that row to the block, exactly. That there is none is hidden: the block
 * is revealed without the literal, and besides for which of its rows there is such a row.
 */
final class SubqueryTruth {

    private final ValueReader values;
    private final Work work;
    private final Comparer comparer;
    private final Subqueries subqueries;

    SubqueryTruth(TruthReader truths) {
        this.values = truths.values();
        this.work = values.work();
        this.comparer = truths.comparer();
        this.subqueries = new Subqueries(work);
    }

    Dnf when(Expr e, Truth truth) {
        if (e instanceof Expr.Exists exists) {
            return switch (truth) {
                case TRUE -> subqueries.some(exists.query(), values, null);
                case FALSE -> subqueries.none(exists.query(), values, null);
                // EXISTS counts rows, whatever is in them.
                case UNKNOWN -> Dnf.FALSE;
            };
        }
        if (e instanceof Expr.InQuery in) {
            return quantified(
                    in.operand(),
                    ComparisonOperator.EQ,
                    false,
                    in.query(),
                    in.negated() ? TruthReader.opposite(truth) : truth,
                    e);
        }
        var quantified = (Expr.QuantifiedQuery) e;
        ComparisonOperator operator = operator(quantified.operator());
        return operator == null
                ? comparer.truth(values.read(e), truth)
                : quantified(quantified.left(), operator, quantified.all(), quantified.query(), truth, e);
    }

    private static @Nullable ComparisonOperator operator(String symbol) {
        for (ComparisonOperator operator : ComparisonOperator.values()) {
            if (operator != ComparisonOperator.NULL_SAFE_EQ && operator.symbol().equals(symbol)) {
                return operator;
            }
        }
        return null;
    }

    private Dnf quantified(Expr left, ComparisonOperator operator, boolean all, Query query, Truth truth, Expr whole) {
        // Unknown is when some row is neither and none decides: presence and absence at once. As a value it is hidden,
        // which asks for the whole sub-query.
        if (truth == Truth.UNKNOWN) {
            return comparer.truth(values.read(whole), truth);
        }
        List<Expr> fields = left instanceof Expr.Row row ? row.values() : List.of(left);
        // H2 looks = ALL up in an index as if it were = ANY, which tells whether the sub-query is empty.
        boolean looseAll = all && operator == ComparisonOperator.EQ && work.dialect == Dialect.H2;
        boolean order = operator != ComparisonOperator.EQ && operator != ComparisonOperator.NE;
        if (looseAll || (fields.size() > 1 && order)) {
            return comparer.truth(values.read(whole), truth);
        }
        List<Operand> operands = values.readAll(fields);
        int position = whole.position();
        // One row is enough to make ANY TRUE and ALL FALSE. The other outcome takes all rows, so it is an absence: of
        // rows that decide, and of those that are unknown.
        Truth decisive = all ? Truth.FALSE : Truth.TRUE;
        if (truth == decisive) {
            return subqueries.some(query, values, columns -> match(operator, operands, columns, decisive, position));
        }
        // Also of rows for which it is unknown: x NOT IN (1, NULL) is never TRUE
        // (NormalizerSubqueryTest.notInMindsNull).
        return subqueries.none(
                query,
                values,
                columns -> match(operator, operands, columns, decisive, position)
                        .or(match(operator, operands, columns, Truth.UNKNOWN, position), work, position));
    }

    /** When the comparison of the fields with a row's columns has this truth value. */
    private Dnf match(
            ComparisonOperator operator, List<Operand> fields, List<Operand> columns, Truth truth, int position) {
        if (fields.size() != columns.size()) {
            // An error of the database's; but it must not be read as anything here.
            throw work.refuse("a sub-query with another number of columns than its left side", position);
        }
        for (int i = 0; i < fields.size(); i++) {
            if (new Composites(work).mayHoldNulls(fields.get(i), columns.get(i))) {
                // H2 finds them among the rows by what is the same, not by =.
                List<Operand> all = new ArrayList<>(fields);
                all.addAll(columns);
                return Dnf.of(Hidden.over(all));
            }
        }
        if (fields.size() == 1) {
            return isByLeastOrGreatest(operator, fields.get(0), columns.get(0))
                    ? Dnf.of(Hidden.over(List.of(fields.get(0), columns.get(0))))
                    : comparer.when(truth, operator, fields.get(0), columns.get(0), position);
        }
        boolean equal = operator == ComparisonOperator.EQ;
        return rowEquality(fields, columns, equal ? truth : TruthReader.opposite(truth), position);
    }

    /**
     * For an order MariaDB compares with the least or the greatest of the rows, which it finds in their type and then
     * takes for a value of the other side's: of a BIGINT UNSIGNED above 2^63 beside a DOUBLE a negative number. Where
     * both are of one type that is the same.
     *
     * <p>The type oracle found it ({@code MariaDbTypeOracleIT}).
     */
    private boolean isByLeastOrGreatest(ComparisonOperator operator, Operand field, Operand column) {
        return work.dialect == Dialect.MARIADB
                && operator != ComparisonOperator.EQ
                && operator != ComparisonOperator.NE
                && !isOfOneType(field, column);
    }

    private static boolean isOfOneType(Operand one, Operand two) {
        return one instanceof Operand.Plain first
                && two instanceof Operand.Plain second
                && first.sort().type() != null
                && first.sort().type().equals(second.sort().type());
    }

    /** TRUE: all fields equal. FALSE: one differs. UNKNOWN: none differs, one is unknown. */
    private Dnf rowEquality(List<Operand> fields, List<Operand> columns, Truth truth, int position) {
        Dnf soFar = Dnf.of(truth == Truth.TRUE);
        Dnf equalSoFar = Dnf.TRUE;
        for (int i = 0; i < fields.size(); i++) {
            Dnf equal = comparer.when(Truth.TRUE, ComparisonOperator.EQ, fields.get(i), columns.get(i), position);
            Dnf unknown = comparer.when(Truth.UNKNOWN, ComparisonOperator.EQ, fields.get(i), columns.get(i), position);
            switch (truth) {
                case TRUE -> soFar = soFar.and(equal, work, position);
                case FALSE ->
                    soFar = soFar.or(
                            comparer.when(Truth.FALSE, ComparisonOperator.EQ, fields.get(i), columns.get(i), position),
                            work,
                            position);
                case UNKNOWN ->
                    soFar = soFar.and(equal.or(unknown, work, position), work, position)
                            .or(equalSoFar.and(unknown, work, position), work, position);
            }
            equalSoFar = equalSoFar.and(equal, work, position);
        }
        return soFar;
    }

    /**
     * {@code x = (SELECT c …)} where the sub-query cannot have two rows for one outer row: TRUE iff it has a row where
     * {@code x = c} is TRUE. Null if that is not certain; a second row would be an error, which tells something.
     *
     * <p>With no row the sub-query is NULL and the comparison UNKNOWN, which is neither TRUE nor FALSE: so for these
     * two the row has to be there, and joining it says all.
     */
    @Nullable
    Dnf comparisonWithUniqueRow(Expr.Comparison e, Truth truth) {
        if (truth == Truth.UNKNOWN) {
            return null;
        }
        if (e.right() instanceof Expr.Scalar scalar) {
            return unique(e.left(), scalar.query(), e, truth, false);
        }
        return e.left() instanceof Expr.Scalar scalar ? unique(e.right(), scalar.query(), e, truth, true) : null;
    }

    private @Nullable Dnf unique(Expr value, Query query, Expr.Comparison e, Truth truth, boolean queryIsLeft) {
        if (value instanceof Expr.Scalar || value instanceof Expr.Row || !subqueries.isUnique(query, values)) {
            return null;
        }
        Operand operand = values.read(value);
        return subqueries.some(query, values, columns -> {
            List<Operand> sides = new ArrayList<>(List.of(operand, values.selected(columns.get(0))));
            return comparer.when(
                    truth, e.operator(), sides.get(queryIsLeft ? 1 : 0), sides.get(queryIsLeft ? 0 : 1), e.position());
        });
    }
}
