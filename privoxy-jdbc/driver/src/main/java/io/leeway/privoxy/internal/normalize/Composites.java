package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import org.jspecify.annotations.Nullable;

/**
 * Values that are made of others, of which NULL is not what it is of the rest. On PostgreSQL and H2 a row IS NULL if
 * all its fields are, and IS NOT NULL if none is, whether or not the column that holds it is NULL. On H2 a comparison
 * of rows or lists is unknown where it comes to a NULL inside, while DISTINCT, IN with a sub-query and keys take such
 * values for equal to themselves. What is said of them so is a function of which nothing is assumed. MariaDB has none.
 *
 * <p>A view of the rows with {@code k IS NULL} was once taken to show what {@code NOT (k IS NOT NULL)} asks for, which
 * also gives the row whose k is {@code (1, NULL)}: neither test is the negation of the other ({@code RowValuesIT}).
 */
final class Composites {

    private final Work work;

    Composites(Work work) {
        this.work = work;
    }

    /** Whether IS NULL may look at the fields of the operand. */
    boolean mayBeRow(Operand operand) {
        if (work.dialect == Dialect.MARIADB || !(operand instanceof Operand.Plain plain)) {
            return false;
        }
        ColumnType type = plain.sort().type();
        // Of an expression without a type that is known, a function's for instance, it may be a row.
        return type == null ? plain.sort() instanceof Sort.Unknown : type.isRow();
    }

    /** Whether a comparison of the two may be unknown although neither is NULL. */
    boolean mayHoldNulls(Operand left, Operand right) {
        if (!work.dialect.has(DialectRule.NULLS_INSIDE_ARE_UNKNOWN)
                || !(left instanceof Operand.Plain one)
                || !(right instanceof Operand.Plain other)
                || one.isNull()
                || other.isNull()) {
            return false;
        }
        // A parameter may be bound as a list (RowValuesIT.aParameterMayBeAList). Beside a column that pairs with it, it
        // is of the column's type, and no list.
        boolean areUnknown = !isKnown(one.sort()) || !isKnown(other.sort());
        return isComposite(one) || isComposite(other) || areUnknown && Pairing.of(one, other, work) == null;
    }

    /**
     * Whether {@code =} of the two need be no equivalence, nor {@code <>} its negation: PostgreSQL compares geometry by area or length, about,
     * and NaN with nothing. What is not known may be such values.
     */
    boolean mayBeIncomparable(Operand left, Operand right) {
        return work.dialect == Dialect.POSTGRESQL
                && left instanceof Operand.Plain one
                && right instanceof Operand.Plain other
                && !one.isNull()
                && !other.isNull()
                && (isIncomparable(one)
                        || isIncomparable(other)
                        || one.sort() instanceof Sort.Unknown && other.sort() instanceof Sort.Unknown);
    }

    private static boolean isIncomparable(Operand.Plain operand) {
        ColumnType type = operand.sort().type();
        return type != null && !type.isComparable();
    }

    /** Whether the type is one whose values may have NULLs in them. */
    static boolean isComposite(@Nullable ColumnType type) {
        return type != null && (type.isRow() || type.isList());
    }

    private static boolean isComposite(Operand.Plain operand) {
        return isComposite(operand.sort().type());
    }

    /** Of a column's type, or a literal, whatever it is beside. */
    private static boolean isKnown(Sort sort) {
        LiteralKind kind = sort instanceof Sort.OfSlot slot ? slot.kind() : null;
        return sort.type() != null || sort instanceof Sort.OfLiteral || kind != null;
    }
}
