package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides strong compliance (spec §4.2) by a chase; the procedure that the seed proposes as future work (§3.9).
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

    /** The basic form drags in the whole policy and mostly serves to explain a refusal, which must be quick. */
    private static final Budget BASIC = new Budget(8, 400, 2, 6);

    private final CompiledPolicy policy;
    private final Budget budget;

    public ChaseEngine(CompiledPolicy policy, Budget budget) {
        this.policy = policy;
        this.budget = budget;
    }

    /** Decides, first with the views that show the goal's tables, then with all that constraints lead to. */
    public Verdict decide(Problem problem) {
        Verdict narrow = decide(problem, problem.goal().narrow, false);
        if (narrow.isCompliant()) {
            return narrow;
        }
        return decide(problem, problem.goal().wide, false);
    }

    /**
     * Decides the basic form (spec §4.1): the views agree in both directions. Accepts at least what {@link #decide}
     * accepts, at a higher price; a failure without truncation leaves a pair of databases on which the views agree.
     */
    public Verdict decideBasic(Problem problem) {
        return new ChaseEngine(policy, BASIC).decide(problem, Relevance.everything(policy), true);
    }

    /** Decides with the small set of views only: a quick sufficient test. */
    public boolean isQuicklyCompliant(Problem problem) {
        return decide(problem, problem.goal().narrow, false).isCompliant();
    }

    /** The same within these bounds where they are narrower: what that engine proves quickly, this one proves too. */
    public ChaseEngine within(Budget bounds) {
        return new ChaseEngine(policy, budget.within(bounds));
    }

    private Verdict decide(Problem problem, Relevance relevance, boolean bothWays) {
        Steps steps = new Steps(budget.steps());
        ChaseState base = new ChaseState(policy.tables().size(), budget.rows(), steps);
        Arguments nodes = new Arguments(base.universe);
        for (Map.Entry<String, Arg> parameter : problem.context().entrySet()) {
            base.give(parameter.getKey(), nodes.node(parameter.getValue()));
        }
        for (String name : problem.goal().contextNames()) {
            base.context.computeIfAbsent(name, missing -> base.universe.fresh());
        }
        int[] arguments = nodes.nodes(problem.arguments());
        for (Assumption assumption : problem.assumptions()) {
            new Ground(CompiledCondition.kindOf(assumption.operator()), nodes.node(assumption.left()), new int[] {
                        nodes.node(assumption.right())
                    })
                    .assume(base);
        }
        for (Fact fact : problem.facts()) {
            if (base.isGiven(fact.query().contextNames)) {
                seed(base, fact, nodes, relevance);
            }
        }
        Search search = new Search(relevance, bothWays, problem.goal().disjuncts, arguments);
        for (Shape disjunct : problem.goal().disjuncts) {
            ChaseState state = problem.goal().disjuncts.length == 1 ? base : base.copy();
            Verdict.OpenCase open = search.prove(state, disjunct);
            if (open != null) {
                boolean exhaustive = !open.state().truncated && !search.exceeded && !steps.areExhausted();
                steps.refill();
                return new Verdict.NotShown(exhaustive, open);
            }
        }
        return new Verdict.Compliant();
    }

    private void seed(ChaseState state, Fact fact, Arguments nodes, Relevance relevance) {
        int[] arguments = nodes.nodes(fact.arguments());
        int[] row = nodes.nodesOrUnknown(fact.row());
        if (touches(fact.query(), relevance.first)) {
            Instantiation.add(state, policy, ChaseState.FIRST, fact.query(), arguments, row, 0);
        }
        if (touches(fact.query(), relevance.second)) {
            Instantiation.add(state, policy, ChaseState.SECOND, fact.query(), arguments, row, 0);
        }
    }

    private static boolean touches(Shape query, BitSet tables) {
        for (int table : query.tables) {
            if (tables.get(table)) {
                return true;
            }
        }
        return false;
    }

    /** The search for a proof of one problem: rules to a fixpoint, then cases. */
    private final class Search {

        private final Relevance relevance;
        private final boolean bothWays;
        private final Shape[] goal;
        private final int[] arguments;
        private int cases;
        private boolean exceeded;

        Search(Relevance relevance, boolean bothWays, Shape[] goal, int[] arguments) {
            this.relevance = relevance;
            this.bothWays = bothWays;
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
            if (saturate(state, target)) {
                return null;
            }
            @Nullable List<ChaseState> parts = Splitter.split(state, policy, relevance, goal, arguments);
            if (parts == null || depth == 0) {
                exceeded |= parts != null;
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

        /** Applies all rules; returns true once the case is closed. */
        private boolean saturate(ChaseState state, int[] target) {
            Constraints constraints = new Constraints(state, policy);
            ViewRule views = new ViewRule(state, policy);
            for (int round = 0; round < budget.rounds(); round++) {
                long before = state.stamp();
                state.closeDomains();
                constrain(constraints, ChaseState.FIRST, relevance.first);
                if (state.universe.contradictory()) {
                    return true;
                }
                views.apply(relevance.views, ChaseState.FIRST, ChaseState.SECOND);
                constrain(constraints, ChaseState.SECOND, relevance.second);
                if (bothWays && !state.universe.contradictory()) {
                    views.apply(relevance.views, ChaseState.SECOND, ChaseState.FIRST);
                }
                state.universe.close();
                if (state.universe.contradictory() || isAnswered(state, target)) {
                    return true;
                }
                if (state.stamp() == before) {
                    return false;
                }
                if (state.isFull(0)) {
                    break;
                }
            }
            state.truncated = true;
            return false;
        }

        private void constrain(Constraints constraints, int instance, BitSet tables) {
            constraints.applyKeys(instance);
            constraints.applyForeignKeys(instance, tables);
            constraints.applyInclusions(instance, relevance.inclusions);
            constraints.applyKeys(instance);
        }

        private boolean isAnswered(ChaseState state, int[] target) {
            for (Shape disjunct : goal) {
                if (Answers.has(state, ChaseState.SECOND, disjunct, arguments, target)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Turns arguments into nodes, one for each symbol. */
    private static final class Arguments {
        private final Universe universe;
        private final List<int[]> symbols = new ArrayList<>();

        Arguments(Universe universe) {
            this.universe = universe;
        }

        int node(Arg arg) {
            if (arg instanceof Arg.Known known) {
                return universe.constant(known.value());
            }
            Arg.Symbol symbol = (Arg.Symbol) arg;
            int node = nodeOf(symbol.id());
            if (symbol.notNull()) {
                universe.assumeNotNull(node);
            }
            return node;
        }

        private int nodeOf(int symbol) {
            for (int[] pair : symbols) {
                if (pair[0] == symbol) {
                    return pair[1];
                }
            }
            int node = universe.fresh();
            symbols.add(new int[] {symbol, node});
            return node;
        }

        int[] nodes(List<Arg> args) {
            return args.stream().mapToInt(this::node).toArray();
        }

        int[] nodesOrUnknown(List<@Nullable Arg> args) {
            int[] nodes = new int[args.size()];
            for (int i = 0; i < nodes.length; i++) {
                Arg arg = args.get(i);
                nodes[i] = arg == null ? Instantiation.UNKNOWN : node(arg);
            }
            return nodes;
        }
    }
}
