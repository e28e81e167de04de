package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.policy.PolicyLint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Tells by the chase what follows from the rest of a policy, or from the schema, for every user.
 *
 * <p>The same engine that decides, so that lint says of a view just what deciding would say.
 */
public final class ChaseRedundancy implements PolicyLint.Redundancy {

    private final Policy policy;

    public ChaseRedundancy(Policy policy) {
        this.policy = policy;
    }

    @Override
    public boolean isCovered(View view, List<View> others) {
        CompiledPolicy rest =
                CompiledPolicy.of(new Policy(policy.schema(), policy.context(), others, policy.inclusions()));
        Goal goal = rest.goal(view.query());
        Problem problem = new Problem(goal, List.of(), anybody(), List.of(), List.of());
        // The column rule first, as in deciding.
        return goal.isCoveredByColumns()
                || new ChaseEngine(rest, Budget.DEFAULT).decide(problem).isCompliant();
    }

    @Override
    public boolean isOfTheSchema(Inclusion assertion) {
        // With all tables shown whole the two databases of a proof are one, and compliance becomes containment
        // under the schema.
        List<View> tables = policy.schema().tables().values().stream()
                .map(ChaseRedundancy::whole)
                .toList();
        CompiledPolicy open = CompiledPolicy.of(new Policy(policy.schema(), policy.context(), tables, List.of()));
        return new ChaseEngine(open, Budget.DEFAULT).isContained(assertion.left(), assertion.right(), anybody());
    }

    private static View whole(Table table) {
        List<Term> cells = IntStream.range(0, table.arity())
                .<Term>mapToObj(Term.Variable::new)
                .toList();
        var rows = new ConjunctiveQuery(List.of(new Atom(table.name(), 0, table.arity())), List.of(), cells);
        return new View(table.name(), "", UnionQuery.of(rows), List.of(), "");
    }

    private Map<String, Arg> anybody() {
        Map<String, Arg> anybody = new HashMap<>();
        for (String name : policy.context().keySet()) {
            // May be NULL, too: what follows has to follow for every user.
            anybody.put(name, new Arg.Symbol(anybody.size(), false));
        }
        return anybody;
    }
}
