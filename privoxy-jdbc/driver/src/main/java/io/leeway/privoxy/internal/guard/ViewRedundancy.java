package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.policy.PolicyLint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells by the chase whether a view follows from others, for every user. */
public final class ViewRedundancy implements PolicyLint.Redundancy {

    private final Policy policy;

    public ViewRedundancy(Policy policy) {
        this.policy = policy;
    }

    @Override
    public boolean isCovered(View view, List<View> others) {
        CompiledPolicy rest =
                CompiledPolicy.of(new Policy(policy.schema(), policy.context(), others, policy.inclusions()));
        Goal goal = rest.goal(view.query());
        Map<String, Arg> anybody = new HashMap<>();
        for (String name : policy.context().keySet()) {
            anybody.put(name, new Arg.Symbol(anybody.size(), false));
        }
        Problem problem = new Problem(goal, List.of(), anybody, List.of(), List.of());
        return goal.isCoveredByColumns()
                || new ChaseEngine(rest, Budget.DEFAULT).decide(problem).isCompliant();
    }
}
