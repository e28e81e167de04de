package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Drops rows that a query asks for twice. A row of which the head shows nothing is superfluous if it can be mapped to
 * another row of the same table so that each condition on it becomes one that is there anyway (with it other such rows,
 * where conditions link them): whatever satisfies the rest then satisfies the whole. The answers stay the same; such
 * rows come from sub-queries that restrict their outer rows and are then revealed for them.
 *
 * <p>It matters for what can be proved in the bounds: each row more in a question is one that the chase has to find.
 * {@code EXISTS} with a condition on the outer row, revealed for its context, would ask for the outer row twice.
 *
 * <p>This is a homomorphism of the query into itself that keeps the head: the query and its image have the same answers
 * on every database (Chandra and Merlin). Nothing is assumed of comparisons, as a mapped condition must stand there
 * literally.
 */
@SuppressWarnings("ReferenceEquality") // A use of a table is itself only.
final class Folding {

    // Finding such mappings is NP-complete. A row that stays costs time, never soundness.
    private static final int MOST_ATTEMPTS = 200;

    private final Set<Condition> conditions;
    private final List<Use> uses;
    private final Set<Use> shown = new HashSet<>();
    private int attempts;

    private Folding(Draft draft) {
        this.conditions = new LinkedHashSet<>(draft.conditions());
        this.uses = new ArrayList<>(draft.uses());
        for (Term term : draft.head()) {
            for (Term.Variable column : Terms.columns(term)) {
                uses.stream().filter(use -> use.owns(column.index())).forEach(shown::add);
            }
        }
    }

    /** The draft without superfluous rows. One at a time, as what is dropped may have been the image of another. */
    static Draft folded(Draft draft) {
        var folding = new Folding(draft);
        boolean changed = draft.uses().size() > 1;
        while (changed) {
            changed = folding.dropOne();
        }
        return new Draft(folding.uses, List.copyOf(folding.conditions), draft.head());
    }

    /** Drops a superfluous row, with the rows that have to go with it. */
    private boolean dropOne() {
        // From the end: what sub-queries added comes last.
        for (int i = uses.size() - 1; i >= 0; i--) {
            for (Map<Use, Use> mapping : starts(uses.get(i), Map.of())) {
                Map<Use, Use> found = extend(mapping);
                if (found != null) {
                    drop(found.keySet());
                    return true;
                }
            }
        }
        return false;
    }

    /** The ways to map a row of which nothing is shown. */
    private List<Map<Use, Use>> starts(Use use, Map<Use, Use> mapping) {
        List<Map<Use, Use>> starts = new ArrayList<>();
        // A row onto which another is mapped has to stay, and one that the head shows is not mapped at all.
        if (shown.contains(use) || mapping.containsKey(use) || mapping.containsValue(use)) {
            return starts;
        }
        for (Use other : uses) {
            if (other != use && other.table().equals(use.table()) && !mapping.containsKey(other)) {
                Map<Use, Use> more = new HashMap<>(mapping);
                more.put(use, other);
                starts.add(more);
            }
        }
        return starts;
    }

    /** A mapping under which all conditions on mapped rows are there, or null. */
    private @Nullable Map<Use, Use> extend(Map<Use, Use> mapping) {
        if (++attempts > MOST_ATTEMPTS) {
            return null;
        }
        Condition missing = missing(mapping);
        if (missing == null) {
            return mapping;
        }
        for (Use use : uses) {
            if (Conditions.columns(missing).stream().anyMatch(column -> use.owns(column.index()))) {
                for (Map<Use, Use> more : starts(use, mapping)) {
                    Map<Use, Use> found = extend(more);
                    if (found != null) {
                        return found;
                    }
                }
            }
        }
        return null;
    }

    private @Nullable Condition missing(Map<Use, Use> mapping) {
        for (Condition condition : conditions) {
            Condition image = image(condition, mapping);
            if (!conditions.contains(image) && !conditions.contains(mirrored(image))) {
                return condition;
            }
        }
        return null;
    }

    // a.x = b.x and b.x = a.x are one condition; < has been written in one direction already.
    private static Condition mirrored(Condition condition) {
        if (condition instanceof Condition.Comparison comparison) {
            Condition.Operator operator = comparison.operator();
            if (operator == Condition.Operator.EQUAL || operator == Condition.Operator.NOT_EQUAL) {
                return new Condition.Comparison(
                        operator, /* left= */ comparison.right(), /* right= */ comparison.left());
            }
        }
        return condition;
    }

    private void drop(Set<Use> dropped) {
        uses.removeAll(dropped);
        conditions.removeIf(condition -> Conditions.columns(condition).stream()
                .anyMatch(column -> dropped.stream().anyMatch(use -> use.owns(column.index()))));
    }

    /** The condition with each mapped row's columns in place of its own. */
    private static Condition image(Condition condition, Map<Use, Use> mapping) {
        if (condition instanceof Condition.Comparison comparison) {
            return new Condition.Comparison(
                    comparison.operator(), image(comparison.left(), mapping), image(comparison.right(), mapping));
        }
        if (condition instanceof Condition.NullTest test) {
            return new Condition.NullTest(image(test.term(), mapping), test.isNull());
        }
        var oneOf = (Condition.OneOf) condition;
        return new Condition.OneOf(image(oneOf.term(), mapping), oneOf.options());
    }

    private static Term image(Term term, Map<Use, Use> mapping) {
        if (term instanceof Term.Variable variable) {
            for (Map.Entry<Use, Use> entry : mapping.entrySet()) {
                if (entry.getKey().owns(variable.index())) {
                    return entry.getValue()
                            .variable(variable.index() - entry.getKey().first());
                }
            }
            return term;
        }
        if (term instanceof Term.Function function) {
            List<Term> arguments = new ArrayList<>();
            function.arguments().forEach(argument -> arguments.add(image(argument, mapping)));
            return new Term.Function(function.symbol(), arguments);
        }
        return term;
    }
}
