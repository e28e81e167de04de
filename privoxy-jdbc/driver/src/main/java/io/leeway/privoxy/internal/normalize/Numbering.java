package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.SplitObligation;
import io.leeway.privoxy.internal.model.SplitObligation.Reference;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Writes drafts as queries of the checker's language: variables and parameters numbered from 0 in the order in which
 * they come, so that equal questions are equal records. One numbering serves all disjuncts of a union.
 *
 * <p>That matters twice: an obligation that two clauses ask for is emitted once, and texts that differ in names and
 * aliases only ask the same questions, for which the same templates hold.
 */
final class Numbering {

    private final Arguments arguments;
    private final List<Integer> used = new ArrayList<>();

    Numbering(Arguments arguments) {
        this.arguments = arguments;
    }

    UnionQuery union(List<Draft> drafts) {
        Set<ConjunctiveQuery> disjuncts = new LinkedHashSet<>();
        for (Draft draft : drafts) {
            disjuncts.add(query(draft));
        }
        return new UnionQuery(List.copyOf(disjuncts));
    }

    /**
     * A question with its rows told apart by their references.
     *
     * @param isHeld whether a row is locked or written
     */
    SplitObligation split(List<Draft> drafts, String reason, Predicate<Use> isHeld) {
        List<ConjunctiveQuery> disjuncts = new ArrayList<>();
        List<List<Reference>> references = new ArrayList<>();
        for (Draft draft : drafts) {
            disjuncts.add(query(draft));
            references.add(draft.uses().stream()
                    .map(use -> new Reference(use.first(), isHeld.test(use)))
                    .toList());
        }
        return new SplitObligation(new Obligation(new UnionQuery(disjuncts), slots(), reason), references);
    }

    ConjunctiveQuery query(Draft draft) {
        List<Atom> atoms = new ArrayList<>();
        int next = 0;
        for (Use use : draft.uses()) {
            atoms.add(new Atom(use.table().name(), next, use.table().arity()));
            next += use.table().arity();
        }
        var renaming = new Renaming(draft.uses());
        List<Condition> conditions = new ArrayList<>();
        for (Condition condition : draft.conditions()) {
            conditions.add(renaming.condition(condition));
        }
        return new ConjunctiveQuery(atoms, conditions, renaming.terms(draft.head()));
    }

    /** Where the parameters used so far come from. */
    List<Slot> slots() {
        return used.stream().map(arguments::slot).toList();
    }

    private Term.Parameter parameter(int argument) {
        // The same slot in two places is one parameter: that both have one value is what makes a proof possible.
        int number = used.indexOf(argument);
        if (number < 0) {
            number = used.size();
            used.add(argument);
        }
        return new Term.Parameter(number);
    }

    /** From the statement's variables to those of one query. */
    private final class Renaming {

        private final List<Use> uses;

        Renaming(List<Use> uses) {
            this.uses = uses;
        }

        Condition condition(Condition condition) {
            if (condition instanceof Condition.Comparison comparison) {
                Term left = term(comparison.left());
                return new Condition.Comparison(comparison.operator(), left, term(comparison.right()));
            }
            if (condition instanceof Condition.NullTest test) {
                return new Condition.NullTest(term(test.term()), test.isNull());
            }
            var oneOf = (Condition.OneOf) condition;
            Term left = term(oneOf.term());
            return new Condition.OneOf(left, terms(oneOf.options()));
        }

        List<Term> terms(List<Term> terms) {
            List<Term> renamed = new ArrayList<>(terms.size());
            for (Term term : terms) {
                renamed.add(term(term));
            }
            return renamed;
        }

        Term term(Term term) {
            if (term instanceof Term.Variable variable) {
                return variable(variable.index());
            }
            if (term instanceof Term.Parameter parameter) {
                return parameter(parameter.index());
            }
            if (term instanceof Term.Function function) {
                return new Term.Function(function.symbol(), terms(function.arguments()));
            }
            return term;
        }

        private Term.Variable variable(int variable) {
            int first = 0;
            for (Use use : uses) {
                if (use.owns(variable)) {
                    return new Term.Variable(first + variable - use.first());
                }
                first += use.table().arity();
            }
            // Work.closed turns it into a refusal: a question about a row that is not in it would be another question.
            throw new IllegalStateException("a term refers to a row that its query does not have");
        }
    }
}
