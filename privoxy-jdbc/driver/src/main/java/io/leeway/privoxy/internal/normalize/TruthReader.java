package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.Expr.Truth;
import java.util.List;

/**
 * Reads an expression as a condition: when it is TRUE, when FALSE, when UNKNOWN, each as a disjunctive normal form of
 * literals that hold or do not hold. SQL's three-valued logic ends here: {@code NOT e} is TRUE when e is FALSE, and so
 * on down to the comparisons, so that no negation remains and "is TRUE" keeps its meaning.
 *
 * <p>WHERE keeps rows for which its condition is TRUE. That UNKNOWN is not FALSE is what makes {@code NOT IN} with a
 * NULL, and {@code <>} of one, find nothing; a reader of two values only would show or hide rows wrongly.
 */
final class TruthReader {

    private static final Term.Constant ZERO = new Term.Constant(Value.of(0));

    private final Work work;
    private final ValueReader values;
    private final Comparer comparer;

    TruthReader(ValueReader values) {
        this.work = values.work();
        this.values = values;
        this.comparer = new Comparer(work);
    }

    /** When the expression is TRUE. */
    static Dnf isTrue(Expr expression, Work work, Place place, Absence absence) {
        return new TruthReader(new ValueReader(work, place, absence)).when(expression, Truth.TRUE);
    }

    ValueReader values() {
        return values;
    }

    Comparer comparer() {
        return comparer;
    }

    /**
     * Whatever is no condition by its syntax is read as a value, and asked which truth value that is. Each kind of
     * expression is asked for one truth value at a time. Reading it for all three at once would build forms that nobody
     * needs.
     */
    Dnf when(Expr e, Truth truth) {
        work.spend(e.position());
        work.account.read(e);
        if (e instanceof Expr.And and) {
            return conjunction(and.operands(), truth, e.position());
        }
        if (e instanceof Expr.Or or) {
            return disjunction(or.operands(), truth, e.position());
        }
        if (e instanceof Expr.Not not) {
            return when(not.operand(), opposite(truth));
        }
        if (e instanceof Expr.Xor xor) {
            return exclusive(xor, truth);
        }
        if (e instanceof Expr.Comparison comparison) {
            return new ComparisonReader(this).when(comparison, truth);
        }
        return test(e, truth);
    }

    /**
     * Predicates. Those that never are UNKNOWN ({@code IS NULL}, {@code IS TRUE}, {@code IS DISTINCT FROM},
     * {@code EXISTS}) are told from the others, as NOT of them is TRUE where they are not.
     */
    private Dnf test(Expr e, Truth truth) {
        if (e instanceof Expr.IsNull test) {
            return nullTest(test, truth);
        }
        if (e instanceof Expr.IsTruth test) {
            Dnf is = when(test.operand(), test.truth());
            Dnf isNot = other(test.operand(), test.truth());
            return test.negated() ? certain(isNot, is, truth) : certain(is, isNot, truth);
        }
        if (e instanceof Expr.IsDistinct || e instanceof Expr.Between) {
            return new ComparisonReader(this).when(e, truth);
        }
        if (e instanceof Expr.InList || e instanceof Expr.QuantifiedArray) {
            return new MembershipReader(this).when(e, truth);
        }
        if (e instanceof Expr.InQuery || e instanceof Expr.Exists || e instanceof Expr.QuantifiedQuery) {
            return new SubqueryTruth(this).when(e, truth);
        }
        // So that NOT LIKE and LIKE are two truth values of one function.
        if (e instanceof Expr.Match match && match.negated()) {
            var positive = new Expr.Match(
                    match.kind(), match.operand(), match.pattern(), match.escape(), false, match.position());
            return when(positive, opposite(truth));
        }
        return ofValue(values.read(e), truth);
    }

    /**
     * A condition that is never unknown.
     *
     * <p>Of {@code IS NULL}, {@code IS TRUE}, {@code EXISTS} and the like: {@code UNKNOWN IS TRUE} is FALSE.
     */
    static Dnf certain(Dnf isTrue, Dnf isFalse, Truth truth) {
        return switch (truth) {
            case TRUE -> isTrue;
            case FALSE -> isFalse;
            case UNKNOWN -> Dnf.FALSE;
        };
    }

    static Truth opposite(Truth truth) {
        return switch (truth) {
            case TRUE -> Truth.FALSE;
            case FALSE -> Truth.TRUE;
            case UNKNOWN -> Truth.UNKNOWN;
        };
    }

    /** When the expression has either of the two other truth values. */
    private Dnf other(Expr e, Truth truth) {
        Dnf result = Dnf.FALSE;
        for (Truth candidate : Truth.values()) {
            if (candidate != truth) {
                result = result.or(when(e, candidate), work, e.position());
            }
        }
        return result;
    }

    /** AND is TRUE where all operands are, FALSE where one is. */
    private Dnf conjunction(List<Expr> operands, Truth truth, int position) {
        if (truth == Truth.UNKNOWN) {
            // FALSE AND UNKNOWN is FALSE, so an unknown operand is not enough.
            return unknownConjunction(operands, Truth.TRUE, position);
        }
        Dnf result = Dnf.of(truth == Truth.TRUE);
        for (Expr operand : operands) {
            Dnf one = when(operand, truth);
            result = truth == Truth.TRUE ? result.and(one, work, position) : result.or(one, work, position);
        }
        return result;
    }

    /** OR is TRUE where one operand is, FALSE where all are. */
    private Dnf disjunction(List<Expr> operands, Truth truth, int position) {
        if (truth == Truth.UNKNOWN) {
            return unknownConjunction(operands, Truth.FALSE, position);
        }
        Dnf result = Dnf.of(truth == Truth.FALSE);
        for (Expr operand : operands) {
            Dnf one = when(operand, truth);
            result = truth == Truth.TRUE ? result.or(one, work, position) : result.and(one, work, position);
        }
        return result;
    }

    /**
     * A conjunction is unknown when each operand is TRUE or unknown, and not all are TRUE; a disjunction likewise with
     * FALSE ({@code neutral}).
     */
    private Dnf unknownConjunction(List<Expr> operands, Truth neutral, int position) {
        Dnf allNeutral = Dnf.TRUE;
        Dnf someUnknown = Dnf.FALSE;
        for (Expr operand : operands) {
            Dnf isNeutral = when(operand, neutral);
            Dnf isUnknown = when(operand, Truth.UNKNOWN);
            Dnf either = isNeutral.or(isUnknown, work, position);
            someUnknown = someUnknown
                    .and(either, work, position)
                    .or(allNeutral.and(isUnknown, work, position), work, position);
            allNeutral = allNeutral.and(isNeutral, work, position);
        }
        return someUnknown;
    }

    /** XOR is TRUE where the two differ, FALSE where they agree, and neither where one is UNKNOWN. */
    private Dnf exclusive(Expr.Xor xor, Truth truth) {
        int position = xor.position();
        if (truth == Truth.UNKNOWN) {
            // XOR of anything with UNKNOWN is UNKNOWN: no operand decides alone.
            return when(xor.left(), truth).or(when(xor.right(), truth), work, position);
        }
        Truth first = truth;
        Truth second = opposite(truth);
        return when(xor.left(), Truth.TRUE)
                .and(when(xor.right(), second), work, position)
                .or(when(xor.left(), Truth.FALSE).and(when(xor.right(), first), work, position), work, position);
    }

    private Dnf nullTest(Expr.IsNull test, Truth truth) {
        Expr e = test.operand();
        if (e instanceof Expr.Row row) {
            // A row that is written out, (a, b) IS NULL, asks for each field; better written so.
            throw work.refuse(test.negated() ? "a row that IS NOT NULL" : "a row that IS NULL", row.position());
        }
        if (isCondition(e)) {
            // (a = b) IS NULL asks whether the comparison is unknown, which conditions can say.
            Dnf isUnknown = when(e, Truth.UNKNOWN);
            Dnf isKnown = other(e, Truth.UNKNOWN);
            return test.negated() ? certain(isKnown, isUnknown, truth) : certain(isUnknown, isKnown, truth);
        }
        Operand operand = values.read(e);
        if (new Composites(work).mayBeRow(operand)) {
            // The standard's asymmetry: NULL when all its fields are, not NULL when none is; so both may be FALSE.
            String name = test.negated() ? "is not null" : "is null";
            return fact(values.function(FunctionKind.PURE, name, List.of(operand)), truth);
        }
        Dnf isNull = comparer.isSaidNull(operand);
        Dnf isNotNull = comparer.isSaidNotNull(operand);
        return test.negated() ? certain(isNotNull, isNull, truth) : certain(isNull, isNotNull, truth);
    }

    /** When a function of which nothing is assumed but that it is never unknown has this truth value. */
    private Dnf fact(Operand function, Truth truth) {
        return truth == Truth.UNKNOWN ? Dnf.FALSE : comparer.truth(function, truth);
    }

    private static boolean isCondition(Expr e) {
        return e instanceof Expr.And
                || e instanceof Expr.Or
                || e instanceof Expr.Not
                || e instanceof Expr.Xor
                || e instanceof Expr.Comparison
                || e instanceof Expr.IsNull
                || e instanceof Expr.IsTruth
                || e instanceof Expr.IsDistinct
                || e instanceof Expr.Between
                || e instanceof Expr.Exists;
    }

    /**
     * When a value that stands as a condition is TRUE, FALSE or NULL.
     *
     * <p>MariaDB and H2 take numbers for conditions, PostgreSQL does not; a text is read as a number by MariaDB, as a
     * truth value by the others. Only what is surely a truth value, or compared with zero, is more than a function.
     */
    private Dnf ofValue(Operand operand, Truth truth) {
        if (operand instanceof Hidden || ((Operand.Plain) operand).isNull()) {
            return comparer.truth(operand, truth);
        }
        var plain = (Operand.Plain) operand;
        if (plain.sort() instanceof Sort.OfLiteral literal) {
            return ofLiteral(literal, plain, truth);
        }
        if (truth == Truth.UNKNOWN) {
            return comparer.isNull(plain);
        }
        if (isTruthValue(plain)) {
            return comparer.truth(plain, truth);
        }
        if (plain.sort() instanceof Sort.Typed typed
                && typed.type().kind() == ValueKind.NUMBER
                && typed.type().hasExactEquality()
                && work.dialect.has(DialectRule.NUMBERS_ARE_CONDITIONS)) {
            // WHERE flags is WHERE flags <> 0.
            Operator operator = truth == Truth.TRUE ? Operator.NOT_EQUAL : Operator.EQUAL;
            return Dnf.of(new Condition.Comparison(operator, plain.term(), ZERO));
        }
        return comparer.truth(values.function(FunctionKind.SESSION, "truth", List.of(plain)), truth);
    }

    private boolean isTruthValue(Operand.Plain plain) {
        // WHERE ? is a Boolean parameter, but to MariaDB one of any type.
        if (plain.sort() instanceof Sort.OfSlot slot && slot.kind() == null && work.dialect != Dialect.MARIADB) {
            return work.arguments.expect(
                    slot.slot(), io.leeway.privoxy.internal.model.ColumnType.exact(ValueKind.BOOLEAN, "boolean"));
        }
        return plain.sort() instanceof Sort.Typed typed && typed.type().kind() == ValueKind.BOOLEAN;
    }

    private Dnf ofLiteral(Sort.OfLiteral literal, Operand.Plain plain, Truth truth) {
        if (truth == Truth.UNKNOWN) {
            return Dnf.FALSE;
        }
        if (literal.kind() == LiteralKind.BOOLEAN) {
            return Dnf.of("TRUE".equals(literal.text()) == (truth == Truth.TRUE));
        }
        if (literal.kind() == LiteralKind.INTEGER && work.dialect.has(DialectRule.NUMBERS_ARE_CONDITIONS)) {
            ComparisonOperator operator = truth == Truth.TRUE ? ComparisonOperator.NE : ComparisonOperator.EQ;
            var zero = new Operand.Plain(ZERO, new Sort.OfLiteral(LiteralKind.INTEGER, "0"), false);
            return comparer.when(Truth.TRUE, operator, plain, zero, 0);
        }
        return comparer.truth(values.function(FunctionKind.SESSION, "truth", List.of(plain)), truth);
    }
}
