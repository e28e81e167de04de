package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.smt.SmtDecision;

/** What is asked when the chase finds neither a proof nor a counterexample. Thread-safe. */
interface SolverStage {

    SmtDecision decide(Problem problem);

    /** No solver. */
    SolverStage NONE = problem -> new SmtDecision.Undecided("no solver is available");
}
