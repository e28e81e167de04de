package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a problem says of both databases before any rule is applied: values, assumptions, and the rows behind the facts. */
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

    static Opening of(Problem problem, CompiledPolicy policy, Budget budget, Relevance relevance) {
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
                seed(base, policy, fact, nodes, relevance);
            }
        }
        return new Opening(base, arguments, steps);
    }

    private static void seed(ChaseState state, CompiledPolicy policy, Fact fact, Arguments nodes, Relevance relevance) {
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
