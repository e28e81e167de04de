package io.leeway.privoxy.internal.refute;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Assumption;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A problem in the model's own terms, without what the chase prepares: is {@code goal} compliant, given what the
 * request has seen? Solvers are asked it, and counterexamples are held against it.
 *
 * <p>Unlike {@code Problem} it may say that a result was complete. The chase makes no use of absence; solvers can,
 * since equality of a result with its rows is one more formula (Chang, UCB/EECS-2021-244, Definition 3.3.7).
 *
 * @param goal the query, as a set
 * @param arguments of the goal
 * @param context the request's parameters; a view that names a missing one reveals nothing
 * @param facts returned rows
 * @param answers complete answers
 * @param assumptions comparisons between arguments that may be taken for granted
 */
public record PlainProblem(
        UnionQuery goal,
        List<Arg> arguments,
        Map<String, Arg> context,
        List<Fact> facts,
        List<Answer> answers,
        List<Assumption> assumptions) {

    public PlainProblem {
        arguments = List.copyOf(arguments);
        context = Map.copyOf(context);
        facts = List.copyOf(facts);
        answers = List.copyOf(answers);
        assumptions = List.copyOf(assumptions);
    }

    /** The question that the chase was asked. */
    public static PlainProblem of(Problem problem) {
        List<Fact> facts = problem.facts().stream()
                .map(fact -> new Fact(fact.query().query(), fact.arguments(), fact.row()))
                .toList();
        return new PlainProblem(
                problem.goal().query(),
                problem.arguments(),
                problem.context(),
                facts,
                List.of(),
                problem.assumptions());
    }

    /** A question with returned rows only. */
    public static PlainProblem of(UnionQuery goal, List<Arg> arguments, Map<String, Arg> context, List<Fact> facts) {
        return new PlainProblem(goal, arguments, context, facts, List.of(), List.of());
    }

    /**
     * The same question with some of the facts, and with whole answers left out: asks for a stronger proof.
     *
     * <p>A template's premises are containments, so what is proved for it must not lean on complete results.
     */
    public PlainProblem withFacts(List<Fact> some) {
        return new PlainProblem(goal, arguments, context, some, List.of(), assumptions);
    }

    /** The same about one part of the goal each. */
    public List<PlainProblem> parts() {
        return goal.disjuncts().stream()
                .map(part -> new PlainProblem(UnionQuery.of(part), arguments, context, facts, answers, assumptions))
                .toList();
    }

    /**
     * Whether every argument is a value.
     *
     * <p>Only such a problem can be refuted by evaluation; one over symbols speaks of all values at once.
     */
    public boolean isConcrete() {
        return assumptions.isEmpty()
                && areKnown(arguments)
                && areKnown(context.values())
                && facts.stream().allMatch(fact -> areKnown(fact.arguments()) && areKnown(fact.row()))
                && answers.stream()
                        .allMatch(answer -> areKnown(answer.arguments())
                                && answer.rows().stream().allMatch(PlainProblem::areKnown));
    }

    private static boolean areKnown(Iterable<? extends @Nullable Arg> args) {
        for (Arg arg : args) {
            if (arg instanceof Arg.Symbol) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@code row} is an answer of {@code query} in both databases.
     *
     * @param row one cell for each head term; null where the value is not known
     */
    public record Fact(ConjunctiveQuery query, List<Arg> arguments, List<@Nullable Arg> row) {
        public Fact {
            arguments = List.copyOf(arguments);
            row = Collections.unmodifiableList(new ArrayList<>(row));
        }
    }

    /**
     * {@code query} has no answers but {@code rows} in either database. That they are answers is said by facts.
     *
     * @param rows as in {@link Fact#row()}; an unknown cell fits every value
     */
    public record Answer(UnionQuery query, List<Arg> arguments, List<List<@Nullable Arg>> rows) {
        public Answer {
            arguments = List.copyOf(arguments);
            List<List<@Nullable Arg>> copies = new ArrayList<>();
            for (List<@Nullable Arg> row : rows) {
                copies.add(Collections.unmodifiableList(new ArrayList<>(row)));
            }
            rows = Collections.unmodifiableList(copies);
        }
    }
}
