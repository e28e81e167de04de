package io.leeway.privoxy.internal.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** What queries and conditions speak of. */
public final class Mentions {

    private Mentions() {}

    /** The condition's terms, outermost first. */
    public static List<Term> terms(Condition condition) {
        if (condition instanceof Condition.Comparison comparison) {
            return List.of(comparison.left(), comparison.right());
        }
        if (condition instanceof Condition.OneOf oneOf) {
            List<Term> terms = new ArrayList<>(oneOf.options());
            terms.add(0, oneOf.term());
            return terms;
        }
        return List.of(((Condition.NullTest) condition).term());
    }

    /** Every term within a term, itself included. */
    public static void walk(Term term, Consumer<Term> visitor) {
        visitor.accept(term);
        if (term instanceof Term.Function function) {
            function.arguments().forEach(argument -> walk(argument, visitor));
        }
    }

    /** Variables within terms. */
    public static Set<Integer> variables(List<Term> terms) {
        Set<Integer> variables = new TreeSet<>();
        for (Term term : terms) {
            walk(term, inner -> {
                if (inner instanceof Term.Variable variable) {
                    variables.add(variable.index());
                }
            });
        }
        return variables;
    }

    /** How many of the atoms, from the first, must be bound before the condition can be tested. */
    public static int atomsNeeded(ConjunctiveQuery query, Condition condition) {
        int needed = 0;
        for (int variable : variables(terms(condition))) {
            needed = Math.max(needed, query.atoms().indexOf(atomOf(query, variable)) + 1);
        }
        return needed;
    }

    /** Parameters of the context that the query names. */
    public static Set<String> contextNames(ConjunctiveQuery query) {
        Set<String> names = new TreeSet<>();
        walk(query, term -> {
            if (term instanceof Term.Context context) {
                names.add(context.name());
            }
        });
        return names;
    }

    /** Parameters of the context that the query names. */
    public static Set<String> contextNames(UnionQuery query) {
        Set<String> names = new TreeSet<>();
        query.disjuncts().forEach(disjunct -> names.addAll(contextNames(disjunct)));
        return names;
    }

    /** How many arguments the query needs. */
    public static int parameters(ConjunctiveQuery query) {
        int[] needed = new int[1];
        walk(query, term -> {
            if (term instanceof Term.Parameter parameter) {
                needed[0] = Math.max(needed[0], parameter.index() + 1);
            }
        });
        return needed[0];
    }

    /** Every term of a query, those within others included. */
    public static void walk(ConjunctiveQuery query, Consumer<Term> visitor) {
        query.head().forEach(term -> walk(term, visitor));
        query.conditions().forEach(condition -> terms(condition).forEach(term -> walk(term, visitor)));
    }

    /** Tables that the query names. */
    public static Set<String> tables(ConjunctiveQuery query) {
        Set<String> tables = new TreeSet<>();
        query.atoms().forEach(atom -> tables.add(atom.table()));
        return tables;
    }

    /** The atom that a variable belongs to. */
    public static Atom atomOf(ConjunctiveQuery query, int variable) {
        for (Atom atom : query.atoms()) {
            if (variable < atom.firstVariable() + atom.arity()) {
                return atom;
            }
        }
        throw new IllegalArgumentException("no such variable: " + variable);
    }
}
