package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two terms in a form in which the database's equality of the two is identity of the terms: a literal read as the other
 * side's type, both sides wrapped where the type's equality is coarser than identity.
 *
 * <p>This is where the checker's equality is made neither coarser nor finer than the database's. Coarser, a view's
 * condition would seem to cover rows that it does not; finer, two rows that the database takes for partners would be
 * proved to have none.
 *
 * @param keyFunction the wrapping function, or empty
 * @param ordered whether {@code <} on the values is a total order that agrees with identity
 */
record Pairing(Term left, Term right, String keyFunction, boolean ordered) {

    /**
     * The pairing, or null if the comparison must be left to an uninterpreted function.
     *
     * <p>In this order: two types have to have one equality; one type is taken over by a literal, a parameter or a
     * context value on the other side, if that is certain; without any type only numbers and truth values are what they
     * look like.
     */
    static @Nullable Pairing of(Operand.Plain left, Operand.Plain right, Work work) {
        if (isTextOfItsOwn(left, right, work) || isPartlyUnknown(left, right, work)) {
            return null;
        }
        ColumnType leftType = typeOf(left.sort(), work);
        ColumnType rightType = typeOf(right.sort(), work);
        if (leftType != null && !leftType.isComparable() || rightType != null && !rightType.isComparable()) {
            return null;
        }
        if (leftType != null && rightType != null) {
            if (comparable(leftType, rightType)) {
                return of(left.term(), right.term(), leftType);
            }
            // Only of texts, where one side is a value of the context.
            ColumnType collated = collated(left.sort(), leftType, right.sort(), rightType);
            return collated == null ? null : of(left.term(), right.term(), collated);
        }
        if (leftType != null) {
            Term term = as(right, leftType, work);
            return term == null ? null : of(left.term(), term, leftType);
        }
        if (rightType != null) {
            Term term = as(left, rightType, work);
            return term == null ? null : of(term, right.term(), rightType);
        }
        return constants(left, right, work);
    }

    /**
     * Whether texts are compared of which none is a column's: H2 does so by the collation of the database, which only
     * its columns tell.
     *
     * <p>{@code 'a' = 'A'} is TRUE in an H2 database that ignores case; by identity a condition with it would be
     * dropped as never true ({@code FifthAttackIT.textsThatAreNoColumnsAreComparedAsTheDatabaseDoes}).
     */
    private static boolean isTextOfItsOwn(Operand.Plain left, Operand.Plain right, Work work) {
        return work.dialect == Dialect.H2
                && isOwn(left)
                && isOwn(right)
                && (isText(left.sort()) || isText(right.sort()))
                && !left.term().equals(right.term());
    }

    /** To H2 a row or list with a NULL in it is not surely equal to itself. */
    private static boolean isPartlyUnknown(Operand.Plain left, Operand.Plain right, Work work) {
        return work.dialect.has(DialectRule.NULLS_INSIDE_ARE_UNKNOWN)
                && (Composites.isComposite(left.sort().type())
                        || Composites.isComposite(right.sort().type()));
    }

    private static boolean isOwn(Operand.Plain operand) {
        return Terms.isRigid(operand.term()) && !(operand.sort() instanceof Sort.OfContext);
    }

    private static boolean isText(Sort sort) {
        return sort.type() != null && sort.type().kind() == ValueKind.TEXT;
    }

    Term wrappedLeft() {
        return wrap(left);
    }

    Term wrappedRight() {
        return wrap(right);
    }

    private Term wrap(Term term) {
        return keyFunction.isEmpty() ? term : new Term.Function(keyFunction, List.of(term));
    }

    private static Pairing of(Term left, Term right, ColumnType type) {
        String keyFunction = type.hasExactEquality() ? "" : type.keyFunction();
        return new Pairing(left, right, keyFunction, type.hasExactEquality() && isOrdered(type.kind()));
    }

    private static @Nullable ColumnType typeOf(Sort sort, Work work) {
        if (sort instanceof Sort.OfContext context) {
            return work.context.get(context.name());
        }
        return sort.type();
    }

    /**
     * Whether {@code =} between the two is the equality of the first. Whole and decimal numbers compare exactly; other
     * types of one family may be converted (CHAR against VARCHAR, one collation against another).
     *
     * <p>Equal names of equality mean one relation on values. A comparison of {@code CHAR} with {@code VARCHAR} pads or
     * does not, one between two collations is an error or takes either; so these are functions of both sides.
     */
    private static boolean comparable(ColumnType left, ColumnType right) {
        if (left.kind() != right.kind() || !left.equality().equals(right.equality())) {
            return false;
        }
        // PostgreSQL makes a large oid of a negative number.
        // Of OPAQUE types nothing is known but the name, so only one and the same type compares by identity.
        boolean sameName = left.sqlName().equals(right.sqlName());
        return sameName || left.kind() != ValueKind.OPAQUE && !isOid(left) && !isOid(right);
    }

    private static boolean isOid(ColumnType type) {
        return type.sqlName().equals("oid");
    }

    /**
     * A context parameter is a value like a JDBC parameter, so text of it is compared by the collation of the column.
     */
    private static @Nullable ColumnType collated(Sort left, ColumnType leftType, Sort right, ColumnType rightType) {
        if (leftType.kind() != ValueKind.TEXT || rightType.kind() != ValueKind.TEXT) {
            return null;
        }
        if (right instanceof Sort.OfContext && rightType.hasExactEquality()) {
            return leftType;
        }
        return left instanceof Sort.OfContext && leftType.hasExactEquality() ? rightType : null;
    }

    /**
     * Text is ordered by its collation, which the type does not tell; its order is left uninterpreted.
     *
     * <p>UUIDs, for one, have another order in each database.
     */
    private static boolean isOrdered(ValueKind kind) {
        return switch (kind) {
            case NUMBER, DATE, TIME, TIMESTAMP, INSTANT -> true;
            default -> false;
        };
    }

    /** A term without type of its own as one of the type, or null. */
    static @Nullable Term as(Operand.Plain operand, ColumnType type, Work work) {
        Sort sort = operand.sort();
        if (sort instanceof Sort.OfLiteral literal) {
            Value value = Literals.as(literal.kind(), literal.text(), type, work.dialect);
            return value == null ? null : new Term.Constant(value);
        }
        if (sort instanceof Sort.OfSlot slot) {
            // expect() last: it binds the slot to the type, which must not happen for a comparison that is then left to
            // a function.
            boolean fits = Literals.fits(slot.kind(), type, work.dialect) && !isLooseString(slot.kind(), type, work);
            return fits && work.arguments.expect(slot.slot(), expected(type, work)) ? operand.term() : null;
        }
        if (sort instanceof Sort.OfContext context) {
            // The first column that a context value is compared with says what it is, unless the policy declares it. It
            // is checked against that when a request gives it.
            work.context.putIfAbsent(context.name(), type);
            return operand.term();
        }
        return null;
    }

    private static ColumnType expected(ColumnType type, Work work) {
        return type.kind() == ValueKind.UUID && work.dialect == Dialect.MARIADB ? ColumnType.CANONICAL_UUID : type;
    }

    /** MariaDB compares a number with a string in floating point, and what the lifted string is shows only later. */
    private static boolean isLooseString(@Nullable LiteralKind kind, ColumnType type, Work work) {
        return kind == LiteralKind.STRING && type.kind() == ValueKind.NUMBER && work.dialect == Dialect.MARIADB;
    }

    /**
     * Neither side has a type: numbers and truth values are what they look like. WHERE 1 = 1, which generated texts are
     * full of.
     */
    private static @Nullable Pairing constants(Operand.Plain left, Operand.Plain right, Work work) {
        for (ColumnType type : List.of(NUMBER, TRUTH)) {
            if (isSurely(left.sort(), type, work) && isSurely(right.sort(), type, work)) {
                Term first = as(left, type, work);
                Term second = as(right, type, work);
                return first == null || second == null ? null : of(first, second, type);
            }
        }
        return null;
    }

    private static final ColumnType NUMBER = ColumnType.exact(ValueKind.NUMBER, "numeric");
    private static final ColumnType TRUTH = ColumnType.exact(ValueKind.BOOLEAN, "boolean");

    private static boolean isSurely(Sort sort, ColumnType type, Work work) {
        LiteralKind kind = sort instanceof Sort.OfLiteral literal
                ? literal.kind()
                : sort instanceof Sort.OfSlot slot ? slot.kind() : null;
        if (kind == null) {
            return false;
        }
        return type.equals(NUMBER) ? Literals.isNumber(kind, work.dialect) : kind == LiteralKind.BOOLEAN;
    }
}
