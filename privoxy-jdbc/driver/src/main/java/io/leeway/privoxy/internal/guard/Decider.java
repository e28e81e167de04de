package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.cache.StoredTemplate;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.decide.Verdict;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.Counterexample;
import io.leeway.privoxy.internal.request.Standpoint;
import io.leeway.privoxy.internal.request.TraceEntry;
import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.internal.solver.SolverStage;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the stages in order, cheapest first: columns, templates, chase, and where the chase gets
 * stuck without a counterexample, solvers. A statement is compliant if
 * every one of its obligations is, for every choice of alternatives.
 *
 * <p>What was refused is remembered for a while, by all that was asked: to find no proof costs more than to find one, and a
 * page that is refused is loaded again. Nothing is ever allowed from that memory; templates are looked at before it.
 * Thread-safe.
 */
final class Decider {

    private final ChaseEngine chase;
    private final TemplateStage templates;
    private final Search counterexamples;
    private final SolverStage solver;
    private final Facts facts;
    private final RefusalMemory refusals = new RefusalMemory(System::nanoTime);

    /** Looks for two databases that refute compliance. */
    @FunctionalInterface
    interface Search {
        @Nullable
        Counterexample find(Problem problem);
    }

    Decider(ChaseEngine chase, TemplateStage templates, Search counterexamples, SolverStage solver, Facts facts) {
        this.chase = chase;
        this.templates = templates;
        this.counterexamples = counterexamples;
        this.solver = solver;
        this.facts = facts;
    }

    /** Decides on one obligation for one choice of arguments. What turns out not to be true together is forgotten. */
    Decision decide(
            Obligation obligation,
            Goal goal,
            List<Value> arguments,
            Map<String, Value> context,
            Standpoint.View known) {
        if (goal.isCoveredByColumns()) {
            return Decision.Allowed.BY_COLUMNS;
        }
        if (templates.covers(goal, arguments, context, known)) {
            return Decision.Allowed.BY_TEMPLATE;
        }
        List<TraceEntry> entries = known.entries();
        List<TraceEntry> believed = believed(goal, arguments, context, entries);
        if (believed.size() < entries.size()) {
            known.trace().forget(entries.subList(0, entries.size() - believed.size()));
        }
        return decide(obligation, goal, arguments, context, believed);
    }

    /** Whether the chase or a solver proves a problem. */
    boolean proves(Problem problem) {
        return chase.canHold(problem) && (chase.decide(problem).isCompliant() || solver.proves(problem));
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
        return decide(obligation, goal, arguments, context, believed(goal, arguments, context, entries));
    }

    /** The newest of the results, so many that they can be true together. */
    private List<TraceEntry> believed(
            Goal goal, List<Value> arguments, Map<String, Value> context, List<TraceEntry> entries) {
        List<TraceEntry> believed = entries;
        while (!chase.canHold(problem(goal, arguments, context, facts.nearest(believed, asked(arguments, context))))) {
            believed = Facts.less(believed);
        }
        return believed;
    }

    private Decision decide(
            Obligation obligation,
            Goal goal,
            List<Value> arguments,
            Map<String, Value> context,
            List<TraceEntry> entries) {
        Problem near = problem(goal, arguments, context, facts.nearest(entries, asked(arguments, context)));
        if (templates.isExclusive()) {
            return new Refused.NotReviewed(obligation, near);
        }
        List<Fact> rest = Facts.leftOut(entries) ? facts.all(entries) : List.of();
        var question = new RefusalMemory.Question(obligation, near, rest);
        Refused known = refusals.find(question);
        if (known != null) {
            return known;
        }
        Decision decision = decide(obligation, near, rest);
        if (decision instanceof Refused refused && !Thread.currentThread().isInterrupted()) {
            refusals.put(question, refused);
        }
        return decision;
    }

    /**
     * Decides.
     *
     * @param near with the facts that are nearest
     * @param rest all facts, if these are more
     */
    private Decision decide(Obligation obligation, Problem near, List<Fact> rest) {
        Verdict verdict = chase.decide(near);
        Problem asked = near;
        if (!verdict.isCompliant() && !rest.isEmpty()) {
            Problem all = new Problem(near.goal(), near.arguments(), near.context(), rest, near.assumptions());
            if (chase.canHold(all)) {
                asked = all;
                verdict = chase.decide(all);
            }
        }
        if (verdict instanceof Verdict.NotShown open) {
            return withoutProof(obligation, asked, open);
        }
        templates.learn(asked);
        return Decision.Allowed.BY_CHASE;
    }

    private Decision withoutProof(Obligation obligation, Problem problem, Verdict.NotShown open) {
        Counterexample example = counterexamples.find(problem);
        if (example != null) {
            return new Refused.Refuted(obligation, problem, open, example, Stage.CHASE);
        }
        SolverDecision decision = solver.decide(problem);
        if (decision instanceof SolverDecision.Compliant proof) {
            templates.learn(() -> solver.generalise(problem, proof.form()));
            return Decision.Allowed.BY_SOLVER;
        }
        if (decision instanceof SolverDecision.Refuted refuted) {
            return new Refused.Refuted(obligation, problem, open, refuted.counterexample(), Stage.SOLVER);
        }
        return Refused.of(obligation, problem, open);
    }

    private static Set<Value> asked(List<Value> arguments, Map<String, Value> context) {
        Set<Value> asked = new HashSet<>(arguments);
        asked.addAll(context.values());
        return asked;
    }

    private Problem problem(Goal goal, List<Value> arguments, Map<String, Value> context, List<Fact> known) {
        return new Problem(goal, arguments.stream().map(Arg::of).toList(), facts.arguments(context), known, List.of());
    }
}
