package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a conjunctive query's equalities: which terms are equal, whether that can be, and which columns are
 * determined by others through keys. For advice only: what it misses it does not mention, decisions are made elsewhere.
 *
 * <p>The chase knows more, but says nothing in the words that a policy's author uses.
 */
final class QueryFacts {

    private final ConjunctiveQuery query;
    private final Schema schema;
    private final Map<Term, Term> parents = new HashMap<>();
    private final Set<Term> notNull = new HashSet<>();

    QueryFacts(ConjunctiveQuery query, Schema schema) {
        this.query = query;
        this.schema = schema;
        for (Condition condition : query.conditions()) {
            note(condition);
        }
    }

    /** Whatever is compared is not NULL where the query has a row. */
    private void note(Condition condition) {
        if (condition instanceof Condition.Comparison comparison) {
            notNull.add(comparison.left());
            notNull.add(comparison.right());
            if (comparison.operator() == Condition.Operator.EQUAL) {
                parents.put(representative(comparison.left()), representative(comparison.right()));
            }
        } else if (condition instanceof Condition.NullTest test && !test.isNull()) {
            notNull.add(test.term());
        } else if (condition instanceof Condition.OneOf oneOf) {
            notNull.add(oneOf.term());
        }
    }

    /**
     * A term that stands for all that are equal to this one.
     *
     * <p>Union-find without ranks, as queries of policies have a handful of terms.
     */
    Term representative(Term term) {
        Term root = term;
        for (Term parent = parents.get(root); parent != null && !parent.equals(root); parent = parents.get(root)) {
            root = parent;
        }
        return root;
    }

    /** The constant that a term equals, or null. */
    @Nullable
    Value constant(Term term) {
        Term root = representative(term);
        for (Term other : parents.keySet()) {
            if (other instanceof Term.Constant constant && representative(other).equals(root)) {
                return constant.value();
            }
        }
        return root instanceof Term.Constant constant ? constant.value() : null;
    }

    /** Why no database can satisfy the query, in words, or null if nothing is seen. */
    @Nullable
    String contradiction() {
        var constants = new HashMap<Term, Value>();
        var terms = new ArrayList<>(parents.keySet());
        terms.addAll(parents.values());
        for (Term term : terms) {
            if (term instanceof Term.Constant constant) {
                Value other = constants.putIfAbsent(representative(term), constant.value());
                if (other != null && other.isKnownToDifferFrom(constant.value())) {
                    return "two different values are to be equal";
                }
            }
        }
        for (Condition condition : query.conditions()) {
            String reason = contradiction(condition);
            if (reason != null) {
                return reason;
            }
        }
        return null;
    }

    private @Nullable String contradiction(Condition condition) {
        if (condition instanceof Condition.NullTest test && test.isNull()) {
            if (isNeverNull(test.term())) {
                return "a value that is never null is to be null";
            }
        } else if (condition instanceof Condition.Comparison comparison) {
            return contradiction(comparison);
        } else if (condition instanceof Condition.OneOf oneOf) {
            return isNoneOf(constant(oneOf.term()), oneOf.options())
                    ? "a value is not in the list it is to be in"
                    : null;
        }
        return null;
    }

    private @Nullable String contradiction(Condition.Comparison comparison) {
        boolean same = representative(comparison.left()).equals(representative(comparison.right()));
        boolean strict = comparison.operator() == Condition.Operator.NOT_EQUAL
                || comparison.operator() == Condition.Operator.LESS;
        if (same && strict) {
            return "a value is to differ from itself";
        }
        Value left = constant(comparison.left());
        Value right = constant(comparison.right());
        if (left == null || right == null || !left.isOrderedWith(right)) {
            return null;
        }
        int order = left.compareOrdered(right);
        boolean wrong = (comparison.operator() == Condition.Operator.LESS && order >= 0)
                || (comparison.operator() == Condition.Operator.LESS_OR_EQUAL && order > 0);
        return wrong ? "two numbers are to be in the wrong order" : null;
    }

    private static boolean isNoneOf(@Nullable Value value, List<Term> options) {
        return value != null
                && options.stream()
                        .allMatch(option -> option instanceof Term.Constant constant
                                && value.isKnownToDifferFrom(constant.value()));
    }

    /** Whether the term is not null in every answer. */
    boolean isNeverNull(Term term) {
        if (notNull.contains(term)) {
            return true;
        }
        Column column = column(term);
        return column != null && !column.nullable();
    }

    /** The column that a variable stands for, or null. */
    @Nullable
    Column column(Term term) {
        if (term instanceof Term.Variable variable) {
            for (Atom atom : query.atoms()) {
                int position = variable.index() - atom.firstVariable();
                Table table = schema.table(atom.table());
                if (position >= 0 && position < atom.arity() && table != null) {
                    return table.columns().get(position);
                }
            }
        }
        return null;
    }

    /**
     * Atoms whose row is determined once the given terms are known, with constants and parameters known anyway.
     *
     * <p>The closure under functional dependencies: a known key determines its row, whose columns may be keys of
     * others.
     */
    Set<Atom> determined(Collection<? extends Term> known) {
        var determined = new HashSet<Atom>();
        var values = new HashSet<Term>();
        known.forEach(term -> values.add(representative(term)));
        var terms = new ArrayList<>(parents.keySet());
        terms.addAll(parents.values());
        for (Term term : terms) {
            if (term instanceof Term.Constant || term instanceof Term.Context || term instanceof Term.Parameter) {
                values.add(representative(term));
            }
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (Atom atom : query.atoms()) {
                if (!determined.contains(atom) && hasKnownKey(atom, values)) {
                    determined.add(atom);
                    for (int column = 0; column < atom.arity(); column++) {
                        values.add(representative(new Term.Variable(atom.firstVariable() + column)));
                    }
                    changed = true;
                }
            }
        }
        return determined;
    }

    private boolean hasKnownKey(Atom atom, Set<Term> values) {
        Table table = schema.table(atom.table());
        return table != null && table.keys().stream().anyMatch(key -> isKnown(atom, key, values));
    }

    private boolean isKnown(Atom atom, Key key, Set<Term> values) {
        return key.columns().stream().allMatch(position -> {
            var column = new Term.Variable(atom.firstVariable() + position);
            // A unique column that may be NULL does not tell rows with NULL apart.
            boolean counts = !key.nullsDistinct() || isNeverNull(column);
            return counts && values.contains(representative(column));
        });
    }

    /**
     * The atoms in groups that equalities and other conditions connect.
     *
     * <p>Any condition connects, not only equality: an order between two tables is a join, too.
     */
    List<Set<Atom>> groups() {
        var groups = new ArrayList<Set<Atom>>();
        query.atoms().forEach(atom -> groups.add(new HashSet<>(Set.of(atom))));
        for (Condition condition : query.conditions()) {
            join(groups, atomsOf(condition));
        }
        return groups;
    }

    private static void join(List<Set<Atom>> groups, Set<Atom> atoms) {
        Set<Atom> first = null;
        for (Set<Atom> group : List.copyOf(groups)) {
            if (group.stream().noneMatch(atoms::contains)) {
                continue;
            }
            if (first == null) {
                first = group;
            } else {
                first.addAll(group);
                Set<Atom> merged = group;
                groups.removeIf(candidate -> candidate == merged);
            }
        }
    }

    private Set<Atom> atomsOf(Condition condition) {
        var atoms = new HashSet<Atom>();
        for (int variable : Mentions.variables(Mentions.terms(condition))) {
            atoms.add(Mentions.atomOf(query, variable));
        }
        return atoms;
    }
}
