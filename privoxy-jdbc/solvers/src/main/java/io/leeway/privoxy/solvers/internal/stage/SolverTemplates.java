package io.leeway.privoxy.solvers.internal.stage;

import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.solvers.internal.smt.SmtBudget;
import io.leeway.privoxy.solvers.internal.smt.SmtCore;
import io.leeway.privoxy.solvers.internal.smt.SmtDecider;
import io.leeway.privoxy.spi.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Makes templates of what solvers proved: a smallest core of rows and equalities, put in general form, and proved anew
 * in that form. What is not proved again makes no template, whatever the core says. Thread-safe.
 *
 * <p>The proof at the end is not for form's sake: a core holds for the values of one request, and to put variables in
 * their place is a step of its own.
 */
public final class SolverTemplates {

    private final CompiledPolicy policy;
    private final SmtDecider decider;
    private final Limits step;

    /**
     * Makes templates under a policy.
     *
     * @param step limits of each of the some ten proofs on the way to a core
     */
    public SolverTemplates(CompiledPolicy policy, SmtDecider decider, Limits step) {
        this.policy = policy;
        this.decider = decider;
        this.step = step;
    }

    /**
     * The template of a problem.
     *
     * @param form in which it was proved
     * @return null if no core was found within the limits, or if what it says is not proved
     */
    public @Nullable Template generalise(Problem proved, Form form) {
        SmtCore core = decider.core(PlainProblem.of(proved), policy.whole(), form, step)
                .orElse(null);
        if (core == null) {
            return null;
        }
        Template all = CoreTemplate.of(proved, core);
        Template few = CoreTemplate.withoutLooseContext(proved, core);
        // The more general one first, as both are true if it is.
        if (!few.equals(all) && isProved(few)) {
            return few;
        }
        return isProved(all) ? all : null;
    }

    private boolean isProved(Template template) {
        PlainProblem problem = PlainProblem.of(template.problem(policy));
        return decider.decide(problem, policy.whole(), SmtBudget.REVIEW) instanceof SolverDecision.Compliant;
    }
}
