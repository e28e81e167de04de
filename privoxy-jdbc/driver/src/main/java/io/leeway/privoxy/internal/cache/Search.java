package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One run of the {@link Generaliser} with one prover: finds the rows that are needed, then weakens what they say.
 *
 * <p>Only what is proved is taken over, so it may stop anywhere: at each moment the draft is a theorem.
 */
final class Search {

    private final CompiledPolicy policy;
    private final PlaceSource source;
    private final Prover prover;
    private final int budget;
    private int proofs;
    // Then the template is true, and may be more particular than need be.
    private boolean exhausted;
    private @Nullable Draft draft;
    private @Nullable Template template;

    Search(CompiledPolicy policy, PlaceSource source, Prover prover, int budget) {
        this.policy = policy;
        this.source = source;
        this.prover = prover;
        this.budget = budget;
    }

    int proofs() {
        return proofs;
    }

    boolean isIrreducible() {
        return !exhausted;
    }

    /** Returns null if the problem is not proved. */
    @Nullable
    Template run(Problem problem, boolean allFacts) {
        Guesses guesses = new Guesses(problem);
        List<Fact> ranked = FactRanking.rank(problem, source, allFacts);
        // From the guess that generalises best to the one that always says enough. If even all values and rows do
        // not prove it, this prover cannot.
        if (guesses.likely(ranked) || guesses.all(Caution.CAUTIOUS) || guesses.all(Caution.LITERAL)) {
            new Weakening(this, problem, source.vocabulary()).run();
        }
        return template;
    }

    /**
     * The weakest draft proved so far.
     *
     * <p>Weakening goes on from here; whatever is tried works on a copy.
     */
    Draft draft() {
        return Objects.requireNonNull(draft, "asked for after the first proof only");
    }

    /** Takes the draft over if it is proved. */
    boolean attempt(Draft candidate) {
        if (proofs >= budget) {
            exhausted = true;
            return false;
        }
        proofs++;
        Template candidateTemplate = candidate.template();
        // The template itself is proved, with symbols, and not the request it was made from.
        if (!prover.proves(candidateTemplate.problem(policy))) {
            return false;
        }
        draft = candidate;
        template = candidateTemplate;
        return true;
    }

    /**
     * Removes as many items as possible, by halves.
     *
     * <p>Delta debugging by halves: most of a long trace is not needed, so large parts go with one proof.
     *
     * @param remove removes some items if what is left is proved
     * @param cannotAll whether it is known that not all can go
     * @return whether all are gone
     */
    static <T> boolean shrink(List<T> items, boolean cannotAll, Predicate<List<T>> remove) {
        if (items.isEmpty() || (!cannotAll && remove.test(items))) {
            return true;
        }
        if (items.size() > 1) {
            int middle = items.size() / 2;
            boolean firstGone = shrink(items.subList(0, middle), false, remove);
            // With the first half gone, the second half is all that is left, and that cannot go.
            shrink(items.subList(middle, items.size()), firstGone, remove);
        }
        return false;
    }

    /** The first guesses: how many of the ranked rows, and what of them. */
    private final class Guesses {

        private final Problem problem;
        private final Set<Value> constants = new HashSet<>();

        Guesses(Problem problem) {
            this.problem = problem;
        }

        /** Takes more and more rows; then drops those that are not needed. */
        boolean likely(List<Fact> ranked) {
            int before = 0;
            int count = 0;
            while (!attempt(draft(ranked.subList(0, count), Caution.LIKELY))) {
                if (count == ranked.size()) {
                    return false;
                }
                before = count;
                // Doubling: the number of rows needed is small or not found at all.
                count = Math.min(ranked.size(), Math.max(1, count * 2));
            }
            Set<Fact> kept = new LinkedHashSet<>(ranked.subList(0, count));
            // The rows before did not suffice, so not all of the last ones can go.
            dropFacts(kept, ranked.subList(before, count), true, Caution.LIKELY);
            dropFacts(kept, ranked.subList(0, before), false, Caution.LIKELY);
            return true;
        }

        /** Takes all rows, in the order in which the problem has them. */
        boolean all(Caution caution) {
            source.vocabulary().addConstants(constants);
            problem.goal().query().disjuncts().forEach(query -> Vocabulary.addConstants(query, constants));
            // The ranking is for the likely guess only; here nothing is left to likelihood.
            List<Fact> facts = problem.facts().stream().distinct().toList();
            if (!attempt(draft(facts, caution))) {
                return false;
            }
            dropFacts(new LinkedHashSet<>(facts), facts, false, caution);
            return true;
        }

        private void dropFacts(Set<Fact> kept, List<Fact> items, boolean cannotAll, Caution caution) {
            shrink(items, cannotAll, some -> {
                List<Fact> rest = new ArrayList<>(kept);
                rest.removeAll(some);
                return attempt(draft(rest, caution)) && kept.retainAll(rest);
            });
        }

        private Draft draft(List<Fact> facts, Caution caution) {
            return caution.draft(new Places(problem, facts, source), source.vocabulary(), constants);
        }
    }
}
