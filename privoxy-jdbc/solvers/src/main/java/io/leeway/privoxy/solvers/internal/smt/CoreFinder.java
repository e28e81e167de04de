package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.solvers.internal.smt.SolverPortfolio.Reply;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.SmtScript;
import io.leeway.privoxy.spi.SmtSolver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds a smallest set of premises and conditions under which a proof works: no member can be left out. Fixed values
 * are given up first, for they make a template fit one user or entity only; then rows, then equalities. The last set
 * tried with success is itself the validation of the result.
 *
 * <p>Solvers give some core, often with more than is needed. Leaving out one member at a time and proving again gives
 * one of which nothing can be left out. That is not the smallest of all, which would take exponentially many proofs.
 */
final class CoreFinder {

    private final SolverPortfolio portfolio;
    private final Limits limits;
    private final Map<String, Label> labels;
    private final SmtScript script;
    // The one that proved it: another may not find a proof of what this one finds.
    private final SmtSolver solver;

    private CoreFinder(SolverPortfolio portfolio, Limits limits, Encoder.Generalised problem, SmtSolver solver) {
        this.portfolio = portfolio;
        this.limits = limits;
        this.labels = problem.labels();
        this.script = problem.script();
        this.solver = solver;
    }

    /** A core of the problem, or empty if it was not proved within the limits (each proof has these limits anew). */
    static Optional<SmtCore> find(
            PlainProblem problem, Policy policy, Form form, SolverPortfolio portfolio, Limits limits) {
        Encoder.Generalised generalised = Encoder.generalised(problem, policy, form);
        // Asked anew, as the proof before was of the script with values, which has no labels.
        Reply reply = portfolio.race(generalised.script(), limits);
        SmtSolver solver = reply.solver();
        if (solver == null || !(reply.outcome() instanceof Outcome.Unsatisfiable unsatisfiable)) {
            return Optional.empty();
        }
        CoreFinder finder = new CoreFinder(portfolio, limits, generalised, solver);
        return Optional.of(finder.core(finder.minimal(unsatisfiable.core())));
    }

    private List<String> minimal(List<String> first) {
        List<String> core = withFewestFixed(first);
        // Rows before equalities: without its row an equality means nothing.
        core = without(core, label -> label instanceof Label.Row);
        core = without(core, label -> label instanceof Label.Same);
        return without(core, label -> label instanceof Label.NotNull);
    }

    /** Fixed values may be in the solver's core only because weaker labels were not; so these are all offered again. */
    private List<String> withFewestFixed(List<String> first) {
        List<String> core = first;
        Set<String> fixed = new LinkedHashSet<>(first);
        fixed.removeIf(label -> !(labels.get(label) instanceof Label.Fixed));
        for (String candidate : List.copyOf(fixed)) {
            if (fixed.contains(candidate)) {
                List<String> attempt = new ArrayList<>(script.assumptions());
                // All weaker labels are offered, those that the first core had no need of, too.
                attempt.removeIf(label -> labels.get(label) instanceof Label.Fixed
                        && (label.equals(candidate) || !fixed.contains(label)));
                Optional<List<String>> proof = prove(attempt);
                if (proof.isPresent()) {
                    core = proof.get();
                    fixed.retainAll(core);
                }
            }
        }
        return core;
    }

    /** One after the other; a label that another proof did not need goes with it. */
    private List<String> without(List<String> labelled, Predicate<Label> kind) {
        List<String> core = labelled;
        for (String candidate : labelled) {
            Label label = labels.get(candidate);
            if (label != null && kind.test(label) && core.contains(candidate)) {
                List<String> attempt = new ArrayList<>(core);
                attempt.remove(candidate);
                core = prove(attempt).orElse(core);
            }
        }
        return core;
    }

    private Optional<List<String>> prove(List<String> assumptions) {
        Outcome outcome =
                portfolio.ask(solver, script.assuming(assumptions), limits).outcome();
        // Its core, which may be smaller than what was offered.
        return outcome instanceof Outcome.Unsatisfiable unsatisfiable
                ? Optional.of(unsatisfiable.core())
                : Optional.empty();
    }

    private SmtCore core(List<String> core) {
        Set<Integer> facts = new TreeSet<>();
        Map<Value, Set<Operand>> operands = new LinkedHashMap<>();
        Set<Value> fixed = new LinkedHashSet<>();
        Set<Value> notNull = new LinkedHashSet<>();
        for (String name : core) {
            Label label = labels.get(name);
            if (label instanceof Label.Row row) {
                facts.add(row.fact());
            } else if (label instanceof Label.Same same) {
                operands.computeIfAbsent(same.value(), value -> new LinkedHashSet<>())
                        .add(same.operand());
            } else if (label instanceof Label.Fixed is) {
                fixed.add(is.value());
            } else if (label instanceof Label.NotNull is) {
                notNull.add(is.value());
            }
        }
        List<SmtCore.Group> groups = new ArrayList<>();
        operands.forEach((value, places) -> groups.add(new SmtCore.Group(
                places, value, fixed.contains(value), notNull.contains(value) || isFixedNonNull(fixed, value))));
        // One place of any value that is not fixed says nothing.
        groups.removeIf(group -> group.operands().size() == 1 && !group.isFixed() && !group.isNotNull());
        return new SmtCore(facts, groups);
    }

    /** A fixed value says by itself whether it is NULL. */
    private static boolean isFixedNonNull(Set<Value> fixed, Value value) {
        return fixed.contains(value) && !value.isNull();
    }
}
