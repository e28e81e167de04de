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
 * Asks the stages in order, cheapest first: columns, templates, chase, and where the chase gets stuck without a
 * counterexample, solvers. A statement is compliant if every one of its obligations is, for every choice of
 * alternatives.
 *
 * <p>What was refused is remembered for a while, by all that was asked: to find no proof costs more than to find one,
 * and a page that is refused is loaded again. Nothing is ever allowed from that memory; templates are looked at before
 * it. Thread-safe.
 *
 * <p>Every stage that allows is sound by itself, so their order is one of cost: the column rule is a look-up, a
 * template some comparisons, the chase some ten microseconds, a solver milliseconds. Chang's pipeline
 * (UCB/EECS-2021-244, section 3.4 and 3.5) has the same order with solvers in the chase's place.
 */
final class Decider {

    private final ChaseEngine chase;
    private final TemplateStage templates;
    private final Search counterexamples;
    private final SolverStage solver;
    private final Facts facts;
    private final RefusalMemory refusals = new RefusalMemory(System::nanoTime);

    /**
     * Looks for two databases that refute compliance.
     *
     * <p>An interface, so that tests can decide without examples.
     */
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

    /** Decides on one obligation for one choice of arguments. What assertions do not allow is forgotten. */
    Decision decide(
            Obligation obligation,
            Goal goal,
            List<Value> arguments,
            Map<String, Value> context,
            Standpoint.View known) {
        // Needs no facts, so nothing about them has to be tested.
        if (goal.isCoveredByColumns()) {
            return Decision.Allowed.BY_COLUMNS;
        }
        // It tests itself whether assertions allow the rows for its premises.
        if (templates.covers(goal, arguments, context, known)) {
            return Decision.Allowed.BY_TEMPLATE;
        }
        List<TraceEntry> entries = known.entries();
        // Before the chase, which would prove everything from a row that contradicts an assertion.
        List<TraceEntry> believed = believed(goal, arguments, context, entries);
        if (believed.size() < entries.size()) {
            // Or the next statement would find the same again.
            known.trace()
                    .forget(entries.stream()
                            .filter(entry -> !believed.contains(entry))
                            .toList());
        }
        return decide(obligation, goal, arguments, context, believed);
    }

    /** Whether the chase or a solver proves a problem. */
    boolean proves(Problem problem) {
        return chase.canHold(problem) && (chase.decide(problem).isCompliant() || solver.proves(problem.withoutFacts()));
    }

    /** The templates that were learnt or loaded. */
    List<StoredTemplate> templates() {
        return templates.templates();
    }

    /**
     * Decides without looking for a template.
     *
     * <p>For the command line: whether a policy as it is would decide the same without what was learnt from others.
     */
    Decision anew(
            Obligation obligation,
            Goal goal,
            List<Value> arguments,
            Map<String, Value> context,
            List<TraceEntry> entries) {
        if (goal.isCoveredByColumns()) {
            return Decision.Allowed.BY_COLUMNS;
        }
        List<TraceEntry> believed = believed(goal, arguments, context, entries);
        return decide(obligation, goal, arguments, context, believed);
    }

    /**
     * The results that assertions allow. What breaks one was never as the policy's author says, and everything would
     * follow from it.
     */
    private List<TraceEntry> believed(
            Goal goal, List<Value> arguments, Map<String, Value> context, List<TraceEntry> entries) {
        Set<Value> asked = asked(arguments, context);
        if (chase.canHold(problem(goal, arguments, context, facts.nearest(entries, asked)))) {
            return entries;
        }
        return entries.stream()
                .filter(entry -> chase.canHold(problem(goal, arguments, context, facts.nearest(List.of(entry), asked))))
                .toList();
    }

    private Decision decide(
            Obligation obligation,
            Goal goal,
            List<Value> arguments,
            Map<String, Value> context,
            List<TraceEntry> entries) {
        Problem near = problem(goal, arguments, context, facts.nearest(entries, asked(arguments, context)));
        // Where people review each template, nothing else may let anything pass, however well it is proved.
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
        // An interrupted search has not failed by itself.
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
            // More facts may contradict each other where few do not.
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
        // Of what is refuted a solver cannot find a proof, and finding that out would take its whole effort.
        Counterexample example = counterexamples.find(problem);
        if (example != null) {
            return new Refused.Refuted(obligation, problem, open, example, Stage.CHASE);
        }
        Problem asked = problem.withoutFacts();
        SolverDecision decision = solver.decide(asked);
        if (decision instanceof SolverDecision.Compliant proof) {
            // A supplier: to find a core takes ten times what the proof took, and not every mode keeps templates.
            templates.learn(() -> solver.generalise(asked, proof.form()));
            return Decision.Allowed.BY_SOLVER;
        }
        if (decision instanceof SolverDecision.Refuted refuted) {
            return new Refused.Refuted(obligation, problem, open, refuted.counterexample(), Stage.SOLVER);
        }
        return Refused.of(obligation, problem, open);
    }

    /** Rows that share a value with the question are what a proof is likely to need of a long result. */
    private static Set<Value> asked(List<Value> arguments, Map<String, Value> context) {
        Set<Value> asked = new HashSet<>(arguments);
        asked.addAll(context.values());
        return asked;
    }

    private Problem problem(Goal goal, List<Value> arguments, Map<String, Value> context, List<Fact> known) {
        return new Problem(goal, arguments.stream().map(Arg::of).toList(), facts.arguments(context), known, List.of());
    }
}
