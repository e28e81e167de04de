package io.leeway.privoxy.internal.smt;

import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for two small databases that refute a problem: tries the size-bounded form with growing size, reads databases
 * from the model, holds them against the definition and leaves out rows that are not needed.
 */
final class CounterexampleFinder {

    private static final int MAX_SPARE = 2;

    private final SmtProblem problem;
    private final Policy policy;
    private final SolverPortfolio portfolio;
    private final Limits limits;

    CounterexampleFinder(SmtProblem problem, Policy policy, SolverPortfolio portfolio, Limits limits) {
        this.problem = problem;
        this.policy = policy;
        this.portfolio = portfolio;
        this.limits = limits;
    }

    /** A counterexample that was checked, or null if none was found. */
    @Nullable
    Counterexample find() {
        if (!problem.isConcrete()) {
            return null;
        }
        try {
            for (int spare = 0; spare <= MAX_SPARE; spare++) {
                for (int i = 0; i < problem.goal().disjuncts().size(); i++) {
                    Counterexample found = find(i, spare);
                    if (found != null) {
                        return found;
                    }
                }
            }
        } catch (Joins.TooLarge bound) {
            return null;
        }
        return null;
    }

    private @Nullable Counterexample find(int disjunct, int spare) {
        DatabaseEncoder.Encoded encoded = DatabaseEncoder.encode(problem, policy, disjunct, spare);
        Outcome outcome = portfolio.race(encoded.script(), limits).outcome();
        if (!(outcome instanceof Outcome.Satisfiable model)) {
            return null;
        }
        DatabaseDecoder.Decoded decoded = DatabaseDecoder.decode(encoded, model.values());
        if (decoded == null) {
            return null;
        }
        CounterexampleChecker checker = new CounterexampleChecker(problem, policy, decoded.functions());
        Counterexample found = checker.check(decoded.first(), decoded.second());
        return found == null ? null : smallest(found, checker);
    }

    private static Counterexample smallest(Counterexample found, CounterexampleChecker checker) {
        Counterexample best = found;
        boolean shrunk = true;
        while (shrunk) {
            Counterexample smaller = smaller(best, checker);
            shrunk = smaller != null;
            best = smaller == null ? best : smaller;
        }
        return best;
    }

    /** The counterexample without some row, in both databases or in one. */
    private static @Nullable Counterexample smaller(Counterexample found, CounterexampleChecker checker) {
        for (Pair attempt : attempts(found)) {
            Counterexample smaller = checker.check(attempt.first(), attempt.second());
            if (smaller != null) {
                return smaller;
            }
        }
        return null;
    }

    private record Pair(SmallDatabase first, SmallDatabase second) {}

    private static List<Pair> attempts(Counterexample found) {
        List<Pair> inBoth = new ArrayList<>();
        List<Pair> inOne = new ArrayList<>();
        found.first().forEachRow((table, row) -> {
            SmallDatabase first = found.first().without(table, row);
            inBoth.add(new Pair(first, found.second().without(table, row)));
            inOne.add(new Pair(first, found.second()));
        });
        found.second()
                .forEachRow((table, row) ->
                        inOne.add(new Pair(found.first(), found.second().without(table, row))));
        inBoth.addAll(inOne);
        return inBoth;
    }
}
