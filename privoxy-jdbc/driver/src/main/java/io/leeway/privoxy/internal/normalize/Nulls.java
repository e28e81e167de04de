package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * NULLs beside other values. One that is known to be NULL gives no value; but its type still takes part in what the
 * database takes the others for, as in {@code COALESCE(sqrt(NULL), 9007199254740993)}, which is a number of floating
 * point.
 *
 * <p>There 9007199254740993 is equal to 9007199254740992, so a condition with it would find a row that no view shows
 * ({@code FourthAttackIT.whatIsNullOrEmptyStillDecidesTheTypeOfTheRest}). A NULL that is written as such has no type in
 * any of the three databases and decides nothing.
 */
final class Nulls {

    /** A type of which nothing is known. */
    static final ColumnType UNKNOWN = ColumnType.exact(ValueKind.OPAQUE, "?");

    private Nulls() {}

    /** Whether the NULLs among some operands leave the types of the others as they are. */
    static boolean decideNothing(List<? extends Operand> operands) {
        for (Operand operand : operands) {
            ColumnType type = ofNull(operand);
            if (type != null && !operands.stream().allMatch(other -> isOf(other, type))) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable ColumnType ofNull(Operand operand) {
        return operand instanceof Operand.Plain plain && plain.sort() instanceof Sort.OfNull known ? known.of() : null;
    }

    private static boolean isOf(Operand operand, ColumnType type) {
        if (!(operand instanceof Operand.Plain plain) || type.equals(UNKNOWN)) {
            return false;
        }
        if (plain.sort() instanceof Sort.OfNull known) {
            return known.of() == null || type.equals(known.of());
        }
        LiteralKind kind = plain.sort() instanceof Sort.OfLiteral literal
                ? literal.kind()
                : plain.sort() instanceof Sort.OfSlot slot ? slot.kind() : null;
        if (kind != null) {
            return kind == LiteralKind.INTEGER && type.whole()
                    || kind == LiteralKind.STRING && type.kind() == ValueKind.TEXT && type.hasExactEquality()
                    || kind == LiteralKind.BOOLEAN && type.kind() == ValueKind.BOOLEAN;
        }
        ColumnType own = plain.sort().type();
        return own != null && (own.equals(type) || own.whole() && type.whole());
    }
}
