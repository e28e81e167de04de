package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.cache.StoredTemplate;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.decide.Verdict;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.request.TraceEntry;
import io.leeway.privoxy.internal.smt.Counterexample;
import io.leeway.privoxy.internal.smt.SmtDecision;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks the stages in order, cheapest first: columns, templates, chase, and where the chase gets
 * stuck without a counterexample, solvers (spec §7). A statement is compliant if
 * every one of its obligations is, for every choice of alternatives. Thread-safe.
 */
final class Decider {

    /** Rows of a trace that one decision looks at. */
    private static final int MAX_FACTS = 400;

    private final CompiledPolicy policy;
    private final ChaseEngine chase;
    private final TemplateStage templates;
    private final Counterexamples counterexamples;
    private final SolverStage solver;
    private final Facts facts;

    Decider(
            CompiledPolicy policy,
            ChaseEngine chase,
            TemplateStage templates,
            Counterexamples counterexamples,
            SolverStage solver) {
        this.policy = policy;
        this.chase = chase;
        this.templates = templates;
        this.counterexamples = counterexamples;
        this.solver = solver;
        this.facts = new Facts(policy, MAX_FACTS);
    }

    /** Decides on one obligation for one choice of arguments. */
    Decision decide(Obligation obligation, Goal goal, List<Value> arguments, Map<String, Value> context, Trace trace) {
        if (goal.isCoveredByColumns()) {
            return Decision.Allowed.BY_COLUMNS;
        }
        if (templates.covers(goal, arguments, context, trace)) {
            return Decision.Allowed.BY_TEMPLATE;
        }
        return anew(obligation, goal, arguments, context, trace.entries());
    }

    /** Whether the chase or a solver proves a problem. */
    boolean proves(Problem problem) {
        return chase.decide(problem).isCompliant() || solver.proves(problem);
    }

    /** The templates that were learnt or loaded. */
    List<StoredTemplate> templates() {
        return templates.templates();
    }

    /** Decides without looking for a template. */
    Decision anew(
            Obligation obligation,
            Goal goal,
            List<Value> arguments,
            Map<String, Value> context,
            List<TraceEntry> entries) {
        if (goal.isCoveredByColumns()) {
            return Decision.Allowed.BY_COLUMNS;
        }
        Problem near = problem(goal, arguments, context, facts.nearest(entries, asked(arguments, context)));
        if (templates.isExclusive()) {
            return new Decision.Refused(Stage.TEMPLATE, true, obligation, goal, near, null, null);
        }
        Verdict verdict = chase.decide(near);
        Problem asked = near;
        if (!verdict.isCompliant() && Facts.leftOut(entries)) {
            asked = problem(goal, arguments, context, facts.all(entries));
            verdict = chase.decide(asked);
        }
        if (verdict instanceof Verdict.NotShown open) {
            return withoutProof(obligation, goal, asked, open);
        }
        templates.learn(asked);
        return Decision.Allowed.BY_CHASE;
    }

    private Decision withoutProof(Obligation obligation, Goal goal, Problem problem, Verdict.NotShown open) {
        Counterexample example = counterexamples.find(problem);
        if (example != null) {
            return new Decision.Refused(Stage.CHASE, true, obligation, goal, problem, open, example);
        }
        SmtDecision decision = solver.decide(problem);
        if (decision instanceof SmtDecision.Compliant proof) {
            templates.learn(() -> solver.generalise(problem, proof.form()));
            return Decision.Allowed.BY_SOLVER;
        }
        if (decision instanceof SmtDecision.Refuted refuted) {
            return new Decision.Refused(Stage.SOLVER, true, obligation, goal, problem, open, refuted.counterexample());
        }
        return new Decision.Refused(Stage.CHASE, !open.cutOff(), obligation, goal, problem, open, null);
    }

    private static Set<Value> asked(List<Value> arguments, Map<String, Value> context) {
        Set<Value> asked = new HashSet<>(arguments);
        asked.addAll(context.values());
        return asked;
    }

    private Problem problem(Goal goal, List<Value> arguments, Map<String, Value> context, List<Fact> known) {
        Map<String, Arg> parameters = new HashMap<>();
        policy.policy().context().keySet().forEach(name -> {
            Value value = context.get(name);
            if (value != null) {
                parameters.put(name, Arg.of(value));
            }
        });
        return new Problem(goal, arguments.stream().map(Arg::of).toList(), parameters, known, List.of());
    }
}
