package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Condition.Comparison;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which rows of a view may be of an earlier state than the rest, as a request may find them in two steps: it reads the
 * earlier ones, believes them, as all that it has read, and then asks for the rest by their values.
 *
 * <p>So the policy has to show the earlier ones by themselves, and the view the values by which the rest is joined to them:
 * otherwise it would tell whether rows are joined that nobody could have named.
 */
final class EarlierRows {

    /** Rows of a view; of one with more all are of one state. */
    private static final int MOST = 4;

    private final CompiledPolicy policy;
    private final ChaseEngine chase;

    EarlierRows(CompiledPolicy policy, ChaseEngine chase) {
        this.policy = policy;
        this.chase = chase;
    }

    /** Each choice of rows that may be: by the numbers of their atoms in the view's one disjunct. */
    List<BitSet> of(View view) {
        List<ConjunctiveQuery> disjuncts = view.query().disjuncts();
        int atoms = disjuncts.size() == 1 ? disjuncts.get(0).atoms().size() : 0;
        List<BitSet> choices = new ArrayList<>();
        for (long bits = 1; atoms <= MOST && bits < (1L << atoms) - 1; bits++) {
            BitSet earlier = BitSet.valueOf(new long[] {bits});
            if (policy.canBeEarlier(disjuncts.get(0), earlier) && new Choice(disjuncts.get(0), earlier).isPossible()) {
                choices.add(earlier);
            }
        }
        return choices;
    }

    /** Some rows of a view. */
    private final class Choice {

        private final ConjunctiveQuery view;
        /** By their numbers in the view, what they are in a query of themselves. */
        private final Map<Integer, Integer> variables = new HashMap<>();

        private final List<Atom> atoms = new ArrayList<>();
        private final List<Condition> conditions = new ArrayList<>();
        /** What joins the rest to them, and what the view shows of them. */
        private final Set<Integer> used = new TreeSet<>();

        Choice(ConjunctiveQuery view, BitSet earlier) {
            this.view = view;
            for (int a = earlier.nextSetBit(0); a >= 0; a = earlier.nextSetBit(a + 1)) {
                Atom atom = view.atoms().get(a);
                int first = variables.size();
                for (int column = 0; column < atom.arity(); column++) {
                    variables.put(atom.firstVariable() + column, first + column);
                }
                atoms.add(new Atom(atom.table(), first, atom.arity()));
            }
        }

        boolean isPossible() {
            return view.head().stream().allMatch(this::isOfOneSide)
                    && view.conditions().stream().allMatch(this::isInsideOrNamed)
                    && isShown();
        }

        private boolean isOfOneSide(Term shown) {
            Set<Integer> columns = Mentions.variables(List.of(shown));
            boolean touches = touches(columns);
            if (touches) {
                used.addAll(columns);
            }
            return !touches || isOwn(columns);
        }

        private boolean isInsideOrNamed(Condition condition) {
            Set<Integer> columns = Mentions.variables(Mentions.terms(condition));
            if (isOwn(columns)) {
                conditions.add(condition);
                return true;
            }
            if (!touches(columns)) {
                return true;
            }
            columns.stream().filter(variables::containsKey).forEach(used::add);
            return condition instanceof Comparison comparison
                    && comparison.operator() == Condition.Operator.EQUAL
                    && isNamed(comparison.left(), comparison.right());
        }

        /** Whether rows of both sides are joined by a value that the view shows. */
        private boolean isNamed(Term left, Term right) {
            Set<Integer> leftColumns = Mentions.variables(List.of(left));
            Set<Integer> rightColumns = Mentions.variables(List.of(right));
            boolean isBetween =
                    isOwn(leftColumns) && !touches(rightColumns) || isOwn(rightColumns) && !touches(leftColumns);
            return isBetween && (isInHead(leftColumns) || isInHead(rightColumns));
        }

        private boolean isInHead(Set<Integer> columns) {
            return columns.stream().allMatch(column -> view.head().contains(new Term.Variable(column)));
        }

        private boolean isOwn(Collection<Integer> columns) {
            return variables.keySet().containsAll(columns);
        }

        private boolean touches(Collection<Integer> columns) {
            return !Collections.disjoint(variables.keySet(), columns);
        }

        /** Whether the policy shows these rows, whoever asks. */
        private boolean isShown() {
            List<Condition> asked = conditions.stream().map(this::own).toList();
            List<Term> shown = used.stream()
                    .<Term>map(column -> own(new Term.Variable(column)))
                    .toList();
            var query = UnionQuery.of(new ConjunctiveQuery(atoms, asked, shown));
            Map<String, Arg> anybody = new HashMap<>();
            for (String name : policy.policy().context().keySet()) {
                anybody.put(name, new Arg.Symbol(anybody.size(), false));
            }
            return chase.decide(new Problem(policy.goal(query), List.of(), anybody, List.of(), List.of()))
                    .isCompliant();
        }

        private Condition own(Condition condition) {
            if (condition instanceof Comparison comparison) {
                return new Comparison(comparison.operator(), own(comparison.left()), own(comparison.right()));
            }
            if (condition instanceof Condition.NullTest test) {
                return new Condition.NullTest(own(test.term()), test.isNull());
            }
            var oneOf = (Condition.OneOf) condition;
            return new Condition.OneOf(
                    own(oneOf.term()), oneOf.options().stream().map(this::own).toList());
        }

        private Term own(Term term) {
            if (term instanceof Term.Variable variable) {
                return new Term.Variable(Objects.requireNonNull(variables.get(variable.index())));
            }
            return term instanceof Term.Function function
                    ? new Term.Function(
                            function.symbol(),
                            function.arguments().stream().map(this::own).toList())
                    : term;
        }
    }
}
