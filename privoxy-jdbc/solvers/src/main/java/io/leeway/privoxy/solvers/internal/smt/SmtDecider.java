package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.refute.Counterexample;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.solvers.internal.smt.SolverPortfolio.Reply;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.SmtScript;
import io.leeway.privoxy.spi.SmtSolver;
import java.util.Optional;

/**
 * Decides problems with solvers: the strong form, which is easier and nearly always enough, then the definition itself,
 * then a search for a counterexample. Only "no model" of the first two forms is a proof; their models may be infinite
 * and refute nothing. Thread-safe.
 *
 * <p>Satisfiable is not used: the formula leaves premises out, and finite databases are what SQL has. A refusal with an
 * example comes from the size-bounded form alone.
 */
public final class SmtDecider {

    private final SolverPortfolio portfolio;

    public SmtDecider(SolverPortfolio portfolio) {
        this.portfolio = portfolio;
    }

    /** The same; how each solver ended is told to somebody. */
    public SmtDecider reportingTo(PrivoxyMetricsTracker tracker) {
        return new SmtDecider(portfolio.reportingTo(tracker));
    }

    /** Decides. */
    public SolverDecision decide(PlainProblem problem, Policy policy, SmtBudget budget) {
        if (portfolio.isEmpty()) {
            return new SolverDecision.Undecided("no solver is available");
        }
        for (Form form : Form.values()) {
            Optional<SolverDecision> proved = prove(problem, policy, form, budget.of(form));
            if (proved.isPresent()) {
                // The same question as the chase asks behind a proof by contradiction; solvers see more, as complete
                // results and arithmetic.
                return canHold(problem, policy, form, budget.of(form))
                        ? proved.get()
                        : new SolverDecision.Undecided("what is known contradicts itself");
            }
        }
        return budget.counterexample() == null
                ? new SolverDecision.Undecided("no solver found a proof within its limits")
                : refute(problem, policy, budget.counterexample());
    }

    /** Only "unsatisfiable" counts. A model of a quantified script need not be one of finite databases. */
    private Optional<SolverDecision> prove(PlainProblem problem, Policy policy, Form form, Limits limits) {
        SmtScript script = Encoder.concrete(problem, policy, form);
        Reply reply = portfolio.race(script, limits);
        SmtSolver solver = reply.solver();
        return solver != null && reply.outcome() instanceof Outcome.Unsatisfiable
                ? Optional.of(new SolverDecision.Compliant(form, solver.name()))
                : Optional.empty();
    }

    /**
     * Whether what was read can be, and each part of the goal can have an answer. Asked once there is a proof only: from
     * what cannot be everything follows, and of the rows that a part has all the same nothing was proved.
     */
    private boolean canHold(PlainProblem problem, Policy policy, Form form, Limits limits) {
        boolean isOfFacts = !problem.facts().isEmpty() || !problem.answers().isEmpty();
        if (isOfFacts && isImpossible(Encoder.premises(problem, policy, form), limits)) {
            return false;
        }
        return problem.parts().stream().noneMatch(part -> isImpossible(Encoder.answer(part, policy, form), limits));
    }

    /** Unknown counts as possible: the chase has found nothing, either. */
    private boolean isImpossible(SmtScript script, Limits limits) {
        return portfolio.race(script, limits).outcome() instanceof Outcome.Unsatisfiable;
    }

    /** Undecided unless an example passes the check: "no model found" is not "compliant". */
    private SolverDecision refute(PlainProblem problem, Policy policy, Limits limits) {
        Counterexample found = new CounterexampleFinder(problem, policy, portfolio, limits).find();
        return found == null
                ? new SolverDecision.Undecided("no solver found a proof or a counterexample within its limits")
                : new SolverDecision.Refuted(found);
    }

    /**
     * What a proof of the problem needs: the premises and conditions of a template. Empty if the problem cannot be
     * proved from returned rows alone within the limits, which every step has anew.
     *
     * <p>From rows alone: a template's premises are rows.
     */
    public Optional<SmtCore> core(PlainProblem problem, Policy policy, Form form, Limits limits) {
        return portfolio.isEmpty() ? Optional.empty() : CoreFinder.find(problem, policy, form, portfolio, limits);
    }
}
