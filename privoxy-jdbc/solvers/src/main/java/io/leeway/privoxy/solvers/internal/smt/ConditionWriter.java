package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes conditions: the formula is true exactly if SQL says TRUE. So a comparison also says that both sides are
 * non-null, and there is no negated condition to write.
 *
 * <p>Chang's prototype takes NULL for one more value and calls that unsound for views in general (UCB/EECS-2021-244,
 * section 3.4, "Nulls"). Here a comparison is written with what SQL demands of it, so views are exact.
 */
final class ConditionWriter {

    private final Vocabulary vocabulary;
    private final TermWriter terms;
    private final IntFunction<ColumnType> types;

    ConditionWriter(Vocabulary vocabulary, TermWriter terms, IntFunction<ColumnType> types) {
        this.vocabulary = vocabulary;
        this.terms = terms;
        this.types = types;
    }

    /** No negation is ever needed: the normaliser has written NOT as conditions of its own. */
    String write(Condition condition) {
        if (condition instanceof Condition.NullTest test) {
            String term = terms.write(test.term());
            return test.isNull() ? vocabulary.isNull(term) : vocabulary.isNotNull(term);
        }
        if (condition instanceof Condition.OneOf oneOf) {
            return writeOneOf(oneOf);
        }
        Condition.Comparison comparison = (Condition.Comparison) condition;
        String left = terms.write(comparison.left());
        String right = terms.write(comparison.right());
        return Logic.and(
                vocabulary.isNotNull(left), vocabulary.isNotNull(right), writeComparison(comparison, left, right));
    }

    private String writeOneOf(Condition.OneOf oneOf) {
        String term = terms.write(oneOf.term());
        List<String> options = new ArrayList<>();
        // The term is not NULL, so an option that is NULL equals nothing.
        oneOf.options().forEach(option -> options.add(vocabulary.equal(term, terms.write(option))));
        return Logic.and(vocabulary.isNotNull(term), Logic.or(options));
    }

    private String writeComparison(Condition.Comparison comparison, String left, String right) {
        return switch (comparison.operator()) {
            case EQUAL -> vocabulary.equal(left, right);
            case NOT_EQUAL -> Logic.not(vocabulary.equal(left, right));
            case LESS -> writeOrder(comparison, left, right, false);
            case LESS_OR_EQUAL -> writeOrder(comparison, left, right, true);
        };
    }

    private String writeOrder(Condition.Comparison comparison, String left, String right, boolean orEqual) {
        String line = Ordering.line(side(comparison.left()), side(comparison.right()));
        // Only whole columns beside constants: for all others reals say what is known.
        if (line != null && isWhole(comparison.left())) {
            BigDecimal bound = number(comparison.right(), right);
            if (bound != null) {
                return Logic.not(writeFrom(line, next(bound, orEqual), left));
            }
        }
        if (line != null && isWhole(comparison.right())) {
            BigDecimal bound = number(comparison.left(), left);
            if (bound != null) {
                return writeFrom(line, next(bound, !orEqual), right);
            }
        }
        return vocabulary.less(line, left, right, orEqual);
    }

    /**
     * Whole numbers are compared with constants in one way only, "from here on": {@code x > 4} is {@code x >= 5}, and
     * {@code x < 5} is its negation. So neighbours meet, although positions are reals.
     */
    private String writeFrom(String line, BigDecimal first, String term) {
        return vocabulary.less(line, vocabulary.value(Value.of(first)), term, true);
    }

    /**
     * The smallest whole number from the bound on, or beyond it.
     *
     * <p>Floor and ceiling, as a bound need not be whole: {@code x > 4.5} is {@code x >= 5}.
     */
    private static BigDecimal next(BigDecimal bound, boolean beyond) {
        return beyond
                ? bound.setScale(0, RoundingMode.FLOOR).add(BigDecimal.ONE)
                : bound.setScale(0, RoundingMode.CEILING);
    }

    /** Of constants only: a column's position is what is asked about. */
    private @Nullable BigDecimal number(Term term, String written) {
        Value value = term instanceof Term.Variable ? null : vocabulary.valueOf(written);
        return value == null ? null : Ordering.position(value);
    }

    private boolean isWhole(Term term) {
        return term instanceof Term.Variable variable
                && types.apply(variable.index()).whole();
    }

    /** The column's type tells the line; of a constant its own kind does. */
    private Ordering.Side side(Term term) {
        if (term instanceof Term.Variable variable) {
            return Ordering.Side.of(types.apply(variable.index()));
        }
        if (term instanceof Term.Function function) {
            return Ordering.Side.of(function);
        }
        Value value = vocabulary.valueOf(terms.write(term));
        return value == null ? Ordering.Side.OPEN : Ordering.Side.of(value);
    }
}
