package io.leeway.privoxy.internal.schema;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a write to a table may change besides: rows of other tables through cascading foreign keys and inheritance, or
 * anything at all through triggers and rules.
 *
 * <p>Followed to the end: a cascade may set off another one, or reach a table with a trigger.
 *
 * <p>Immutable, and compared with the next reading of it: a new trigger is a change of the schema.
 *
 * @param next tables that change with a table, one step
 * @param unbounded tables with triggers or rules
 * @param moving for tables that have them, columns that change with a row without being named
 * @param known whether the database shows all this; otherwise any write may change anything
 */
record WriteReach(
        Map<String, Set<String>> next, Set<String> unbounded, Map<String, Set<String>> moving, boolean known) {

    /** The database does not show it. */
    static final WriteReach UNKNOWN = new WriteReach(Map.of(), Set.of(), Map.of(), false);

    WriteReach(Map<String, Set<String>> next, Set<String> unbounded, Map<String, Set<String>> moving) {
        this(next, unbounded, moving, true);
    }

    WriteReach {
        next = Map.copyOf(next);
        unbounded = Set.copyOf(unbounded);
        moving = Map.copyOf(moving);
    }

    /** The tables of which another one tells something else. */
    Set<String> differences(WriteReach other) {
        var names = new HashSet<>(next.keySet());
        List.of(other.next.keySet(), unbounded, other.unbounded, moving.keySet(), other.moving.keySet())
                .forEach(names::addAll);
        names.removeIf(name -> Objects.equals(next.get(name), other.next.get(name))
                && Objects.equals(moving.get(name), other.moving.get(name))
                // Tables whose writes now reach further, or less far, than what was decided by.
                && unbounded.contains(name) == other.unbounded.contains(name));
        return names;
    }

    /** All tables changed by a write to {@code table}, itself included, or {@link Reach#EVERYTHING}. */
    Reach from(String table) {
        if (!known) {
            return Reach.EVERYTHING;
        }
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
        // A table in a circle of cascades changes by its own rules beyond what the statement names.
        boolean alone = next.getOrDefault(table, Set.of()).isEmpty();
        return new Reach(reached, false, alone, moving.getOrDefault(table, Set.of()));
    }
}
