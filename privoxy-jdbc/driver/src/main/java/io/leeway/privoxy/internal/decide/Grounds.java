package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.ForeignKey;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether facts can hold together, of which one moment is asked: a proof stands on single ones that assertions allow. From
 * what contradicts the schema or an assertion everything follows, so nothing is proved from it.
 *
 * <p>Model. One database that fulfils the constraints and has the rows behind the facts. The rules that a proof uses
 * for its first database are applied without a goal; if they close every case, there is no such database. The cases are
 * those of unions, of values with few options, and of conditions on which an assertion hangs. That none is closed is no
 * proof that there is a database, and a proof has other cases and bounds: it asks the same of its own search before it
 * is believed ({@code ChaseEngine.decide}).
 *
 * <p>Cost: nothing where facts have no table in common and no assertion speaks of their tables, which is usual.
 * Thread-safe: all state is in the call.
 */
final class Grounds {

    private static final Shape[] NO_GOAL = {};
    private static final int[] NO_ARGUMENTS = {};
    /**
     * Fewer than a proof has: what a proof would close with five distinctions from the facts alone is not known here.
     * The test may be made for each statement, so it has to be cheap.
     */
    private static final int SPLITS = 4;

    private final CompiledPolicy policy;
    private final Budget budget;
    private final Asserted asserted;
    private int cases;

    /**
     * The tables of which constraints say more than keys do. Immutable.
     *
     * <p>This decides when the test can be skipped. Facts about different tables contradict each other only by way of
     * what is collected here, so without it ordinary requests pay nothing.
     *
     * @param speakers tables whose rows an assertion reads, or from which foreign keys lead there
     * @param demanded tables of which it matters what rows foreign keys demand
     */
    record Asserted(BitSet speakers, BitSet demanded) {

        /** Whether they say more of a query's tables. */
        boolean speaksOf(Shape query) {
            return Arrays.stream(query.tables).anyMatch(speakers::get);
        }

        static Asserted of(CompiledPolicy policy) {
            BitSet speakers = new BitSet();
            BitSet demanded = new BitSet();
            for (CompiledInclusion inclusion : policy.inclusions()) {
                // The right side demands rows and denies none by itself; but what it demands may
                // meet another assertion, so its tables count as demanded.
                speakers.or(Relevance.tables(inclusion.left()));
                demanded.or(Relevance.tables(inclusion.right()));
            }
            // A reference to (tenant, id) where id alone is a key: two rows that refer to the same
            // id with different tenants cannot both be right, although they are in one table or in
            // two.
            List<CompiledTable> tables = policy.tables();
            for (CompiledTable table : tables) {
                for (ForeignKey key : table.foreignKeys) {
                    int target = policy.tableNumber(key.target());
                    if (target >= 0 && isMoreThanAKey(key, tables.get(target))) {
                        speakers.set(target);
                    }
                }
            }
            Relevance.addSources(speakers, policy);
            demanded.or(speakers);
            Relevance.addSources(demanded, policy);
            return new Asserted(speakers, demanded);
        }

        private static boolean isMoreThanAKey(ForeignKey reference, CompiledTable target) {
            for (int[] key : target.keyColumns) {
                if (key.length < reference.targetColumns().size()
                        && Arrays.stream(key).allMatch(reference.targetColumns()::contains)) {
                    return true;
                }
            }
            return false;
        }
    }

    Grounds(CompiledPolicy policy, Budget budget) {
        this.policy = policy;
        this.budget = budget;
        this.asserted = policy.asserted();
    }

    /** Whether no contradiction is found. */
    boolean hold(List<Fact> facts, Map<String, Arg> context, List<Assumption> assumptions) {
        if (!canContradict(facts) && assumptions.isEmpty()) {
            return true;
        }
        cases = 0;
        // One database is enough: the rows behind the facts are in both, and the views add to the
        // second only what the first has.
        return !close(
                Opening.of(false, facts, context, assumptions, policy, budget, Relevance.rowsOfAll(policy)).state,
                SPLITS);
    }

    /**
     * Whether a table can have a row at all.
     *
     * <p>One row of which nothing is known but the schema: if even that contradicts an assertion, the assertion says
     * that the table is empty.
     */
    boolean canHaveRows(int table) {
        ChaseState state = new ChaseState(policy.tables().size(), budget.rows(), new Steps(budget.steps()));
        int[] row = policy.tables().get(table).unknown(state.universe);
        state.instance(ChaseState.FIRST).add(table, row);
        return !close(state, SPLITS);
    }

    /** Two facts about one table can, and any about a table of which an assertion speaks. */
    boolean canContradict(List<Fact> facts) {
        BitSet seen = new BitSet();
        for (Fact fact : facts) {
            if (asserted.speaksOf(fact.query())) {
                return true;
            }
            // A query that joins a table with itself is one fact and agrees with itself, so a table
            // counts as seen only after the fact was looked at.
            for (int table : fact.query().tables) {
                if (seen.get(table)) {
                    return true;
                }
            }
            for (int table : fact.query().tables) {
                seen.set(table);
            }
        }
        return false;
    }

    private boolean close(ChaseState state, int depth) {
        // Not closed: the facts are believed where the bound is met. To refuse them would throw
        // away what a request has read because it has read much.
        if (++cases > budget.cases()) {
            return false;
        }
        if (saturate(state)) {
            return true;
        }
        if (depth == 0) {
            return false;
        }
        // Pending unions first: what they add may decide the condition.
        Ground open = state.pending.isEmpty() ? openCondition(state) : null;
        if (open != null) {
            return closeAll(state, open, depth);
        }
        List<ChaseState> parts = Splitter.split(state, policy, Relevance.NOTHING, NO_GOAL, NO_ARGUMENTS);
        if (parts == null) {
            return false;
        }
        for (ChaseState part : parts) {
            if (!close(part, depth - 1)) {
                return false;
            }
        }
        return true;
    }

    /**
     * One case after the other, as the first that is not closed is all that is asked. Those in which the condition does
     * not hold come first: no assertion adds rows there, so that they seldom close and cost little.
     */
    private boolean closeAll(ChaseState state, Ground condition, int depth) {
        List<List<Ground>> cases = condition.cases(state);
        for (int i = cases.size() - 1; i >= 0; i--) {
            ChaseState part = state.copy();
            cases.get(i).forEach(ground -> ground.assume(part));
            part.universe.close();
            if (!part.universe.contradictory() && !close(part, depth - 1)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The views are left out. They say what a second database has, and a contradiction there comes from the goal's
     * side, not from the facts.
     */
    boolean saturate(ChaseState state) {
        Constraints constraints = new Constraints(state, policy);
        for (int round = 0; round < budget.rounds(); round++) {
            state.pending.removeIf(disjunction -> Saturation.isSettled(state, disjunction));
            long before = state.stamp();
            state.closeDomains();
            constraints.apply(ChaseState.FIRST, asserted.demanded(), policy.inclusions());
            state.universe.close();
            if (state.universe.contradictory()) {
                return true;
            }
            if (state.stamp() == before) {
                return false;
            }
            // Only behind the first round: a proof from fewer rows has room for what that one finds.
            if (state.isFull(0)) {
                break;
            }
        }
        return false;
    }

    /**
     * Only the left sides of assertions: no other condition decides whether a constraint applies. A parameter that is
     * missing means that the assertion is not used in proofs either.
     */
    private @Nullable Ground openCondition(ChaseState state) {
        for (CompiledInclusion inclusion : policy.inclusions()) {
            for (Shape left : inclusion.left()) {
                Ground open = state.isGiven(inclusion.contextNames())
                        ? NearMatches.firstWithOneOpenCondition(
                                state, ChaseState.FIRST, left, NO_ARGUMENTS, Moments.ONE)
                        : null;
                if (open != null) {
                    return open;
                }
            }
        }
        return null;
    }
}
