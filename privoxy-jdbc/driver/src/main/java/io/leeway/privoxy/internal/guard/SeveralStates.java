package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.SplitObligation;
import io.leeway.privoxy.internal.model.SplitObligation.Reference;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.request.Standpoint;
import io.leeway.privoxy.internal.request.States;
import io.leeway.privoxy.internal.solver.SolverStage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides where a statement may read several states of the database: beside the decision for one state, what it asks must
 * be shown also if each reference to a table that may be of another state is one to another table.
 *
 * <p>Keys, foreign keys, assertions, and that a row is itself wherever it is named, are axioms of one state. So each state
 * has tables of its own here ({@link PolicyOfStates}), and what is shown is what views show of each. State 0 is the earliest
 * of them, of which also all facts are; every reference that may be of another one has a state to itself, which need not be
 * earlier or later than that of others.
 *
 * <p>Templates that are learnt here are about those tables, and of use nowhere else. Thread-safe.
 */
final class SeveralStates {

    /** References that may be of another state each; a statement with more is refused, unless columns show it. */
    private static final int MOST = 6;

    private final PrivoxyConfig config;
    private final CompiledPolicy policy;
    private final int maxFacts;
    private final Map<Integer, Of> deciders = new ConcurrentHashMap<>();
    private volatile @Nullable Map<View, List<BitSet>> earlier;

    /** What decides on so many states. */
    private record Of(CompiledPolicy policy, Decider decider) {}

    SeveralStates(PrivoxyConfig config, CompiledPolicy policy, int maxFacts) {
        this.config = config;
        this.policy = policy;
        this.maxFacts = maxFacts;
    }

    /** Whether a question's rows may be of several states. */
    static boolean concern(SplitObligation split, States states) {
        Map<Integer, Integer> numbers = numbers(split, states);
        return !numbers.isEmpty() && split.isOfSeveral();
    }

    /** Decides on a question that they concern. */
    Decision decide(
            SplitObligation split,
            States states,
            List<Value> arguments,
            Map<String, Value> context,
            Standpoint.View known) {
        Map<Integer, Integer> numbers = numbers(split, states);
        if (policy.goal(split.obligation().query()).isCoveredByColumns()) {
            return Decision.Allowed.BY_COLUMNS;
        }
        if (numbers.size() > MOST) {
            return new Refused.OfStates(split.obligation());
        }
        Of of = deciders.computeIfAbsent(numbers.size(), this::of);
        know(of, numbers.size());
        UnionQuery asked = query(split, numbers);
        Decision decision = of.decider.decide(split.obligation(), of.policy.goal(asked), arguments, context, known);
        return decision instanceof Refused ? new Refused.OfStates(split.obligation()) : decision;
    }

    /** The states of the references that may be of another one than the earliest. */
    private static Map<Integer, Integer> numbers(SplitObligation split, States states) {
        Map<Integer, Integer> numbers = new HashMap<>();
        List<ConjunctiveQuery> disjuncts = split.obligation().query().disjuncts();
        for (int d = 0; d < disjuncts.size(); d++) {
            List<Atom> atoms = disjuncts.get(d).atoms();
            for (int a = 0; a < atoms.size(); a++) {
                Reference reference = split.references().get(d).get(a);
                if (reference.held() || states.mayDiffer(atoms.get(a).table())) {
                    numbers.putIfAbsent(reference.number(), numbers.size() + 1);
                }
            }
        }
        return numbers;
    }

    private static UnionQuery query(SplitObligation split, Map<Integer, Integer> numbers) {
        List<ConjunctiveQuery> renamed = new ArrayList<>();
        List<ConjunctiveQuery> disjuncts = split.obligation().query().disjuncts();
        for (int d = 0; d < disjuncts.size(); d++) {
            ConjunctiveQuery disjunct = disjuncts.get(d);
            List<Atom> atoms = new ArrayList<>();
            for (int a = 0; a < disjunct.atoms().size(); a++) {
                Atom atom = disjunct.atoms().get(a);
                int state =
                        numbers.getOrDefault(split.references().get(d).get(a).number(), 0);
                atoms.add(new Atom(PolicyOfStates.name(atom.table(), state), atom.firstVariable(), atom.arity()));
            }
            renamed.add(new ConjunctiveQuery(atoms, disjunct.conditions(), disjunct.head()));
        }
        return new UnionQuery(renamed);
    }

    private Of of(int last) {
        CompiledPolicy compiled = CompiledPolicy.of(PolicyOfStates.of(policy.policy(), last, earlier()));
        ChaseEngine chase = new ChaseEngine(compiled, budget());
        Facts facts = new Facts(compiled, chase, maxFacts);
        TemplateStage templates = StoredTemplates.unshared(config, compiled, chase, facts);
        return new Of(compiled, new Decider(chase, templates, problem -> null, SolverStage.NONE, facts));
    }

    private Budget budget() {
        return Budget.ofEffort(config.get(PrivoxyOptions.EFFORT));
    }

    private Map<View, List<BitSet>> earlier() {
        Map<View, List<BitSet>> known = earlier;
        if (known == null) {
            known = new HashMap<>();
            EarlierRows rows = new EarlierRows(policy, new ChaseEngine(policy, budget()));
            for (View view : policy.policy().views()) {
                known.put(view, rows.of(view));
            }
            earlier = known;
        }
        return known;
    }

    /** Makes tables known that queries have named meanwhile. */
    private void know(Of of, int last) {
        for (Table table : policy.schema().tables().values()) {
            for (int state = 0; state <= last; state++) {
                of.policy.addTable(PolicyOfStates.table(table, state));
            }
        }
    }
}
