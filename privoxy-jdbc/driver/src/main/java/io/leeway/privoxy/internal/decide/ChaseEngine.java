package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides strong compliance by a chase: what a view shows of one database must lead to the same answer on the other.
 *
 * <p>Model. Let D1 and D2 be any two databases that fulfil the constraints, such that every view's answer on D1 is
 * contained in its answer on D2, and let t be any answer of the goal on D1. Then D1 has the rows of the goal's body for t;
 * constraints add what follows. Each view answer known on D1 is an answer on D2, so D2 has the rows behind it; constraints
 * again add what follows. If the goal's body for t is then found in D2, t is an answer on D2 too. As t, D1 and D2 were
 * arbitrary, the goal's answer on D1 is contained in that on D2: strongly compliant, hence compliant (apply it both ways).
 *
 * <p>Facts. Chang's definitions have them in D1 and D2, which presumes that nobody writes while a request goes on. Here the
 * rows behind each are of a moment of its own ({@link Origin}), and stand in neither: they are rights beside which the
 * views are asked ({@link ViewAnswer}), and rows that were open once ({@link Grant}).
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
 *
 * <p>Background. Strong compliance is Definition 3.4.4 of Chang's dissertation (UCB/EECS-2021-244), compliance is
 * Definition 3.3.7; the first implies the second. For conjunctive queries and views without facts strong compliance is
 * the existence of a rewriting over the views (Remark 3.4.5 there), which a chase decides. Section 3.9 names the chase
 * as future work; the solvers of section 3.4 are asked here only after it. Chases with keys and inclusions: Abiteboul,
 * Hull, Vianu, Foundations of Databases, chapters 8 and 10.
 */
public final class ChaseEngine {

    /**
     * Of how many results and facts each it is tried whether they do alone where all together are too many.
     *
     * <p>The newest results come first, which are the likeliest to be what the statement was asked for.
     */
    private static final int MAX_RETRIES = 8;

    /**
     * Of how many pairs of facts.
     *
     * <p>Pairs, as a membership and the row that it opens are two facts; triples would be too many to try.
     */
    private static final int MAX_PAIRS = 48;

    private static final Shape[] NO_GOAL = {};
    private static final int[] NO_NODES = {};

    private final CompiledPolicy policy;
    private final Budget budget;

    public ChaseEngine(CompiledPolicy policy, Budget budget) {
        this.policy = policy;
        this.budget = budget;
    }

    /**
     * Decides, first with the views that show the goal's tables, then with all that constraints lead to. To know more
     * must not cost a proof, nor may more room for the search: where a bound cut it off it is tried with less knowledge
     * and within narrower bounds.
     *
     * <p>Without this a request that has read more could be refused what it was allowed before, as rows use up the
     * bounds: surprising for an application, and a template that another request made would accept what the engine
     * refuses.
     */
    public Verdict decide(Problem problem) {
        Verdict verdict = decideOnce(problem);
        return verdict instanceof Verdict.CutOff && isCompliantWithLess(problem) ? new Verdict.Compliant() : verdict;
    }

    private boolean isCompliantWithLess(Problem problem) {
        ChaseEngine narrower = withMargin();
        // A search that ends early in one branch may leave cases for another: cases are tried depth
        // first, so half of the depth sometimes finds what all of it does not.
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

    /**
     * Whether these facts can hold together, as far as the rules can tell.
     *
     * <p>What is read one after the other need not, and is not taken to ({@link Origin}). A single one that cannot breaks
     * an assertion, which is its author's word; a chase proves everything from such a row, so this is asked before any
     * proof.
     */
    public boolean canHold(List<Fact> facts, Map<String, Arg> context) {
        return new Grounds(policy, budget).hold(facts, context, List.of());
    }

    /**
     * Stands for what {@link #canHold(List, Map)} goes by beside facts and context: another object as soon as one more
     * table is known.
     *
     * <p>A table that becomes known may bring foreign keys that lead to what an assertion says, so what is remembered as
     * possible is remembered together with this object.
     */
    public Object knowledge() {
        return policy.asserted();
    }

    /** Whether each part of what is asked can have an answer, by what the schema and assertions say. */
    public boolean canBeAnswered(Problem problem) {
        Goal goal = problem.goal();
        var search = new Search(goal.wide, goal.disjuncts, NO_NODES);
        return Arrays.stream(goal.disjuncts).noneMatch(part -> search.isImpossible(problem, part));
    }

    /** Whether an assertion may have something against an answer of a query. */
    public boolean isAsserted(Shape query) {
        return policy.asserted().speaksOf(query);
    }

    /** Whether what a problem takes for granted can hold, each of its facts by itself. */
    public boolean canHold(Problem problem) {
        var grounds = new Grounds(policy, budget);
        return grounds.hold(List.of(), problem.context(), problem.assumptions())
                && problem.facts().stream()
                        .filter(fact -> isAsserted(fact.query()))
                        .allMatch(fact -> grounds.hold(List.of(fact), problem.context(), problem.assumptions()));
    }

    /**
     * Whether a problem is proved with what the schema says, and no assertion.
     *
     * <p>Asked of the proofs of templates: only keys and the like are checked by the database; an assertion is the
     * policy author's word, so rows that break it can exist. A template whose proof does without needs no test of its
     * premises against the assertions.
     */
    public boolean isCompliantWithoutAssertions(Problem problem) {
        return decide(problem, problem.goal().narrow.withoutAssertions()).isCompliant()
                || decide(problem, problem.goal().wide.withoutAssertions()).isCompliant();
    }

    /**
     * Decides with all facts and within these bounds only, without another attempt: {@link #decide} accepts no less.
     */
    public boolean isCompliantAtOnce(Problem problem) {
        return decideOnce(problem).isCompliant();
    }

    /**
     * The narrow attempt is enough for nearly all statements and chases a fraction of the rows; what it does not prove
     * says nothing yet.
     */
    private Verdict decideOnce(Problem problem) {
        Verdict narrow = decide(problem, problem.goal().narrow);
        return narrow.isCompliant() ? narrow : decide(problem, problem.goal().wide);
    }

    /**
     * Looks for a pair of databases that refutes compliance itself, not only its strong form: equal views and facts,
     * unequal answers.
     *
     * <p>Strong compliance can fail where compliance holds, so a case that stays open is no counterexample. The search
     * carries views in both directions, which makes the pair agree on all views; a check by evaluation still has the
     * last word.
     *
     * @param check makes what counts of a pair of databases that may be one, or null if it is none after all
     */
    public <T> Refutation<T> refute(Problem problem, Function<Witness, @Nullable T> check) {
        return new PairSearch<>(policy, problem, check).run();
    }

    /**
     * Whether every answer of one query on the first database is an answer of another on the second. Where the policy
     * shows all tables whole there is one database, and this is containment under the schema.
     *
     * @param context the parameters that the queries name
     */
    public boolean isContained(UnionQuery left, UnionQuery right, Map<String, Arg> context) {
        Goal goal = policy.goal(right);
        return isContained(policy.goal(left), goal, context, goal.narrow)
                || isContained(policy.goal(left), goal, context, goal.wide);
    }

    private boolean isContained(Goal left, Goal right, Map<String, Arg> context, Relevance relevance) {
        // Each disjunct of the left side by itself: a union is contained where all its parts are
        // (Sagiv and Yannakakis, 1980). The case distinctions of the search supply what a part may
        // need of several disjuncts on the right.
        for (Shape disjunct : left.disjuncts) {
            Opening opening = Opening.of(false, List.of(), context, List.of(), policy, budget, relevance);
            Search search = new Search(relevance, right.disjuncts, opening.arguments);
            if (search.prove(opening.state, disjunct) != null) {
                return false;
            }
        }
        return true;
    }

    /**
     * Decides with the small set of views only: a quick sufficient test.
     *
     * <p>The generaliser asks this many times for one template, each time with a little less known, so a proof that
     * only the wide form finds is not worth the time there.
     */
    public boolean isQuicklyCompliant(Problem problem) {
        return decide(problem, problem.goal().narrow).isCompliant();
    }

    /**
     * The same within half of the bounds, for proofs about symbols: where values are known there are more cases to tell
     * apart, and what holds for all values must still be proved of these.
     *
     * <p>Otherwise a template could accept what a fresh decision about the same request gives up on.
     */
    public ChaseEngine withMargin() {
        return new ChaseEngine(policy, budget.half());
    }

    /** The same within these bounds where they are narrower: what that engine proves quickly, this one proves too. */
    public ChaseEngine within(Budget bounds) {
        return new ChaseEngine(policy, budget.within(bounds));
    }

    private Verdict decide(Problem problem, Relevance relevance) {
        Proof proof = prove(problem, relevance);
        if (!proof.verdict.isCompliant()) {
            return proof.verdict;
        }
        // From what contradicts the schema or an assertion everything follows. Of each fact by itself that was
        // asked before, within bounds that are others than those of this proof.
        if (!problem.facts().isEmpty() && proof.search.areImpossible(problem)) {
            return decide(problem.withoutFacts(), relevance);
        }
        return proof.search.contradicted ? withoutContradiction(problem, relevance, proof) : proof.verdict;
    }

    private record Proof(Verdict verdict, Search search) {

        boolean isOfWhatCanBe(Problem problem) {
            return !search.contradicted
                    || Arrays.stream(problem.goal().disjuncts)
                            .noneMatch(disjunct -> search.isImpossible(problem, disjunct));
        }
    }

    private Proof prove(Problem problem, Relevance relevance) {
        Opening opening = Opening.of(problem, policy, budget, relevance);
        ChaseState base = opening.state;
        Shape[] disjuncts = problem.goal().disjuncts;
        Search search = new Search(relevance, disjuncts, opening.arguments);
        for (Shape disjunct : disjuncts) {
            // Facts and context are put down once; each disjunct begins from a copy, as its rows
            // are of this disjunct's case only.
            ChaseState state = disjuncts.length == 1 ? base : base.copy();
            Verdict.OpenCase open = search.prove(state, disjunct);
            if (open != null) {
                boolean cutOff = open.state().truncated || search.exceeded || opening.steps.areExhausted();
                // What is open is looked at again, to explain the refusal and to find a
                // counterexample; that must not find the steps used up.
                opening.steps.refill();
                return new Proof(cutOff ? new Verdict.CutOff(open) : new Verdict.Exhausted(open), search);
            }
        }
        return new Proof(new Verdict.Compliant(), search);
    }

    /** A proof that closed cases as contradictions: nothing follows from what is asked being one ({@link Contradictions}). */
    private Verdict withoutContradiction(Problem problem, Relevance relevance, Proof proof) {
        for (Shape disjunct : problem.goal().disjuncts) {
            if (!proof.search.isImpossible(problem, disjunct)) {
                continue;
            }
            if (!problem.facts().isEmpty() && !proof.search.isImpossible(problem.withoutFacts(), disjunct)) {
                return decide(problem.withoutFacts(), relevance);
            }
            if (!Contradictions.failsByItself(problem, disjunct, policy, budget)) {
                Verdict verdict = withLessAsked(problem, relevance, disjunct);
                // To know more must not cost a proof.
                if (!verdict.isCompliant()
                        && (problem.facts().isEmpty()
                                || !withLessAsked(problem.withoutFacts(), relevance, disjunct)
                                        .isCompliant())) {
                    return verdict;
                }
            }
        }
        return proof.verdict;
    }

    /**
     * Without assertions, which are not what the contradiction is believed by; the whole part, and then less and less of it.
     *
     * <p>Either the rows of what is less are an answer of the goal as it is, by another of its parts, say; or they may be
     * shown with the columns by which the rest is decided.
     */
    private Verdict withLessAsked(Problem problem, Relevance relevance, Shape disjunct) {
        Relevance checked = relevance.withoutAssertions();
        @Nullable Verdict refused = null;
        Search search = new Search(checked, NO_GOAL, NO_NODES);
        Set<ConjunctiveQuery> allLess =
                Contradictions.lessAsked(disjunct.query(), less -> !search.isImpossible(problem, policy.compile(less)));
        for (ConjunctiveQuery less : allLess) {
            var asked = new Problem(
                    policy.compileGoal(less),
                    problem.arguments(),
                    problem.context(),
                    problem.facts(),
                    problem.assumptions());
            Proof proof = prove(asked, checked);
            if (proof.verdict.isCompliant() && proof.isOfWhatCanBe(asked)
                    || answersAnyhow(problem, checked, less, disjunct.query().head())) {
                return new Verdict.Compliant();
            }
            refused = proof.verdict.isCompliant() ? refused : proof.verdict;
        }
        return refused != null ? refused : cutOff(problem, checked, disjunct);
    }

    private Verdict cutOff(Problem problem, Relevance relevance, Shape disjunct) {
        Opening opening = Opening.of(problem, policy, budget, relevance);
        int[][] rows = Instantiation.add(
                opening.state, policy, ChaseState.FIRST, disjunct, opening.arguments, null, disjunct.ofNow);
        int[] target = opening.state.nodes(disjunct.head, opening.arguments, rows);
        return new Verdict.CutOff(new Verdict.OpenCase(opening.state, disjunct, opening.arguments, target));
    }

    private boolean answersAnyhow(Problem problem, Relevance relevance, ConjunctiveQuery less, List<Term> head) {
        Shape part = policy.compile(new ConjunctiveQuery(less.atoms(), less.conditions(), head));
        Opening opening = Opening.of(problem, policy, budget, relevance);
        Search search = new Search(relevance, problem.goal().disjuncts, opening.arguments);
        return search.prove(opening.state, part) == null
                && (!search.contradicted || !search.isImpossible(problem, part));
    }

    /**
     * The search for a proof of one problem: rules to a fixpoint, then cases.
     *
     * <p>Not thread-safe; it counts its cases over all disjuncts, so that a union of many does not get many times the
     * bound.
     */
    private final class Search {

        private final Relevance relevance;
        private final Saturation rules;
        private final Shape[] goal;
        private final int[] arguments;
        private int cases;
        private boolean exceeded;
        /** Some case was closed as one that cannot occur. */
        private boolean contradicted;

        Search(Relevance relevance, Shape[] goal, int[] arguments) {
            this.relevance = relevance;
            this.rules = new Saturation(policy, relevance, false, budget.rounds(), goal, arguments);
            this.goal = goal;
            this.arguments = arguments;
        }

        /** Whether there is no database with the rows behind facts, as far as a proof of this search could tell. */
        boolean areImpossible(Problem problem) {
            Opening opening = Opening.of(problem, policy, budget, relevance);
            // Only assertions have something against a row in each of several cases.
            boolean isAsserted = problem.facts().stream().anyMatch(fact -> isAsserted(fact.query()));
            // Of rows of before the views say what was open, which contradicts nothing.
            return isImpossible(opening, relevance.withoutViews(), isAsserted ? budget.splits() : 0);
        }

        /** Whether there is none with these and an answer of a part of the goal. */
        boolean isImpossible(Problem problem, Shape disjunct) {
            Opening opening = Opening.of(problem, policy, budget, relevance);
            Instantiation.add(
                    opening.state, policy, ChaseState.FIRST, disjunct, opening.arguments, null, disjunct.ofNow);
            return isImpossible(opening, relevance, budget.splits());
        }

        private boolean isImpossible(Opening opening, Relevance asked, int depth) {
            var alone = new Saturation(policy, asked, false, budget.rounds(), NO_GOAL, opening.arguments);
            cases = 0;
            return isImpossible(alone, opening.state, asked, depth);
        }

        private boolean isImpossible(Saturation alone, ChaseState state, Relevance asked, int depth) {
            if (alone.closes(state, NO_NODES)) {
                return true;
            }
            @Nullable
            List<ChaseState> parts = depth == 0 ? null : Splitter.split(state, policy, asked, NO_GOAL, NO_NODES);
            if (parts == null) {
                return false;
            }
            // Where the bound is met it is not known, and a proof must not rest on that.
            if (++cases > budget.cases()) {
                return true;
            }
            for (ChaseState part : parts) {
                if (!isImpossible(alone, part, asked, depth - 1)) {
                    return false;
                }
            }
            return true;
        }

        /** Returns null if proved, else the case that stays open. */
        Verdict.@Nullable OpenCase prove(ChaseState state, Shape disjunct) {
            int[][] rows =
                    Instantiation.add(state, policy, ChaseState.FIRST, disjunct, arguments, null, disjunct.ofNow);
            int[] target = state.nodes(disjunct.head, arguments, rows);
            Verdict.OpenCase open = close(state, disjunct, target, budget.splits());
            return open == null ? null : open.within(state);
        }

        private Verdict.@Nullable OpenCase close(ChaseState state, Shape disjunct, int[] target, int depth) {
            if (++cases > budget.cases()) {
                exceeded = true;
                return new Verdict.OpenCase(state, disjunct, arguments, target);
            }
            // First all rules, then a case distinction: a split doubles the work, and what it would
            // tell apart is often settled by a rule.
            if (rules.closes(state, target)) {
                contradicted |= state.universe.contradictory();
                return null;
            }
            @Nullable List<ChaseState> apart = Splitter.apart(state, policy);
            if (apart != null) {
                return closeAll(apart, disjunct, target, depth);
            }
            if (depth == 0) {
                // The depth is no bound that was met if there was nothing to tell apart any more:
                // then the search is exhausted, and the refusal may say that the policy does not
                // show the answer.
                exceeded |= Splitter.canSplit(state, policy, relevance, goal, arguments);
                return new Verdict.OpenCase(state, disjunct, arguments, target);
            }
            @Nullable List<ChaseState> parts = Splitter.split(state, policy, relevance, goal, arguments);
            if (parts == null) {
                return new Verdict.OpenCase(state, disjunct, arguments, target);
            }
            return closeAll(parts, disjunct, target, depth - 1);
        }

        /** The first part that stays open ends it, as all of them must close. */
        private Verdict.@Nullable OpenCase closeAll(List<ChaseState> parts, Shape disjunct, int[] target, int depth) {
            contradicted |= parts.isEmpty();
            for (ChaseState part : parts) {
                Verdict.OpenCase open = close(part, disjunct, target, depth);
                if (open != null) {
                    return open;
                }
            }
            return null;
        }
    }
}
