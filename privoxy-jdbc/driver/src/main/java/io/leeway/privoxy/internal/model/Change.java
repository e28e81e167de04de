package io.leeway.privoxy.internal.model;

import java.util.Map;
import java.util.Set;

/** What a statement that writes does to the rows of one table: the less it does, the more facts outlive it. */
public sealed interface Change {

    /** Canonical name of the table. */
    String table();

    /** Rows come; none goes or becomes another one. */
    record Added(String table) implements Change {}

    /**
     * Columns get other values.
     *
     * @param columns positions of all columns whose values may change
     * @param where for columns of exact equality the slot whose value the rows changed have there; rows with another
     *     one stay what they are
     */
    record Updated(String table, Set<Integer> columns, Map<Integer, Integer> where) implements Change {
        public Updated {
            columns = Set.copyOf(columns);
            where = Map.copyOf(where);
        }
    }

    /**
     * Rows go.
     *
     * @param where as in {@link Updated}
     */
    record Removed(String table, Map<Integer, Integer> where) implements Change {
        public Removed {
            where = Map.copyOf(where);
        }
    }

    /** Whatever can happen to rows may happen to any. */
    record Any(String table) implements Change {}
}
