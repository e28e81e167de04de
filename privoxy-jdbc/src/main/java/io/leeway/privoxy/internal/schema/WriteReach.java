package io.leeway.privoxy.internal.schema;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a write to a table may change besides: rows of other tables through cascading foreign keys and inheritance, or
 * anything at all through triggers and rules.
 *
 * @param next tables that change with a table, one step
 * @param unbounded tables with triggers or rules
 */
record WriteReach(Map<String, Set<String>> next, Set<String> unbounded) {

    /** Knows no such table. */
    static final WriteReach NONE = new WriteReach(Map.of(), Set.of());

    WriteReach {
        next = Map.copyOf(next);
        unbounded = Set.copyOf(unbounded);
    }

    /** All tables changed by a write to {@code table}, itself included, or {@link Reach#EVERYTHING}. */
    Reach from(String table) {
        var reached = new HashSet<String>();
        var todo = new ArrayDeque<String>();
        todo.add(table);
        while (!todo.isEmpty()) {
            String current = todo.remove();
            if (unbounded.contains(current)) {
                return Reach.EVERYTHING;
            }
            if (reached.add(current)) {
                todo.addAll(next.getOrDefault(current, Set.of()));
            }
        }
        return new Reach(reached, false);
    }
}
