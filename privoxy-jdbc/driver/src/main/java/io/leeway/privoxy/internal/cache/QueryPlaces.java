package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.cache.Vocabulary.Place;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The domains of a query's arguments and of the cells of its rows. A cell is <em>implied</em> if the query itself ties
 * it to an argument or a constant: to say its value again adds nothing.
 *
 * <p>It only guides the first guess of a template and what of it need not be said; a wrong domain costs proofs and
 * nothing else.
 */
final class QueryPlaces {

    private final Vocabulary vocabulary;
    private final Map<Integer, Place> arguments = new HashMap<>();
    private final List<@Nullable Place> cells = new ArrayList<>();
    /** For each cell the first one that the query ties to it; often the cell itself. */
    private final List<Integer> twins = new ArrayList<>();

    private QueryPlaces(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    static QueryPlaces of(UnionQuery query, Vocabulary vocabulary) {
        QueryPlaces places = new QueryPlaces(vocabulary);
        query.disjuncts().forEach(places::readArguments);
        return places;
    }

    static QueryPlaces of(ConjunctiveQuery query, Vocabulary vocabulary) {
        QueryPlaces places = new QueryPlaces(vocabulary);
        places.readArguments(query);
        places.readHead(query);
        return places;
    }

    /** Domain of an argument, or null if the query does not show any. */
    @Nullable
    Place argument(int index) {
        return arguments.get(index);
    }

    /** Domain of a cell, or null if it is implied. */
    @Nullable
    Place cell(int column) {
        return cells.get(column);
    }

    /** The first cell that has the same value in every row, because the query ties the two. */
    int twin(int column) {
        return twins.get(column);
    }

    /** Parameters that are only in the head, or compared with each other, have no domain. */
    private void readArguments(ConjunctiveQuery query) {
        for (Condition condition : query.conditions()) {
            if (condition instanceof Condition.Comparison comparison) {
                link(comparison.left(), comparison.right(), query);
            } else if (condition instanceof Condition.OneOf oneOf) {
                oneOf.options().forEach(option -> link(oneOf.term(), option, query));
            } else if (condition instanceof Condition.NullTest test) {
                readFunction(test.term(), query);
            }
        }
        query.head().forEach(term -> readFunction(term, query));
    }

    private void link(Term left, Term right, ConjunctiveQuery query) {
        // key(a) = key(b): what is meant is that a and b are of one kind.
        if (left instanceof Term.Function one
                && right instanceof Term.Function other
                && one.symbol().equals(other.symbol())
                && one.arguments().size() == other.arguments().size()) {
            for (int i = 0; i < one.arguments().size(); i++) {
                link(one.arguments().get(i), other.arguments().get(i), query);
            }
            return;
        }
        note(left, Vocabulary.place(right, query));
        note(right, Vocabulary.place(left, query));
        readFunction(left, query);
        readFunction(right, query);
    }

    private void readFunction(Term term, ConjunctiveQuery query) {
        if (term instanceof Term.Function function) {
            for (int i = 0; i < function.arguments().size(); i++) {
                Term argument = function.arguments().get(i);
                note(argument, new Place.Argument(function.symbol(), i));
                readFunction(argument, query);
            }
        }
    }

    private void note(Term term, @Nullable Place place) {
        if (term instanceof Term.Parameter parameter && place != null) {
            // A parameter that stands beside two columns belongs to the first; if these are really of one kind the
            // vocabulary has joined them.
            arguments.putIfAbsent(parameter.index(), vocabulary.domain(place));
        }
    }

    private void readHead(ConjunctiveQuery query) {
        Ties ties = new Ties(query);
        Map<Term, Integer> first = new HashMap<>();
        for (int column = 0; column < query.head().size(); column++) {
            Term term = query.head().get(column);
            Term tied = ties.representative(term);
            Place place = Vocabulary.place(term, query);
            // A cell that the query pins to an argument is told by the argument.
            cells.add(place == null || ties.isRigid(tied) ? null : vocabulary.domain(place));
            twins.add(first.computeIfAbsent(tied, absent -> twins.size()));
        }
    }

    /**
     * Which terms a query equates, so that they have one value in every answer.
     *
     * <p>Not {@code Shape.representative}, which ties variables only: here constants, parameters and functions count,
     * too.
     */
    private static final class Ties {

        private final Map<Term, Term> parents = new HashMap<>();

        Ties(ConjunctiveQuery query) {
            for (Condition condition : query.conditions()) {
                if (condition instanceof Condition.Comparison comparison && comparison.operator() == Operator.EQUAL) {
                    join(representative(comparison.left()), representative(comparison.right()));
                }
            }
        }

        /** Terms without a column come out as representatives. */
        private void join(Term one, Term other) {
            if (!one.equals(other)) {
                if (isRigid(one)) {
                    parents.put(other, one);
                } else {
                    parents.put(one, other);
                }
            }
        }

        Term representative(Term term) {
            Term root = term;
            for (Term parent = parents.get(root); parent != null; parent = parents.get(root)) {
                root = parent;
            }
            return root;
        }

        boolean isRigid(Term term) {
            return term instanceof Term.Constant || term instanceof Term.Parameter || term instanceof Term.Context;
        }
    }
}
