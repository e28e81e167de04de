package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.cache.Vocabulary.Place;
import io.leeway.privoxy.internal.cache.Vocabulary.Tests;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes away what a proved draft says without need: constants, not-null demands, equalities (cells first, so that what
 * can be checked on arguments is), parameters of the context; at last constants that are needed for a comparison only
 * become comparisons.
 *
 * <p>The order matters for how general the result is. Constants go first, since what names a user serves one user;
 * cells before arguments, since a cell that says nothing spares the search a comparison in each row; context last, as
 * it is nearly always needed.
 */
final class Weakening {

    /**
     * Groups of up to this many places are tried to be split in two in every way.
     *
     * <p>The number of ways doubles with each place.
     */
    private static final int MAX_SPLIT = 6;

    private final Search search;
    private final Problem problem;
    private final Vocabulary vocabulary;

    Weakening(Search search, Problem problem, Vocabulary vocabulary) {
        this.search = search;
        this.problem = problem;
        this.vocabulary = vocabulary;
    }

    void run() {
        freeConstants();
        dropNotNulls();
        isolateCells();
        isolateArguments();
        dropContext();
        splitGroups();
        new Comparisons(search, problem, vocabulary).run();
    }

    /** All at once first; {@code Search.shrink} halves what cannot go together. */
    private boolean tryEach(List<Integer> items, ObjIntConsumer<Draft> weaken) {
        Draft candidate = search.draft().copy();
        items.forEach(item -> weaken.accept(candidate, item));
        return search.attempt(candidate);
    }

    private void freeConstants() {
        Draft draft = search.draft();
        List<Integer> known = draft.groups().stream().filter(draft::isKnown).toList();
        Search.shrink(known, false, some -> tryEach(some, (candidate, group) -> candidate.setKnown(group, false)));
        for (int group : known) {
            // Still known after all others were tried together: then something weaker than the value may do.
            if (search.draft().isKnown(group) && mayNeedNotNullOnly(group)) {
                Draft candidate = search.draft().copy();
                candidate.setKnown(group, false);
                // Often all that a constant was good for is that it is not NULL.
                candidate.setNotNull(group, true);
                search.attempt(candidate);
            }
        }
    }

    /** If the policy compares with just this constant, NOT NULL alone cannot be enough. */
    private boolean mayNeedNotNullOnly(int group) {
        Draft draft = search.draft();
        return !draft.value(group).isNull()
                && draft.members(group).stream().anyMatch(place -> {
                    Tests tests = testsOf(draft.places.domain(place));
                    return tests.nullness || !tests.constants.contains(draft.value(group));
                });
    }

    private Tests testsOf(@Nullable Place domain) {
        return domain == null ? Vocabulary.NOTHING : vocabulary.tests(domain);
    }

    /** After constants: a value that was fixed may have become a demand only. */
    private void dropNotNulls() {
        Draft draft = search.draft();
        List<Integer> demanded = draft.groups().stream()
                .filter(group -> draft.isNotNull(group) && !draft.isKnown(group))
                .toList();
        Search.shrink(demanded, false, some -> tryEach(some, (candidate, group) -> candidate.setNotNull(group, false)));
    }

    private void isolateCells() {
        Draft draft = search.draft();
        List<Integer> cells = new ArrayList<>();
        for (int place = 0; place < draft.places.count(); place++) {
            if (draft.places.isCell(place) && saysSomething(draft, place)) {
                cells.add(place);
            }
        }
        Search.shrink(cells, false, some -> tryEach(some, Draft::isolate));
    }

    /**
     * Whether it makes a difference to give the place a value of its own.
     *
     * <p>Without this the budget would go to steps that change nothing.
     */
    private static boolean saysSomething(Draft draft, int place) {
        int group = draft.group(place);
        return draft.places.value(place) != null
                && (draft.isKnown(group)
                        || draft.isNotNull(group)
                        || draft.members(group).cardinality() > 1);
    }

    private void isolateArguments() {
        int arguments = search.draft().places.count();
        Set<Integer> failedPairs = new HashSet<>();
        for (int place = 0; place < arguments; place++) {
            Draft draft = search.draft();
            int group = draft.group(place);
            if (!draft.places.isCell(place) && saysSomething(draft, place) && !isDone(draft, group, failedPairs)) {
                boolean isPair = isPlain(draft, group) && draft.members(group).cardinality() == 2;
                Draft candidate = draft.copy();
                candidate.isolate(place);
                if (!search.attempt(candidate) && isPair) {
                    failedPairs.add(group);
                }
            }
        }
    }

    private static boolean isPlain(Draft draft, int group) {
        return !draft.isKnown(group) && !draft.isNotNull(group);
    }

    /** To part the one of two is to part the other; and a constant said once was tried before. */
    private static boolean isDone(Draft draft, int group, Set<Integer> failedPairs) {
        return failedPairs.contains(group) || draft.members(group).cardinality() == 1;
    }

    private void dropContext() {
        Draft draft = search.draft();
        Set<String> named = namedContext(draft);
        List<Integer> loose = new ArrayList<>();
        for (int i = 0; i < draft.places.contextNames.size(); i++) {
            // A parameter that a query mentions has to have a value for the query to mean anything.
            if (!saysSomething(draft, draft.places.ofContext(i)) && !named.contains(draft.places.contextNames.get(i))) {
                loose.add(i);
            }
        }
        Search.shrink(loose, false, some -> tryEach(some, Draft::dropContext));
    }

    /** Parameters that the queries themselves mention. */
    private Set<String> namedContext(Draft draft) {
        Set<String> names = new HashSet<>();
        for (Fact fact : draft.places.facts) {
            names.addAll(fact.query().contextNames());
        }
        names.addAll(problem.goal().contextNames());
        return names;
    }

    /** Last, as it is the dearest: two pairs that were equal by accident of one value. */
    private void splitGroups() {
        for (int group : search.draft().groups()) {
            if (isPlain(search.draft(), group)) {
                splitGroup(group);
            }
        }
    }

    /** Tries to part the group in two, in all ways that leave two places on either side. */
    private void splitGroup(int group) {
        int[] members = search.draft().members(group).stream().toArray();
        if (members.length < 4 || members.length > MAX_SPLIT) {
            return;
        }
        for (int choice = 1; choice < 1 << (members.length - 1); choice++) {
            BitSet moved = BitSet.valueOf(new long[] {(long) choice << 1});
            if (moved.cardinality() >= 2 && moved.cardinality() <= members.length - 2) {
                BitSet places = new BitSet();
                moved.stream().forEach(i -> places.set(members[i]));
                Draft candidate = search.draft().copy();
                candidate.split(places);
                if (search.attempt(candidate)) {
                    return;
                }
            }
        }
    }
}
