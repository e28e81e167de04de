package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which places of a policy hold values of one kind of thing, a <em>domain</em>: columns and context parameters that
 * views, inclusions or foreign keys equate. And what a domain's values are tested for: constants, order, difference,
 * null.
 *
 * <p>It only guides guesses: which equalities of a trace are meant and which are accidents (user 5 and event 5), and
 * which values a proof may need to know. Every guess is proved afterwards.
 *
 * <p>Why not all equalities of a trace: with ids from sequences, 5 is the number of a user, an event and a comment at
 * once, and a template that demands all three to be equal fits nobody else. The dissertation lets sequences start a
 * million apart while templates are made (Chang, UCB/EECS-2021-244, section 3.5); that cannot be asked of a user's
 * database.
 */
final class Vocabulary {

    /** A place whose values form, or belong to, a domain. */
    sealed interface Place {

        /** A column. */
        record Cell(String table, int column) implements Place {}

        /** A parameter of the request context. */
        record Parameter(String name) implements Place {}

        /** The result of a function. */
        record Result(String symbol) implements Place {}

        /** An argument of a function that is nothing else. */
        record Argument(String symbol, int index) implements Place {}
    }

    /**
     * What the values of a domain are tested for.
     *
     * <p>Values that nothing tests need not be known: any other would do.
     */
    static final class Tests {
        final Set<Value> constants = new LinkedHashSet<>();
        boolean order;
        boolean difference;
        boolean nullness;

        private void add(Tests other) {
            constants.addAll(other.constants);
            order |= other.order;
            difference |= other.difference;
            nullness |= other.nullness;
        }
    }

    static final Tests NOTHING = new Tests();

    private final Map<Place, Place> parents = new HashMap<>();
    private final Map<Place, Tests> tests = new HashMap<>();

    private Vocabulary() {}

    static Vocabulary of(Policy policy, Schema schema) {
        Vocabulary vocabulary = new Vocabulary();
        // Foreign keys of all tables, also of those that no view names, since queries join by them.
        for (Table table : schema.tables().values()) {
            vocabulary.readForeignKeys(table);
        }
        policy.views().stream().map(View::query).forEach(vocabulary::read);
        for (Inclusion inclusion : policy.inclusions()) {
            vocabulary.read(inclusion.left());
            vocabulary.read(inclusion.right());
        }
        vocabulary.gather();
        return vocabulary;
    }

    /** The place that names the domain of a place. */
    Place domain(Place place) {
        return parents.getOrDefault(place, place);
    }

    /** What a domain is tested for. */
    Tests tests(Place domain) {
        return tests.getOrDefault(domain, NOTHING);
    }

    /** Adds all constants that anything is compared with. */
    void addConstants(Set<Value> to) {
        tests.values().forEach(each -> to.addAll(each.constants));
    }

    /** Adds the constants of a query's conditions. */
    static void addConstants(ConjunctiveQuery query, Set<Value> to) {
        Vocabulary vocabulary = new Vocabulary();
        vocabulary.read(UnionQuery.of(query));
        vocabulary.addConstants(to);
    }

    /** The place of a term in a query, or null if it is a constant or one of the query's own parameters. */
    static @Nullable Place place(Term term, ConjunctiveQuery query) {
        if (term instanceof Term.Variable variable) {
            for (Atom atom : query.atoms()) {
                if (variable.index() < atom.firstVariable() + atom.arity()) {
                    return new Place.Cell(atom.table(), variable.index() - atom.firstVariable());
                }
            }
        }
        if (term instanceof Term.Context context) {
            return new Place.Parameter(context.name());
        }
        return term instanceof Term.Function function ? new Place.Result(function.symbol()) : null;
    }

    private void readForeignKeys(Table table) {
        for (ForeignKey key : table.foreignKeys()) {
            for (int i = 0; i < key.columns().size(); i++) {
                join(
                        new Place.Cell(table.name(), key.columns().get(i)),
                        new Place.Cell(key.target(), key.targetColumns().get(i)));
            }
        }
    }

    private void read(UnionQuery query) {
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            for (Condition condition : disjunct.conditions()) {
                read(condition, disjunct);
            }
        }
    }

    /** Lists count as equalities with each option. */
    private void read(Condition condition, ConjunctiveQuery query) {
        if (condition instanceof Condition.Comparison comparison) {
            compare(comparison.operator(), comparison.left(), comparison.right(), query);
        } else if (condition instanceof Condition.NullTest test) {
            Place place = place(test.term(), query);
            if (place != null) {
                own(place).nullness = true;
            }
        } else if (condition instanceof Condition.OneOf oneOf) {
            oneOf.options().forEach(option -> compare(Operator.EQUAL, oneOf.term(), option, query));
        }
    }

    private void compare(Operator operator, Term left, Term right, ConjunctiveQuery query) {
        if (left instanceof Term.Function one
                && right instanceof Term.Function other
                && one.symbol().equals(other.symbol())
                && one.arguments().size() == other.arguments().size()) {
            for (int i = 0; i < one.arguments().size(); i++) {
                compare(operator, one.arguments().get(i), other.arguments().get(i), query);
            }
            return;
        }
        Place first = place(left, query);
        Place second = place(right, query);
        test(operator, first, right);
        test(operator, second, left);
        // An order between two columns does not make them one kind of thing: start and end of a period are
        // compared, too, but a mere difference ties less than an equality.
        if (operator == Operator.EQUAL && first != null && second != null) {
            join(first, second);
        }
    }

    private void test(Operator operator, @Nullable Place place, Term other) {
        if (place == null) {
            return;
        }
        Tests mine = own(place);
        mine.order |= operator == Operator.LESS || operator == Operator.LESS_OR_EQUAL;
        mine.difference |= operator == Operator.NOT_EQUAL;
        if (other instanceof Term.Constant constant) {
            mine.constants.add(constant.value());
        }
    }

    private Tests own(Place place) {
        return tests.computeIfAbsent(place, absent -> new Tests());
    }

    private Place root(Place place) {
        Place root = place;
        for (Place parent = parents.get(root); parent != null; parent = parents.get(root)) {
            root = parent;
        }
        return root;
    }

    private void join(Place one, Place other) {
        Place a = root(one);
        Place b = root(other);
        if (!a.equals(b)) {
            parents.put(a, b);
        }
    }

    /**
     * Points every place to its root, and moves what is known of places to their roots.
     *
     * <p>Once at the end, so that later look-ups are one step.
     */
    private void gather() {
        for (Place place : new ArrayList<>(parents.keySet())) {
            parents.put(place, root(place));
        }
        List<Map.Entry<Place, Tests>> all = new ArrayList<>(tests.entrySet());
        for (Map.Entry<Place, Tests> entry : all) {
            Place root = domain(entry.getKey());
            if (!root.equals(entry.getKey())) {
                own(root).add(entry.getValue());
            }
        }
    }
}
