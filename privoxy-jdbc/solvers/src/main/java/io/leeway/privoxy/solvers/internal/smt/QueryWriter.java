package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes statements about whole queries.
 *
 * <p>A query is never a symbol of the script, it is written out wherever it is used (as in Chang, UCB/EECS-2021-244,
 * section 3.4): then solvers need no definition to unfold.
 */
final class QueryWriter {

    private final BodyBuilder bodies;

    QueryWriter(BodyBuilder bodies) {
        this.bodies = bodies;
    }

    /**
     * Every answer of {@code left} in one instance is an answer of {@code right} in the other; one formula a disjunct.
     *
     * <p>One formula for each disjunct on the left, as a union is contained if its parts are.
     */
    List<String> contained(UnionQuery left, int leftInstance, UnionQuery right, int rightInstance, Bindings bindings) {
        List<String> formulas = new ArrayList<>();
        for (ConjunctiveQuery disjunct : left.disjuncts()) {
            Body premise = bodies.build(leftInstance, disjunct, bindings);
            String conclusion = has(right, rightInstance, bindings, premise.head());
            formulas.add(Logic.forall(premise.variables(), Logic.implies(premise.conjunction(), conclusion)));
        }
        return formulas;
    }

    /**
     * The row is an answer of the query.
     *
     * <p>The head is entered while writing, so most of its equalities become shared terms.
     */
    String has(UnionQuery query, int instance, Bindings bindings, List<@Nullable String> row) {
        List<String> ways = new ArrayList<>();
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            ways.add(bodies.build(instance, disjunct, bindings, row).exists());
        }
        return Logic.or(ways);
    }
}
