package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.Truth;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.util.List;

/**
 * Comparisons of values and rows, BETWEEN and IS DISTINCT FROM, expanded exactly.
 *
 * <p>Expanded because the checker's language knows comparisons of single values only. Each expansion has to give the
 * databases' truth value for all combinations of NULLs; {@code NormalizerPropertyTest} runs them against H2, the
 * expressions of {@code NormalizerSelectTest} name them.
 */
final class ComparisonReader {

    private final TruthReader truths;
    private final Work work;
    private final Comparer comparer;

    ComparisonReader(TruthReader truths) {
        this.truths = truths;
        this.work = truths.values().work();
        this.comparer = truths.comparer();
    }

    Dnf when(Expr e, Truth truth) {
        if (e instanceof Expr.Comparison comparison) {
            return comparison(comparison, truth);
        }
        if (e instanceof Expr.Between between) {
            return between(between, truth);
        }
        var test = (Expr.IsDistinct) e;
        return distinct(test.left(), test.right(), test.negated() ? TruthReader.opposite(truth) : truth, e.position());
    }

    /**
     * {@code <=>} of MariaDB is {@code IS NOT DISTINCT FROM}: never UNKNOWN, so it is no comparison to the
     * {@link Comparer}.
     */
    private Dnf comparison(Expr.Comparison e, Truth truth) {
        if (e.operator() == ComparisonOperator.NULL_SAFE_EQ) {
            return distinct(e.left(), e.right(), TruthReader.opposite(truth), e.position());
        }
        if (e.left() instanceof Expr.Row || e.right() instanceof Expr.Row) {
            return rows(e, truth);
        }
        // x = (SELECT …) with one row at most joins that row exactly; as a value it would be hidden, and the block
        // would need keys.
        Dnf unique = new SubqueryTruth(truths).comparisonWithUniqueRow(e, truth);
        return unique != null ? unique : compare(e.operator(), e.left(), e.right(), truth, e.position());
    }

    /** Of two values; a sub-query among them is hidden, unless it was joined before. */
    private Dnf compare(ComparisonOperator operator, Expr left, Expr right, Truth truth, int position) {
        return comparer.when(
                truth, operator, truths.values().read(left), truths.values().read(right), position);
    }

    /**
     * {@code x >= low AND x <= high}; symmetric also with the bounds exchanged.
     *
     * <p>NOT BETWEEN is its negation with the truth values exchanged, as NULL bounds leave both UNKNOWN.
     */
    private Dnf between(Expr.Between e, Truth truth) {
        // The operand stands in both comparisons: it is a deterministic expression, or it was refused or hidden, so
        // that reading it twice is one value.
        Expr inOrder = range(e, e.low(), e.high());
        Expr whole = e.symmetric() ? new Expr.Or(List.of(inOrder, range(e, e.high(), e.low())), e.position()) : inOrder;
        return truths.when(whole, e.negated() ? TruthReader.opposite(truth) : truth);
    }

    private static Expr range(Expr.Between e, Expr low, Expr high) {
        int position = e.position();
        return new Expr.And(
                List.of(
                        new Expr.Comparison(ComparisonOperator.GE, e.operand(), low, position),
                        new Expr.Comparison(ComparisonOperator.LE, e.operand(), high, position)),
                position);
    }

    /** Never unknown: NULL is distinct from every value and not from NULL. */
    private Dnf distinct(Expr left, Expr right, Truth truth, int position) {
        if (truth == Truth.UNKNOWN) {
            return Dnf.FALSE;
        }
        if (left instanceof Expr.Row || right instanceof Expr.Row) {
            // Field by field is not what the databases do: PostgreSQL compares rows as values here, NULL fields with
            // one another.
            throw work.refuse("IS DISTINCT FROM between rows", position);
        }
        Operand a = truths.values().read(left);
        Operand b = truths.values().read(right);
        if (new Composites(work).mayHoldNulls(a, b) || new Composites(work).mayBeIncomparable(a, b)) {
            // H2: equal to itself here, also where = is unknown for a NULL inside.
            return comparer.truth(truths.values().function(FunctionKind.PURE, "is distinct", List.of(a, b)), truth);
        }
        Dnf bothNull = comparer.isNull(a).and(comparer.isNull(b), work, position);
        if (truth == Truth.FALSE) {
            return comparer.when(Truth.TRUE, ComparisonOperator.EQ, a, b, position)
                    .or(bothNull, work, position);
        }
        Dnf oneNull = comparer.isNull(a)
                .and(comparer.isNotNull(b), work, position)
                .or(comparer.isNotNull(a).and(comparer.isNull(b), work, position), work, position);
        return comparer.when(Truth.TRUE, ComparisonOperator.NE, a, b, position).or(oneNull, work, position);
    }

    /**
     * Row comparisons, field by field.
     *
     * <p>With a sub-query on one side it is a comparison of a row with the columns of that query's row, which is left
     * to a function of all of them.
     */
    private Dnf rows(Expr.Comparison e, Truth truth) {
        if (!(e.left() instanceof Expr.Row left)
                || !(e.right() instanceof Expr.Row right)
                || left.values().size() != right.values().size()
                || left.values().isEmpty()) {
            if (e.left() instanceof Expr.Scalar || e.right() instanceof Expr.Scalar) {
                return compare(e.operator(), e.left(), e.right(), truth, e.position());
            }
            throw work.refuse("this comparison with a row", e.position());
        }
        return truths.when(expanded(e.operator(), left.values(), right.values(), e.position(), work.dialect), truth);
    }

    /**
     * Equality: all fields are equal. Order: the first field that is not equal decides, as written here the three truth
     * values come out as the databases have them.
     */
    static Expr expanded(
            ComparisonOperator operator, List<Expr> left, List<Expr> right, int position, Dialect dialect) {
        return dialect.has(DialectRule.CONSTANTS_BECOME_THE_COLUMNS)
                ? expanded(operator, comingOut(left), comingOut(right), position)
                : expanded(operator, left, right, position);
    }

    /** In a row MariaDB takes no constant for a value of the column beside it: 20 is no year there. */
    private static List<Expr> comingOut(List<Expr> fields) {
        return fields.stream().map(ComparisonReader::comingOut).toList();
    }

    private static Expr comingOut(Expr field) {
        int position = field.position();
        var name = new QualifiedName(List.of(new Name("COALESCE", "COALESCE", false, position)), position);
        return new Expr.Call(name, List.of(field), Expr.CallForm.NORMAL, null, null, position);
    }

    private static Expr expanded(ComparisonOperator operator, List<Expr> left, List<Expr> right, int position) {
        return switch (operator) {
            case EQ -> allEqual(left, right, position);
            case NE -> new Expr.Not(allEqual(left, right, position), position);
            default -> lexicographic(operator, left, right, position);
        };
    }

    /**
     * FALSE as soon as one pair is different, even if another is NULL: that is what AND gives, and what the databases
     * do.
     */
    private static Expr allEqual(List<Expr> left, List<Expr> right, int position) {
        List<Expr> equalities = new java.util.ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            equalities.add(new Expr.Comparison(ComparisonOperator.EQ, left.get(i), right.get(i), position));
        }
        return equalities.size() == 1 ? equalities.get(0) : new Expr.And(equalities, position);
    }

    // (a, b) < (c, d) is a < c OR (a = c AND b < d): strict in all fields but the last, and unknown where the first
    // field that is not equal is NULL on a side.
    private static Expr lexicographic(ComparisonOperator operator, List<Expr> left, List<Expr> right, int position) {
        Expr first = left.get(0);
        Expr second = right.get(0);
        if (left.size() == 1) {
            return new Expr.Comparison(operator, first, second, position);
        }
        boolean less = operator == ComparisonOperator.LT || operator == ComparisonOperator.LE;
        ComparisonOperator strict = less ? ComparisonOperator.LT : ComparisonOperator.GT;
        Expr rest = lexicographic(operator, left.subList(1, left.size()), right.subList(1, right.size()), position);
        return new Expr.Or(
                List.of(
                        new Expr.Comparison(strict, first, second, position),
                        new Expr.And(
                                List.of(new Expr.Comparison(ComparisonOperator.EQ, first, second, position), rest),
                                position)),
                position);
    }
}
