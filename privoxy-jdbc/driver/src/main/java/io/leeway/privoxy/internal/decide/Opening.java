package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a problem says before any rule is applied: values, assumptions, and the rows behind the facts.
 *
 * <p>Where moments are told apart these are of their own moments, beside the first database's rows of now. Of one moment they
 * are in both databases, as both must have given the request's rows (Chang, UCB/EECS-2021-244, Definition 3.3.7); the hidden
 * columns of such a row are unknown in each by itself.
 */
final class Opening {

    final ChaseState state;
    /** Nodes of the goal's arguments. */
    final int[] arguments;

    final Steps steps;

    private Opening(ChaseState state, int[] arguments, Steps steps) {
        this.state = state;
        this.arguments = arguments;
        this.steps = steps;
    }

    /**
     * What a problem says, with rows of facts as rows of now.
     *
     * <p>For what is asked about one moment: whether facts can hold together, and of counterexamples.
     */
    static Opening ofOneMoment(Problem problem, CompiledPolicy policy, Budget budget, Relevance relevance) {
        return of(problem, policy, budget, relevance, false);
    }

    /** What a problem says, with the rows behind each fact as rows of a moment of its own. */
    static Opening of(Problem problem, CompiledPolicy policy, Budget budget, Relevance relevance) {
        return of(problem, policy, budget, relevance, true);
    }

    private static Opening of(
            Problem problem, CompiledPolicy policy, Budget budget, Relevance relevance, boolean apart) {
        ChaseState base = new ChaseState(policy.tables().size(), budget.rows(), new Steps(budget.steps()));
        Arguments nodes = new Arguments(base.universe);
        give(base, problem.context(), nodes);
        for (String name : problem.goal().contextNames()) {
            // A parameter that the goal names and the request lacks: compliant for any value, or
            // not compliant. Views that name it show nothing all the same, as it is not given.
            base.context.computeIfAbsent(name, missing -> base.universe.fresh());
        }
        int[] arguments = nodes.nodes(problem.arguments());
        add(base, policy, problem.assumptions(), problem.facts(), nodes, relevance, apart);
        return new Opening(base, arguments, base.steps());
    }

    /** The same without a question. */
    static Opening of(
            boolean apart,
            List<Fact> facts,
            Map<String, Arg> context,
            List<Assumption> assumptions,
            CompiledPolicy policy,
            Budget budget,
            Relevance relevance) {
        ChaseState base = new ChaseState(policy.tables().size(), budget.rows(), new Steps(budget.steps()));
        Arguments nodes = new Arguments(base.universe);
        give(base, context, nodes);
        add(base, policy, assumptions, facts, nodes, relevance, apart);
        return new Opening(base, new int[0], base.steps());
    }

    private static void give(ChaseState base, Map<String, Arg> context, Arguments nodes) {
        for (Map.Entry<String, Arg> parameter : context.entrySet()) {
            base.give(parameter.getKey(), nodes.node(parameter.getValue()));
        }
    }

    private static void add(
            ChaseState base,
            CompiledPolicy policy,
            List<Assumption> assumptions,
            List<Fact> facts,
            Arguments nodes,
            Relevance relevance,
            boolean apart) {
        if (apart) {
            base.tellMoments();
        }
        for (Assumption assumption : assumptions) {
            new Ground(CompiledCondition.kindOf(assumption.operator()), nodes.node(assumption.left()), new int[] {
                        nodes.node(assumption.right())
                    })
                    .assume(base);
        }
        for (int f = 0; f < facts.size(); f++) {
            // A fact whose query names a parameter of another context says nothing in this one.
            if (base.isGiven(facts.get(f).query().contextNames)) {
                seed(base, policy, facts.get(f), nodes, relevance, apart ? base.anotherMoment() : Origin.NOW);
            }
        }
    }

    private static void seed(
            ChaseState state, CompiledPolicy policy, Fact fact, Arguments nodes, Relevance relevance, int moment) {
        Shape query = fact.query();
        int[] arguments = nodes.nodes(fact.arguments());
        int[] row = nodes.nodesOrUnknown(fact.row());
        // A row that no view of the proof reads need not be there, which leaves most of a long
        // trace out.
        if (touches(query, relevance.first)) {
            Instantiation.add(state, policy, ChaseState.FIRST, query, arguments, row, query.all(moment));
        }
        if (moment != Origin.NOW) {
            state.read.addAll(Grant.of(state, policy, query, arguments, row));
        } else if (touches(query, relevance.second)) {
            Instantiation.add(state, policy, ChaseState.SECOND, query, arguments, row, query.ofNow);
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
            // A template has a handful of symbols, for which a list is quicker than a map.
            for (int[] pair : symbols) {
                if (pair[0] == symbol) {
                    return pair[1];
                }
            }
            int node = universe.fresh();
            universe.markSymbol(node);
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
