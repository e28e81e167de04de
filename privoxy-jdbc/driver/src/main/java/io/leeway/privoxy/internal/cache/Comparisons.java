package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.cache.Draft.Relation;
import io.leeway.privoxy.internal.cache.Vocabulary.Place;
import io.leeway.privoxy.internal.cache.Vocabulary.Tests;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Replaces constants that a proof needs only for an order or a difference by that order or difference.
 *
 * <p>A price limit of a request would otherwise stay in the template as a number, and each other number would need a
 * proof of its own. The successor of the dissertation's system (OSDI 2022) keeps less-than labels for the same purpose.
 */
final class Comparisons {

    private final Search search;
    private final Problem problem;
    private final Vocabulary vocabulary;

    Comparisons(Search search, Problem problem, Vocabulary vocabulary) {
        this.search = search;
        this.problem = problem;
        this.vocabulary = vocabulary;
    }

    void run() {
        Draft draft = search.draft();
        for (int group : draft.groups()) {
            if (draft.isKnown(group) && isCompared(group)) {
                free(group);
            }
        }
        drop();
        weaken();
    }

    private boolean isCompared(int group) {
        Draft draft = search.draft();
        return !draft.value(group).isNull()
                && draft.members(group).stream().anyMatch(place -> {
                    Place domain = draft.places.domain(place);
                    return domain == null || vocabulary.tests(domain).order || vocabulary.tests(domain).difference;
                });
    }

    /** Says of the group how it compares with everything that it could be compared with. */
    private void free(int group) {
        Draft bare = search.draft().copy();
        bare.setKnown(group, false);
        // Comparisons that are there already may be all that the proof needs.
        boolean isMentioned =
                bare.relations().stream().anyMatch(relation -> relation.left() == group || relation.right() == group);
        if (isMentioned && search.attempt(bare)) {
            return;
        }
        for (Twin twin : Twin.values()) {
            Draft candidate = bare.copy();
            relateAll(candidate, group, twin);
            if (candidate.relations().size() > bare.relations().size() && search.attempt(candidate)) {
                return;
            }
        }
    }

    /**
     * What to say of a constant that the value equals: to say both would be to name it.
     *
     * <p>A value equal to a policy's constant is on one side or the other of it; which one the proof needs is tried.
     */
    private enum Twin {
        AT_MOST,
        AT_LEAST
    }

    private void relateAll(Draft candidate, int group, Twin twin) {
        for (int other : candidate.groups()) {
            if (other != group && candidate.isKnown(other)) {
                relate(candidate, new Relation(Operator.LESS, group, null, other, null), candidate.value(other), twin);
            }
        }
        for (Value pivot : pivots(candidate, group)) {
            relate(candidate, new Relation(Operator.LESS, group, null, -1, pivot), pivot, twin);
        }
    }

    /** Only constants that something is compared with: the order to any other value cannot matter to a proof. */
    private Set<Value> pivots(Draft draft, int group) {
        Set<Value> pivots = new LinkedHashSet<>();
        draft.members(group).stream().forEach(place -> {
            Place domain = draft.places.domain(place);
            if (domain != null) {
                Tests tests = vocabulary.tests(domain);
                pivots.addAll(tests.constants);
            }
        });
        problem.goal().query().disjuncts().forEach(query -> Vocabulary.addConstants(query, pivots));
        draft.places.facts.forEach(fact -> Vocabulary.addConstants(fact.query().query(), pivots));
        return pivots;
    }

    private static void relate(Draft draft, Relation less, Value other, Twin twin) {
        Value value = draft.value(less.left());
        if (PatternComparison.holds(Operator.LESS, value, other)) {
            draft.relations().add(less);
        } else if (PatternComparison.holds(Operator.LESS, other, value)) {
            draft.relations().add(less.mirrored());
            // Ordered and neither less: equal, and to say so would be to name the constant again.
        } else if (value.isOrderedWith(other)) {
            Relation tied = less.with(Operator.LESS_OR_EQUAL);
            draft.relations().add(twin == Twin.AT_MOST ? tied : tied.mirrored());
        } else if (PatternComparison.holds(Operator.NOT_EQUAL, value, other)) {
            draft.relations().add(less.with(Operator.NOT_EQUAL));
        }
    }

    private void drop() {
        Search.shrink(List.copyOf(search.draft().relations()), false, some -> {
            Draft candidate = search.draft().copy();
            candidate.relations().removeAll(some);
            return search.attempt(candidate);
        });
    }

    /**
     * A strict comparison may be needed for not being greater, or for being different, only.
     *
     * <p>A weaker demand accepts more requests; each is proved before it is taken over.
     */
    private void weaken() {
        for (Relation relation : List.copyOf(search.draft().relations())) {
            if (relation.operator() == Operator.LESS && !replace(relation, Operator.LESS_OR_EQUAL)) {
                replace(relation, Operator.NOT_EQUAL);
            }
        }
    }

    private boolean replace(Relation relation, Operator operator) {
        Draft candidate = search.draft().copy();
        List<Relation> relations = new ArrayList<>(candidate.relations());
        relations.replaceAll(each -> each.equals(relation) ? relation.with(operator) : each);
        candidate.relations().clear();
        candidate.relations().addAll(relations);
        return search.attempt(candidate);
    }
}
