package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.Counterexample;
import io.leeway.privoxy.internal.refute.CounterexampleCheck;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.refute.SmallDatabase;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks for two small databases that refute a problem: tries the size-bounded form with growing size, reads databases
 * from the model, holds them against the definition and leaves out rows that are not needed.
 *
 * <p>The chase's rules look for a pair first; this is for what they do not find, and only where somebody asked for
 * examples. The size-bounded formula is that of Chang, UCB/EECS-2021-244, section 3.4, "Finding Small Models for
 * Non-compliance".
 */
final class CounterexampleFinder {

    /**
     * The formula grows with the product of the rows of joined tables; the dissertation's bound is two rows more than
     * the trace needs, too.
     */
    private static final int MAX_SPARE = 2;

    private final PlainProblem problem;
    private final Policy policy;
    private final SolverPortfolio portfolio;
    private final Limits limits;

    CounterexampleFinder(PlainProblem problem, Policy policy, SolverPortfolio portfolio, Limits limits) {
        this.problem = problem;
        this.policy = policy;
        this.portfolio = portfolio;
        this.limits = limits;
    }

    /** A counterexample that was checked, or null if none was found. */
    @Nullable
    Counterexample find() {
        // A pair of databases refutes one choice of values, never a statement about all.
        if (!problem.isConcrete()) {
            return null;
        }
        try {
            // Small first, for people who have to understand the example.
            for (int spare = 0; spare <= MAX_SPARE; spare++) {
                for (int i = 0; i < problem.goal().disjuncts().size(); i++) {
                    Counterexample found = find(i, spare);
                    if (found != null) {
                        return found;
                    }
                }
            }
            // The refusal stands without an example.
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
        // The model is of a formula about parts of the policy; the check is of the definition and of the whole
        // policy.
        CounterexampleCheck check = CounterexampleCheck.with(problem, policy, decoded.meanings());
        Counterexample found = check == null ? null : check.pair(decoded.first(), decoded.second());
        return check == null || found == null ? null : smallest(found, check);
    }

    /** Solvers choose whether optional rows exist at will; people read each row as a hint. */
    private static Counterexample smallest(Counterexample found, CounterexampleCheck check) {
        Counterexample best = found;
        boolean shrunk = true;
        while (shrunk) {
            Counterexample smaller = smaller(best, check);
            shrunk = smaller != null;
            best = smaller == null ? best : smaller;
        }
        return best;
    }

    /**
     * The counterexample without some row, in both databases or in one.
     *
     * <p>Each attempt is checked against the definition, so shrinking cannot spoil the example.
     */
    private static @Nullable Counterexample smaller(Counterexample found, CounterexampleCheck check) {
        for (Pair attempt : attempts(found)) {
            Counterexample smaller = check.pair(attempt.first(), attempt.second());
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
        forEachRow(found.first(), (table, row) -> {
            SmallDatabase first = without(found.first(), table, row);
            inBoth.add(new Pair(first, without(found.second(), table, row)));
            inOne.add(new Pair(first, found.second()));
        });
        forEachRow(
                found.second(),
                (table, row) -> inOne.add(new Pair(found.first(), without(found.second(), table, row))));
        // In both databases first: a row that both lack takes nothing from the difference.
        inBoth.addAll(inOne);
        return inBoth;
    }

    private static void forEachRow(SmallDatabase database, BiConsumer<String, List<Value>> visitor) {
        database.tables().forEach((table, rows) -> rows.forEach(row -> visitor.accept(table, row)));
    }

    /** Only the row: what refers to it makes the check fail, and the row stays. */
    private static SmallDatabase without(SmallDatabase database, String table, List<Value> row) {
        Map<String, Set<List<Value>>> rest = new LinkedHashMap<>(database.tables());
        Set<List<Value>> kept = new LinkedHashSet<>(database.rows(table));
        kept.remove(row);
        rest.put(table, kept);
        return SmallDatabase.of(rest);
    }
}
