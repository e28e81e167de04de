package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Functional dependencies: what is determined once the values of some terms are known.
 *
 * <p>Start: constants, parameters, context parameters and the given terms. Steps, until nothing is added: an equality
 * determines its other side; {@code x IS NULL} determines x; a function of determined terms is determined; once a key
 * of a row is determined so is the row. Two valuations that satisfy the conditions and agree on the start then agree on
 * everything determined.
 *
 * <p>A key counts only where NULLs cannot repeat in it: its columns are NOT NULL, or a condition excludes NULL, or the
 * key treats NULLs as equal. Where a type's equality is coarser than identity the key is unique up to that equality, so
 * {@code key(column)} is as good as the column.
 *
 * <p>What it is asked for: whether a head tells rows apart (bags as sets, {@link Keys}), whether a sub-query has one
 * row at most, whether an order of rows is total, whether a group determines a column. Each time saying "determined"
 * wrongly would lose rows or let a hidden order show; saying "not" wrongly only adds a key to a question. So everything
 * that is not certain counts as not determined.
 *
 * <p>NULL is why conditions matter: {@code UNIQUE (email)} with nulls lets many rows have none, so {@code WHERE email =
 * ?} pins a row (the comparison excludes NULL) and {@code WHERE email IS NULL} does not, although it determines the
 * column.
 */
final class Closure {

    private final List<Use> uses;
    private final List<Condition> conditions;
    private final Set<Term> determined = new HashSet<>();
    // Rows of which every column is determined, kept apart: asking again for each column of each row made wide joins
    // slow.
    private final Set<Use> covered = new HashSet<>();
    /**
     * Terms that a condition keeps from being NULL, once somebody has asked. All conditions at once: asking them for
     * each column of each key took time with the square of a text's length
     * (SixthAttackIT.longListsWideJoinsAndLongNumbersAreAnswered).
     */
    private @Nullable Set<Term> neverNull;

    Closure(List<Use> uses, List<Condition> conditions) {
        this.uses = uses;
        this.conditions = conditions;
    }

    private Closure(Closure other) {
        this(other.uses, other.conditions);
        determined.addAll(other.determined);
        covered.addAll(other.covered);
        neverNull = other.neverNull;
    }

    Closure copy() {
        return new Closure(this);
    }

    /** Adds terms whose values are known, and all that follows. */
    Closure add(Collection<? extends Term> terms) {
        determined.addAll(terms);
        boolean changed = true;
        // Both until neither adds anything: a key determines a row, an equality leads from a column of it to the key of
        // the next (foreign keys), and so on.
        while (changed) {
            boolean byConditions = addByConditions();
            changed = addByKeys() || byConditions;
        }
        return this;
    }

    /** Whether the whole row is determined. */
    boolean covers(Use use) {
        return covered.contains(use);
    }

    boolean coversAll(Collection<Use> rows) {
        return covered.containsAll(rows);
    }

    int covered() {
        return covered.size();
    }

    /**
     * Whether the term has one value in all valuations that agree on the start. A column must have been derived; what
     * has no column in it is the same everywhere; a function is determined with its arguments, whatever it computes,
     * because functions are deterministic within a statement ({@link FunctionKind#isValue}).
     */
    boolean determines(Term term) {
        if (term instanceof Term.Variable || determined.contains(term)) {
            return determined.contains(term);
        }
        if (term instanceof Term.Function function) {
            return function.arguments().stream().allMatch(this::determines);
        }
        return true;
    }

    /**
     * The columns of the row's best key, or of the whole row if it has none that counts.
     *
     * <p>Fewest new columns first: each column in a head is one more that some view has to show. A table without a key
     * that counts gives all its columns; it is taken to have no two equal rows, since no condition could tell these
     * apart.
     */
    List<Term> keyOf(Use use, Collection<? extends Term> preferred) {
        List<Term> best = null;
        int bestMissing = Integer.MAX_VALUE;
        for (Key key : use.table().keys()) {
            if (counts(use, key)) {
                List<Term> columns =
                        key.columns().stream().<Term>map(use::variable).toList();
                int missing = (int) columns.stream()
                        .filter(column -> !preferred.contains(column) && !determines(column))
                        .count();
                if (missing < bestMissing) {
                    best = columns;
                    bestMissing = missing;
                }
            }
        }
        return best != null ? best : allColumns(use);
    }

    private static List<Term> allColumns(Use use) {
        return java.util.stream.IntStream.range(0, use.table().arity())
                .<Term>mapToObj(use::variable)
                .toList();
    }

    private boolean addByConditions() {
        boolean changed = false;
        for (Condition condition : conditions) {
            if (condition instanceof Condition.Comparison comparison
                    && comparison.operator() == Condition.Operator.EQUAL) {
                changed |= determines(comparison.left()) && addOne(comparison.right());
                changed |= determines(comparison.right()) && addOne(comparison.left());
            } else if (condition instanceof Condition.NullTest test && test.isNull()) {
                // IS NULL gives the column one value, though not one that a key with NULLs would find a row by.
                changed |= addOne(test.term());
            }
        }
        return changed;
    }

    private boolean addOne(Term term) {
        return !determines(term) && determined.add(term);
    }

    private boolean addByKeys() {
        boolean changed = false;
        for (Use use : uses) {
            if (!covered.contains(use) && isPinned(use)) {
                covered.add(use);
                determined.addAll(allColumns(use));
                changed = true;
            }
        }
        return changed;
    }

    // A row of which all columns are known is known without any key, too: that is what makes a table without one work.
    private boolean isPinned(Use use) {
        for (Key key : use.table().keys()) {
            if (counts(use, key) && key.columns().stream().allMatch(column -> isKnown(use, column))) {
                return true;
            }
        }
        return allColumns(use).stream().allMatch(this::determines);
    }

    /**
     * The column, or its class under the equality that the key tests.
     *
     * <p>{@code WHERE lower_ci = 'bob'} of a case-insensitive column does not say whether it is Bob or BOB; but the key
     * is unique without regard to case, so the row is one all the same.
     */
    private boolean isKnown(Use use, int column) {
        Term variable = use.variable(column);
        if (determines(variable)) {
            return true;
        }
        ColumnType type = use.table().columns().get(column).type();
        return !type.hasExactEquality() && determines(new Term.Function(type.keyFunction(), List.of(variable)));
    }

    private boolean counts(Use use, Key key) {
        return !key.nullsDistinct() || isNeverNull(use, key, use.table());
    }

    private boolean isNeverNull(Use use, Key key, Table table) {
        for (int position : key.columns()) {
            Column column = table.columns().get(position);
            if (column.nullable() && !isNullExcluded(use.variable(position))) {
                return false;
            }
        }
        return true;
    }

    private boolean isNullExcluded(Term.Variable variable) {
        Set<Term> known = neverNull;
        if (known == null) {
            known = new HashSet<>();
            for (Condition condition : conditions) {
                addNeverNull(condition, known);
            }
            neverNull = known;
        }
        return known.contains(variable);
    }

    // Every comparison, <> and < as well: with a NULL it is UNKNOWN, and UNKNOWN rows are not in the result.
    private static void addNeverNull(Condition condition, Set<Term> known) {
        if (condition instanceof Condition.Comparison comparison) {
            known.add(column(comparison.left()));
            known.add(column(comparison.right()));
        } else if (condition instanceof Condition.NullTest test) {
            if (!test.isNull()) {
                known.add(column(test.term()));
            }
        } else {
            known.add(column(((Condition.OneOf) condition).term()));
        }
    }

    /** The term itself, or what a key function is of, which is NULL only for NULL. */
    private static Term column(Term term) {
        boolean isKey =
                term instanceof Term.Function function && function.symbol().startsWith("key:");
        return isKey ? ((Term.Function) term).arguments().get(0) : term;
    }
}
