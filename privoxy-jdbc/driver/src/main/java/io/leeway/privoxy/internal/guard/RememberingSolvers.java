package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.internal.solver.SolverStage;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Solvers that are not asked the same in vain: what they did not prove is remembered for a while, so that a page that
 * is refused costs its tenth of a second once and not each time it is reloaded. Only refusals are remembered, so that
 * nothing is ever allowed from memory. The key is all that a solver is told: goal, arguments, context, every row;
 * policy and schema are those of the epoch that this belongs to. A machine under load may have cut a proof short, which
 * is why the memory ends.
 *
 * <p>Goals whose proofs led to no template are remembered too: looking for a core costs more than a proof. Thread-safe.
 */
final class RememberingSolvers implements SolverStage {

    /** Refusals kept, times two; each holds the rows of a trace. */
    private static final int REFUSALS = 100;

    private static final int GOALS = 1_000;
    private static final long KEPT = Duration.ofMinutes(1).toNanos();

    private final SolverStage solvers;
    private final LongSupplier nanos;
    private final TwoGenerations<Problem, Refusal> refusals = new TwoGenerations<>(REFUSALS);
    private final TwoGenerations<Goal, Boolean> withoutTemplate = new TwoGenerations<>(GOALS);

    private record Refusal(SolverDecision decision, long since) {}

    /**
     * Remembers.
     *
     * @param nanos a clock as {@link System#nanoTime}
     */
    RememberingSolvers(SolverStage solvers, LongSupplier nanos) {
        this.solvers = solvers;
        this.nanos = nanos;
    }

    @Override
    public SolverDecision decide(Problem problem) {
        Refusal known = refusals.get(problem);
        if (known != null && nanos.getAsLong() - known.since() < KEPT) {
            return known.decision();
        }
        SolverDecision decision = solvers.decide(problem);
        // What an interrupted thread was told says nothing of the problem.
        boolean isInterrupted = Thread.currentThread().isInterrupted();
        if (!(decision instanceof SolverDecision.Compliant) && !isInterrupted) {
            refusals.put(problem, new Refusal(decision, nanos.getAsLong()));
        }
        return decision;
    }

    @Override
    public boolean proves(Problem problem) {
        return solvers.proves(problem);
    }

    /** By goal and not by problem: a page asks the same with other values all day. */
    @Override
    public @Nullable Template generalise(Problem proved, Form form) {
        if (withoutTemplate.get(proved.goal()) != null) {
            return null;
        }
        Template template = solvers.generalise(proved, form);
        if (template == null && !Thread.currentThread().isInterrupted()) {
            withoutTemplate.put(proved.goal(), true);
        }
        return template;
    }
}
