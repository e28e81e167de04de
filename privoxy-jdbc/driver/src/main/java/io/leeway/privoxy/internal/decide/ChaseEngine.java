package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides strong compliance by a chase: what a view shows of one database must lead to the same answer on the other.
 *
 * <p>Model. Let D1 and D2 be any two databases that fulfil the constraints and return the facts, such that every view's
 * answer on D1 is contained in its answer on D2, and let t be any answer of the goal on D1. Then D1 has the rows of the
 * goal's body for t and the rows behind the facts; constraints add what follows. Each view answer known on D1 is an
 * answer on D2, so D2 has the rows behind it, and those behind the facts; constraints again add what follows. If the
 * goal's body for t is then found in D2, t is an answer on D2 too. As t, D1 and D2 were arbitrary, the goal's answer on
 * D1 is contained in that on D2: strongly compliant, hence compliant (apply it both ways).
 *
 * <p>Values are nodes of one {@link Universe}, shared by both databases. A contradiction means that the case cannot
 * occur. Unions and undetermined conditions split the proof into cases, all of which must close. Bounds
 * ({@link Budget}, {@link Constraints#MAX_GENERATION}) only lose proofs.
 *
 * <p>Invariant: every rule adds only what holds for all D1, D2, t of the case. The engine is therefore sound whatever
 * the order and number of rule applications. For conjunctive queries with equality it is complete when the chase
 * terminates.
 *
 * <p>Thread-safe: all state is in the call.
 */
public final class ChaseEngine {

    /** Of how many results and facts each it is tried whether they do alone where all together are too many. */
    private static final int MAX_RETRIES = 8;

    /** Of how many pairs of facts. */
    private static final int MAX_PAIRS = 48;

    private final CompiledPolicy policy;
    private final Budget budget;

    public ChaseEngine(CompiledPolicy policy, Budget budget) {
        this.policy = policy;
        this.budget = budget;
    }

    /**
     * Decides, first with the views that show the goal's tables, then with all that constraints lead to. To know more must
     * not cost a proof, nor may more room for the search: where a bound cut it off it is tried with less knowledge and
     * within narrower bounds.
     */
    public Verdict decide(Problem problem) {
        Verdict verdict = decideOnce(problem);
        if (verdict instanceof Verdict.CutOff && isCompliantWithLess(problem)) {
            return new Verdict.Compliant();
        }
        return verdict;
    }

    private boolean isCompliantWithLess(Problem problem) {
        ChaseEngine narrower = withMargin();
        if (narrower.isCompliantAtOnce(problem)) {
            return true;
        }
        for (Problem smaller : problem.withLess(MAX_RETRIES, MAX_PAIRS)) {
            if (isCompliantAtOnce(smaller) || narrower.isCompliantAtOnce(smaller)) {
                return true;
            }
        }
        return false;
    }

    /** Whether these facts can hold together, as far as the rules can tell; nothing is to be proved from others. */
    public boolean canHold(List<Fact> facts, Map<String, Arg> context) {
        return new Grounds(policy, budget).hold(facts, context, List.of());
    }

    /**
     * Stands for what {@link #canHold(List, Map)} goes by beside facts and context: another object as soon as one more table
     * is known.
     */
    public Object knowledge() {
        return policy.asserted();
    }

    /** Whether what a problem takes for granted can hold. */
    public boolean canHold(Problem problem) {
        return new Grounds(policy, budget).hold(problem.facts(), problem.context(), problem.assumptions());
    }

    /** Whether rows of two tables can contradict each other by the schema alone. */
    public boolean relatesTables() {
        return policy.asserted().wide();
    }

    /** Whether a problem is proved with what the schema says, and no assertion. */
    public boolean isCompliantWithoutAssertions(Problem problem) {
        return decide(problem, problem.goal().narrow.withoutAssertions()).isCompliant()
                || decide(problem, problem.goal().wide.withoutAssertions()).isCompliant();
    }

    /** Decides with all facts and within these bounds only, without another attempt: {@link #decide} accepts no less. */
    public boolean isCompliantAtOnce(Problem problem) {
        return decideOnce(problem).isCompliant();
    }

    private Verdict decideOnce(Problem problem) {
        Verdict narrow = decide(problem, problem.goal().narrow);
        return narrow.isCompliant() ? narrow : decide(problem, problem.goal().wide);
    }

    /**
     * Looks for a pair of databases that refutes compliance itself, not only its strong form: equal views and facts, unequal answers.
     *
     * @param check makes what counts of a pair of databases that may be one, or null if it is none after all
     */
    public <T> Refutation<T> refute(Problem problem, Function<Witness, @Nullable T> check) {
        return new PairSearch<>(policy, problem, check).run();
    }

    /**
     * Whether every answer of one query on the first database is an answer of another on the second. Where the policy shows
     * all tables whole there is one database, and this is containment under the schema.
     *
     * @param context the parameters that the queries name
     */
    public boolean isContained(UnionQuery left, UnionQuery right, Map<String, Arg> context) {
        Goal goal = policy.goal(right);
        return isContained(policy.goal(left), goal, context, goal.narrow)
                || isContained(policy.goal(left), goal, context, goal.wide);
    }

    private boolean isContained(Goal left, Goal right, Map<String, Arg> context, Relevance relevance) {
        for (Shape disjunct : left.disjuncts) {
            Opening opening = Opening.of(List.of(), context, List.of(), policy, budget, relevance);
            Search search = new Search(relevance, right.disjuncts, opening.arguments);
            if (search.prove(opening.state, disjunct) != null) {
                return false;
            }
        }
        return true;
    }

    /** Decides with the small set of views only: a quick sufficient test. */
    public boolean isQuicklyCompliant(Problem problem) {
        return decide(problem, problem.goal().narrow).isCompliant();
    }

    /**
     * The same within half of the bounds, for proofs about symbols: where values are known there are more cases to tell
     * apart, and what holds for all values must still be proved of these.
     */
    public ChaseEngine withMargin() {
        return new ChaseEngine(policy, budget.half());
    }

    /** The same within these bounds where they are narrower: what that engine proves quickly, this one proves too. */
    public ChaseEngine within(Budget bounds) {
        return new ChaseEngine(policy, budget.within(bounds));
    }

    private Verdict decide(Problem problem, Relevance relevance) {
        Opening opening = Opening.of(problem, policy, budget, relevance);
        ChaseState base = opening.state;
        Search search = new Search(relevance, problem.goal().disjuncts, opening.arguments);
        for (Shape disjunct : problem.goal().disjuncts) {
            ChaseState state = problem.goal().disjuncts.length == 1 ? base : base.copy();
            Verdict.OpenCase open = search.prove(state, disjunct);
            if (open != null) {
                boolean cutOff = open.state().truncated || search.exceeded || opening.steps.areExhausted();
                opening.steps.refill();
                return cutOff ? new Verdict.CutOff(open) : new Verdict.Exhausted(open);
            }
        }
        return new Verdict.Compliant();
    }

    /** The search for a proof of one problem: rules to a fixpoint, then cases. */
    private final class Search {

        private final Relevance relevance;
        private final Saturation rules;
        private final Shape[] goal;
        private final int[] arguments;
        private int cases;
        private boolean exceeded;

        Search(Relevance relevance, Shape[] goal, int[] arguments) {
            this.relevance = relevance;
            this.rules = new Saturation(policy, relevance, false, budget.rounds(), goal, arguments);
            this.goal = goal;
            this.arguments = arguments;
        }

        /** Returns null if proved, else the case that stays open. */
        Verdict.@Nullable OpenCase prove(ChaseState state, Shape disjunct) {
            int[][] rows = Instantiation.add(state, policy, ChaseState.FIRST, disjunct, arguments, null, 0);
            int[] target = state.nodes(disjunct.head, arguments, rows);
            Verdict.OpenCase open = close(state, disjunct, target, budget.splits());
            return open == null ? null : open.within(state);
        }

        private Verdict.@Nullable OpenCase close(ChaseState state, Shape disjunct, int[] target, int depth) {
            if (++cases > budget.cases()) {
                exceeded = true;
                return new Verdict.OpenCase(state, disjunct, arguments, target);
            }
            if (rules.closes(state, target)) {
                return null;
            }
            if (depth == 0) {
                exceeded |= Splitter.canSplit(state, policy, relevance, goal, arguments);
                return new Verdict.OpenCase(state, disjunct, arguments, target);
            }
            @Nullable List<ChaseState> parts = Splitter.split(state, policy, relevance, goal, arguments);
            if (parts == null) {
                return new Verdict.OpenCase(state, disjunct, arguments, target);
            }
            for (ChaseState part : parts) {
                Verdict.OpenCase open = close(part, disjunct, target, depth - 1);
                if (open != null) {
                    return open;
                }
            }
            return null;
        }
    }
}
