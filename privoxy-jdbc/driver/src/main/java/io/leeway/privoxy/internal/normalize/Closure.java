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
 */
final class Closure {

    private final List<Use> uses;
    private final List<Condition> conditions;
    private final Set<Term> determined = new HashSet<>();
    private final Set<Use> covered = new HashSet<>();
    /** Terms that a condition keeps from being NULL, once somebody has asked. */
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

    boolean determines(Term term) {
        if (term instanceof Term.Variable || determined.contains(term)) {
            return determined.contains(term);
        }
        if (term instanceof Term.Function function) {
            return function.arguments().stream().allMatch(this::determines);
        }
        return true;
    }

    /** The columns of the row's best key, or of the whole row if it has none that counts. */
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

    private boolean isPinned(Use use) {
        for (Key key : use.table().keys()) {
            if (counts(use, key) && key.columns().stream().allMatch(column -> isKnown(use, column))) {
                return true;
            }
        }
        return allColumns(use).stream().allMatch(this::determines);
    }

    /** The column, or its class under the equality that the key tests. */
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
