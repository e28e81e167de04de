package io.leeway.privoxy.solvers;

import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.solvers.internal.smt.SmtBudget;
import io.leeway.privoxy.solvers.internal.smt.SmtDecider;
import io.leeway.privoxy.solvers.internal.smt.SolverPortfolio;
import io.leeway.privoxy.spi.Limits;
import java.util.List;

/** The solvers that tests ask, with limits that count effort, not time. */
final class Solvers {

    static final Limits LIMITS = new Limits(2_000, java.time.Duration.ofMinutes(5));
    static final SmtBudget BUDGET = new SmtBudget(LIMITS, LIMITS, LIMITS);

    static final SmtDecider BOTH = new SmtDecider(portfolio("cvc5", "z3"));
    static final SmtDecider CVC5 = new SmtDecider(portfolio("cvc5"));
    static final SmtDecider Z3 = new SmtDecider(portfolio("z3"));

    private Solvers() {}

    static SolverPortfolio portfolio(String... names) {
        List<String> wanted = List.of(names);
        return SolverPortfolio.of(List.of(new Cvc5Solver(), new Z3Solver()).stream()
                .filter(solver -> wanted.contains(solver.name()))
                .toList());
    }

    /** What both solvers say when each is asked alone; fails if one proves what the other refutes. */
    static SolverDecision decide(PlainProblem problem, Policy policy) {
        SolverDecision one = CVC5.decide(problem, policy, BUDGET);
        SolverDecision other = Z3.decide(problem, policy, BUDGET);
        if (contradict(one, other) || contradict(other, one)) {
            throw new AssertionError("cvc5 says " + one + ", Z3 says " + other);
        }
        return one instanceof SolverDecision.Undecided ? other : one;
    }

    static boolean contradict(SolverDecision one, SolverDecision other) {
        return one instanceof SolverDecision.Compliant && other instanceof SolverDecision.Refuted;
    }

    static boolean isProved(SolverDecision decision, Form form) {
        return decision instanceof SolverDecision.Compliant compliant && compliant.form() == form;
    }
}
