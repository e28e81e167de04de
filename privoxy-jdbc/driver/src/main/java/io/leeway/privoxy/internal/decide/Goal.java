package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.HashSet;
import java.util.Set;

/**
 * A query whose compliance is asked, prepared for one policy. Immutable, thread-safe, interned.
 *
 * <p>Interning pays: the same statement comes with other values each time, and what can take part in its proof does not
 * depend on them.
 */
public final class Goal {

    private final UnionQuery query;
    final Shape[] disjuncts;
    /** Views that can show rows of the goal's own tables, and what these views read. */
    final Relevance narrow;
    /** The same with everything that constraints can lead to. */
    final Relevance wide;

    private final boolean coveredByColumns;

    Goal(UnionQuery query, Shape[] disjuncts, CompiledPolicy policy) {
        this.query = query;
        this.disjuncts = disjuncts;
        this.narrow = Relevance.of(disjuncts, policy, false);
        this.wide = Relevance.of(disjuncts, policy, true);
        this.coveredByColumns = ColumnRule.covers(query, policy.policy());
    }

    /** What is asked. */
    public UnionQuery query() {
        return query;
    }

    /** The context parameters that the goal names. */
    public Set<String> contextNames() {
        Set<String> names = new HashSet<>();
        for (Shape disjunct : disjuncts) {
            names.addAll(disjunct.contextNames);
        }
        return names;
    }

    /**
     * The context parameters that the goal, or a view that might show it, names.
     *
     * <p>Told to the user of a request without context: most of these refusals are a forgotten or misspelt parameter.
     */
    public Set<String> contextNamesNeeded() {
        Set<String> names = contextNames();
        wide.views.forEach(view -> names.addAll(view.contextNames));
        return names;
    }

    /**
     * Whether an answer of {@code query} can take part in the quick proof: it has a table that the goal's views read.
     *
     * <p>Facts about other tables cannot be carried over by a view of the narrow set, so they are left out of the quick
     * proof; with a hundred rows read before, that is most of its cost.
     */
    public boolean concerns(Shape query) {
        for (int table : query.tables) {
            if (narrow.first.get(table) || narrow.second.get(table)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the column rule alone shows compliance, for every argument, context and trace. */
    public boolean isCoveredByColumns() {
        return coveredByColumns;
    }
}
