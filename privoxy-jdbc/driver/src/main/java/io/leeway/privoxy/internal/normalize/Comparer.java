package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.Truth;
import java.util.List;

/**
 * When a comparison of two operands is TRUE, FALSE or UNKNOWN.
 *
 * <p>Comparisons are exact. Where equality or order of the two types is not that of the values ({@link Pairing}), the
 * comparison is an uninterpreted Boolean function of both sides: two databases that agree on the sides agree on it, and
 * nothing else is assumed, not even that a comparison and its negation exclude each other where {@link Composites} says so. So
 * is, for some of them, whether it is unknown. A hidden operand makes the outcome hidden.
 *
 * <p>The three truth values are asked for separately because NULL makes the negation of a comparison something else
 * than the comparison's failing: {@code NOT (a = b)} is TRUE iff {@code a <> b} is, and neither is where one side is
 * NULL.
 */
final class Comparer {

    private static final Term TRUE = new Term.Constant(Value.TRUE);
    private static final Term FALSE = new Term.Constant(Value.FALSE);

    private final Work work;

    Comparer(Work work) {
        this.work = work;
    }

    Dnf when(Truth truth, ComparisonOperator operator, Operand left, Operand right, int position) {
        // Whatever the outcome: MariaDB's optimizer sees the comparison, too, and may carry the constant elsewhere.
        EqualConstants.check(left, right, work, position);
        if (left instanceof Hidden || right instanceof Hidden) {
            return Dnf.of(Hidden.over(List.of(left, right)));
        }
        var a = (Operand.Plain) left;
        var b = (Operand.Plain) right;
        if (a.isNull() || b.isNull()) {
            // A comparison with NULL is UNKNOWN, whatever is on the other side. The type of that NULL may still decide
            // as what others are compared; that is looked at where there are others (Nulls).
            return Dnf.of(truth == Truth.UNKNOWN);
        }
        if (truth != Truth.UNKNOWN && new Composites(work).mayBeIncomparable(a, b)) {
            Term value = truth == Truth.TRUE ? TRUE : FALSE;
            return Dnf.of(new Condition.Comparison(Operator.EQUAL, outcome(operator.symbol(), a, b), value));
        }
        return switch (truth) {
            case TRUE -> holds(operator, a, b);
            // A comparison is FALSE where its negation is TRUE: both need two values that are not NULL. Negating the
            // condition as a whole would make FALSE of UNKNOWN.
            case FALSE -> holds(negated(operator), a, b);
            case UNKNOWN ->
                // On H2, of rows and lists: (1, NULL) = (1, NULL) is UNKNOWN though neither side is NULL. When that is,
                // nobody says but H2.
                new Composites(work).mayHoldNulls(a, b)
                        ? Dnf.of(new Condition.NullTest(outcome(operator.symbol(), a, b), true))
                        : isNull(a).or(isNull(b), work, position);
        };
    }

    /** When the operand is NULL, to a comparison with it. */
    Dnf isNull(Operand operand) {
        return nullTest(operand, true, "is null");
    }

    /** When the operand is not NULL, to a comparison with it. */
    Dnf isNotNull(Operand operand) {
        return nullTest(operand, false, "is not null");
    }

    /** {@code IS NULL}, which MariaDB takes for another question of a date ({@link #nullTest}). */
    Dnf isSaidNull(Operand operand) {
        return nullTest(operand, true, "IS NULL");
    }

    /** {@code IS NOT NULL}. */
    Dnf isSaidNotNull(Operand operand) {
        return nullTest(operand, false, "IS NOT NULL");
    }

    /** When an operand that is a truth value has this one. */
    Dnf truth(Operand operand, Truth truth) {
        if (operand instanceof Hidden hidden) {
            return Dnf.of(hidden);
        }
        var plain = (Operand.Plain) operand;
        if (plain.isNull()) {
            return Dnf.of(truth == Truth.UNKNOWN);
        }
        return truth == Truth.UNKNOWN
                ? isNull(plain)
                : Dnf.of(new Condition.Comparison(Operator.EQUAL, plain.term(), truth == Truth.TRUE ? TRUE : FALSE));
    }

    static ComparisonOperator negated(ComparisonOperator operator) {
        return switch (operator) {
            case EQ -> ComparisonOperator.NE;
            case NE -> ComparisonOperator.EQ;
            case LT -> ComparisonOperator.GE;
            case GE -> ComparisonOperator.LT;
            case GT -> ComparisonOperator.LE;
            case LE -> ComparisonOperator.GT;
            case NULL_SAFE_EQ -> throw new IllegalArgumentException("never unknown, so not a comparison");
        };
    }

    /**
     * Of the zero date of a column that takes no NULL MariaDB says that it {@code IS NULL}, and that it {@code IS NOT NULL};
     * it is none to {@code <=>}, and equals itself. So nothing is known of any such test, and each is its own question.
     */
    private Dnf nullTest(Operand operand, boolean isNull, String test) {
        if (operand instanceof Hidden hidden) {
            return Dnf.of(hidden);
        }
        var plain = (Operand.Plain) operand;
        if (plain.isNull() || !plain.nullable()) {
            return Dnf.of(plain.isNull() == isNull);
        }
        ColumnType type = plain.sort().type();
        if (type != null && type.hasZeroDates()) {
            var answer = new Term.Function(test + " of a date", List.of(plain.term()));
            return Dnf.of(new Condition.Comparison(Operator.EQUAL, answer, TRUE));
        }
        return Dnf.of(new Condition.NullTest(plain.term(), isNull));
    }

    private Dnf holds(ComparisonOperator operator, Operand.Plain left, Operand.Plain right) {
        return switch (operator) {
            case EQ -> equality(Operator.EQUAL, "=", left, right);
            case NE -> equality(Operator.NOT_EQUAL, "<>", left, right);
            case LT -> order(Operator.LESS, "<", left, right);
            case LE -> order(Operator.LESS_OR_EQUAL, "<=", left, right);
            // Written as <, so that a > b in a statement is the condition that a view wrote as b < a.
            case GT -> order(Operator.LESS, "<", right, left);
            case GE -> order(Operator.LESS_OR_EQUAL, "<=", right, left);
            case NULL_SAFE_EQ -> throw new IllegalArgumentException("never unknown, so not a comparison");
        };
    }

    // Without a pairing (other types, another collation) the outcome is a function of both sides of which nothing is
    // known. Two databases that agree on the sides then agree on it, which is enough for a question that shows both
    // sides, and for one that asks for the very same comparison as a view.
    private Dnf equality(Operator operator, String symbol, Operand.Plain left, Operand.Plain right) {
        Pairing pair = Pairing.of(left, right, work);
        if (pair == null) {
            return opaque(symbol, left, right);
        }
        return comparison(operator, pair.wrappedLeft(), pair.wrappedRight());
    }

    private Dnf order(Operator operator, String symbol, Operand.Plain left, Operand.Plain right) {
        Pairing pair = Pairing.of(left, right, work);
        if (pair == null || !pair.ordered()) {
            return opaque(symbol, left, right);
        }
        return comparison(operator, pair.left(), pair.right());
    }

    /** The comparison, or its outcome where both sides are constants that are known to be equal or different. */
    private static Dnf comparison(Operator operator, Term left, Term right) {
        if (left instanceof Term.Constant a && right instanceof Term.Constant b) {
            if (a.equals(b)) {
                return Dnf.of(operator == Operator.EQUAL || operator == Operator.LESS_OR_EQUAL);
            }
            // Only values that are surely ordered as the database orders them. Texts are not (their collation is not
            // known here), so 'a' < 'b' stays a condition.
            if (a.value().isOrderedWith(b.value())) {
                return Dnf.of(outcome(operator, a.value().compareOrdered(b.value())));
            }
        }
        return Dnf.of(new Condition.Comparison(operator, left, right));
    }

    private static boolean outcome(Operator operator, int order) {
        return switch (operator) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
        };
    }

    private static Dnf opaque(String symbol, Operand.Plain left, Operand.Plain right) {
        return Dnf.of(new Condition.Comparison(Operator.EQUAL, outcome(symbol, left, right), TRUE));
    }

    private static Term outcome(String symbol, Operand.Plain left, Operand.Plain right) {
        return new Term.Function(Symbols.comparison(symbol, left, right), List.of(left.term(), right.term()));
    }
}
