package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What MariaDB puts in the place of a column that a constant equals, elsewhere in the same condition: the constant as
 * it is written, not the column's value. So {@code c <> 'a0ee…-…11' AND c <=> 'a0ee…11'} compares two texts that are
 * not alike, where {@code c} is a UUID that equals both, and gives its row. A condition would widen what stands beside
 * it.
 *
 * <p>Therefore columns of types of which one value has several texts are compared only with columns of their type and
 * with constants that are written as the column would be; what has no such form, or is a constant that is computed, is
 * refused.
 *
 * <p>The type oracle found it ({@code MariaDbTypeOracleIT}): an accepted condition gave a row that the view's own
 * condition does not give. Addresses ({@code INET6}) have no written form that a constant could be held against here,
 * so they are compared with columns of their type only.
 */
final class EqualConstants {

    /** The text of a UUID as MariaDB writes it. */
    private static final String UUID = "uuid";

    private static final Set<String> ADDRESSES = Set.of("inet4", "inet6");

    private EqualConstants() {}

    /** Refuses the comparison of two operands if it can change what stands beside it. */
    static void check(Operand left, Operand right, Work work, int position) {
        // Either side may be the column, and both may be.
        if (work.dialect.has(DialectRule.CONSTANTS_BECOME_THE_COLUMNS)) {
            check(column(left), right, work, position);
            check(column(right), left, work, position);
            if (isUnsigned(left) && isComputed(right) || isUnsigned(right) && isComputed(left)) {
                throw work.refuse("a comparison of a BIGINT UNSIGNED with a constant that is computed", position);
            }
        }
    }

    private static boolean isUnsigned(Operand operand) {
        ColumnType type = operand instanceof Operand.Plain plain ? plain.sort().type() : null;
        return type != null
                && type.nameInDatabase().startsWith("bigint")
                && type.nameInDatabase().contains("unsigned");
    }

    /**
     * Whether it is a constant, and not as it is written.
     *
     * <p>Beyond 2^63 it may have become another number on its way, as in {@code COALESCE(9223372036854775808, -1)}, and
     * is put in the column's place as that.
     */
    private static boolean isComputed(Operand operand) {
        if (operand instanceof Hidden hidden) {
            return hidden.reads().isEmpty() && hidden.pendings().isEmpty();
        }
        return operand instanceof Operand.Plain plain
                && !plain.isNull()
                && plain.term() instanceof Term.Function
                && Mentions.variables(List.of(plain.term())).isEmpty();
    }

    private static void check(@Nullable ColumnType column, Operand other, Work work, int position) {
        if (column != null && !isWrittenAlike(column, other, work)) {
            throw work.refuse(
                    "a comparison of a column of type " + column.nameInDatabase()
                            + " with anything but a column of that type"
                            + (column.kind() == ValueKind.UUID ? " or a UUID in small letters, with its dashes" : ""),
                    position);
        }
    }

    /** The type, if it is one of which one value has several texts. */
    private static @Nullable ColumnType column(Operand operand) {
        ColumnType type = operand instanceof Operand.Plain plain ? plain.sort().type() : null;
        return type != null && (type.nameInDatabase().equals(UUID) || ADDRESSES.contains(type.nameInDatabase()))
                ? type
                : null;
    }

    private static boolean isWrittenAlike(ColumnType column, Operand other, Work work) {
        // A sub-query's result may be one row, which MariaDB computes first and then takes for a constant.
        if (!(other instanceof Operand.Plain plain)) {
            return false;
        }
        ColumnType type = plain.sort().type();
        if (plain.isNull() || type != null && type.nameInDatabase().equals(column.nameInDatabase())) {
            return true;
        }
        boolean isUuid = column.kind() == ValueKind.UUID;
        if (plain.sort() instanceof Sort.OfLiteral literal) {
            return isUuid && Literals.as(literal.kind(), literal.text(), column, work.dialect) != null;
        }
        if (plain.sort() instanceof Sort.OfSlot slot) {
            boolean isText = slot.kind() == null || slot.kind() == LiteralKind.STRING;
            // How a parameter is written is known when it is bound. Its type says that only the database's own spelling
            // is this value, and the demand refuses what is written otherwise.
            if (!isUuid || !isText || !work.arguments.expect(slot.slot(), ColumnType.CANONICAL_UUID)) {
                return false;
            }
            work.demands.add(new Demand(slot.slot(), null, "a UUID that is not in small letters, with its dashes"));
            return true;
        }
        return plain.sort() instanceof Sort.OfContext;
    }
}
