package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a template of a decision: keeps the rows, equalities and constants that a proof needs.
 *
 * <p>Model. A template is a problem over symbols. The search starts with a guess ({@link Caution}) of which rows matter
 * and which equal values are meant to be equal, and then takes away one thing after another, as long as the problem is
 * still proved: rows, constants, demands that a value is not null, equalities. So every template is a theorem, whatever
 * the guesses were; bad guesses only cost proofs. At the end nothing can be taken away any more (<em>irreducible</em>),
 * unless the budget ran out before: then the template is less general, but just as true.
 *
 * <p>Cost: some ten proofs of small problems. The number is bounded, not the time, so that the result does not depend
 * on the machine. Thread-safe.
 *
 * <p>The dissertation generalises by an unsat core: labels say what a proof used (Chang, UCB/EECS-2021-244, section
 * 3.5). A chase has no cores, but a proof takes microseconds, so the same is found by proving again with less. The
 * successor (OSDI 2022) validates its templates afterwards; here each step is a proof of the template itself.
 */
public final class Generaliser {

    /** Enough for everyday decisions; a chase takes some 20 to 50 microseconds. */
    public static final int DEFAULT_BUDGET = 80;

    /**
     * One case for each disjunct of the goal.
     *
     * <p>Most decisions need no case distinction, and an attempt that fails without them fails at once.
     */
    private static final Budget WITHOUT_CASES = new Budget(12, 1000, 0, 64);

    private final CompiledPolicy policy;
    private final List<Prover> provers;
    private final int budget;
    // Shared by all decisions under one policy.
    private final PlaceSource source;

    /**
     * A generaliser.
     *
     * @param policy under which is proved
     * @param provers tried in this order, until one proves the problem
     * @param budget how many proofs each may be asked for
     */
    public Generaliser(CompiledPolicy policy, List<Prover> provers, int budget) {
        this.policy = policy;
        this.provers = List.copyOf(provers);
        this.budget = budget;
        this.source = new PlaceSource(policy);
    }

    /**
     * With the chase: its quick proof without cases first, which is enough for most decisions and fails at once, then
     * its quick and its full proof, all within half of the engine's bounds, so that the engine itself proves whatever a
     * template accepts. What takes more than that makes no template.
     */
    public static Generaliser of(CompiledPolicy policy, ChaseEngine engine) {
        // Half of the bounds: a request that the template accepts has values where the proof had symbols, which can
        // take more steps.
        ChaseEngine careful = engine.withMargin();
        return new Generaliser(
                policy,
                List.of(
                        careful.within(WITHOUT_CASES)::isQuicklyCompliant,
                        careful::isQuicklyCompliant,
                        careful::isCompliantAtOnce),
                DEFAULT_BUDGET);
    }

    /**
     * The template of a compliant problem.
     *
     * @param problem with known values; assumptions are not used
     * @return null if no prover proves it
     */
    public @Nullable Template generalise(Problem problem) {
        Generalised made = generaliseCounting(problem);
        return made == null ? null : made.template();
    }

    /** The same with what it cost. */
    public @Nullable Generalised generaliseCounting(Problem problem) {
        int proofs = 0;
        // The first prover that proves it at all also does the weakening; a stronger one could weaken further, but
        // each of its failures is slow.
        for (int i = 0; i < provers.size(); i++) {
            Search search = new Search(policy, source, provers.get(i), budget);
            Template template = search.run(problem, i == provers.size() - 1);
            proofs += search.proofs();
            if (template != null) {
                return new Generalised(template, proofs, search.isIrreducible());
            }
        }
        return null;
    }

    /**
     * A template and what it cost.
     *
     * <p>For benchmarks and the command line.
     *
     * @param proofs how many proofs were tried
     * @param irreducible whether the budget sufficed to the end
     */
    public record Generalised(Template template, int proofs, boolean irreducible) {}
}
