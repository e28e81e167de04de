package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds answers that contradict each other about one row: same table, same key, another value somewhere.
 *
 * <p>Cost: nothing as long as each table is behind one result only; then one look-up for each row and key. Not
 * thread-safe: used under the trace's lock.
 *
 * <p>Two results of one request may be of different moments. Each was true once; together they may be true of no
 * database, and from such facts a chase proves everything
 * ({@code StateCasesIT.resultsThatContradictEachOtherOpenNothing}). Keys show it where it is cheapest to see: one key,
 * one row.
 */
final class Coherence {

    /** By the key's name in every query, since two results nearly always come from different queries. */
    private record Key(String name, List<Value> values) {}

    /** What some results say of one row. */
    static final class Seen {
        private final Imprint.Row row;
        private final @Nullable Value[] values;
        private final List<Key> keys = new ArrayList<>(2);
        private final Set<TraceResult> results = new LinkedHashSet<>(2);

        private Seen(Imprint.Row row, @Nullable Value[] values) {
            this.row = row;
            this.values = values;
        }
    }

    private final Map<String, List<TraceResult>> byTable = new HashMap<>();
    private final Set<String> compared = new HashSet<>();
    private final Map<Key, List<Seen>> byKey = new HashMap<>();

    /** A result has its first row. */
    void enter(TraceResult result) {
        for (Imprint.Row row : result.imprint().rows()) {
            List<TraceResult> known = byTable.computeIfAbsent(row.table, absent -> new ArrayList<>(2));
            if (!known.contains(result)) {
                known.add(result);
            }
            // A table behind a single result cannot be contradicted, and most requests read most tables once: so
            // nothing is taken in before there are two.
            if (known.size() > 1 && compared.add(row.table)) {
                // From now on rows of this table are compared; those of the first result were not taken in yet.
                known.stream().filter(earlier -> earlier != result).forEach(earlier -> takeIn(earlier, row.table));
            }
        }
    }

    /** A result is forgotten. */
    void leave(TraceResult result) {
        for (Imprint.Row row : result.imprint().rows()) {
            List<TraceResult> known = byTable.get(row.table);
            if (known != null && known.remove(result) && known.isEmpty()) {
                byTable.remove(row.table);
            }
        }
        removeRows(result);
    }

    /** Rows of a result were taken out: what is left is taken in anew. */
    void renew(TraceResult result) {
        removeRows(result);
        result.imprint().rows().stream()
                .map(row -> row.table)
                .distinct()
                .filter(compared::contains)
                .forEach(table -> takeIn(result, table));
    }

    private void removeRows(TraceResult result) {
        for (Seen seen : result.seen) {
            seen.results.remove(result);
            if (seen.results.isEmpty()) {
                for (Key key : seen.keys) {
                    List<Seen> same = byKey.get(key);
                    if (same != null && same.remove(seen) && same.isEmpty()) {
                        byKey.remove(key);
                    }
                }
            }
        }
        result.seen.clear();
    }

    private void takeIn(TraceResult result, String table) {
        for (Imprint.Row row : result.imprint().rows()) {
            if (row.table.equals(table)) {
                for (int answer = 0; answer < result.rows(); answer++) {
                    add(result, row, result.values(row, answer));
                }
            }
        }
    }

    /** Takes in an answer; returns the results of which some answer contradicts it. */
    Set<TraceResult> add(TraceResult result, @Nullable Value[] answer) {
        Set<TraceResult> contradicted = Set.of();
        for (Imprint.Row row : result.imprint().rows()) {
            if (compared.contains(row.table)) {
                Set<TraceResult> found = add(result, row, row.values(answer, 0, result.arguments()));
                if (!found.isEmpty()) {
                    contradicted = contradicted.isEmpty() ? new LinkedHashSet<>() : contradicted;
                    contradicted.addAll(found);
                }
            }
        }
        return contradicted;
    }

    private Set<TraceResult> add(TraceResult result, Imprint.Row row, @Nullable Value[] values) {
        Set<TraceResult> contradicted = Set.of();
        Seen own = null;
        for (int number = 0; number < row.keys.length; number++) {
            List<Value> keyValues = row.key(number, values);
            if (keyValues == null) {
                continue;
            }
            Key key = new Key(row.keyNames[number], keyValues);
            List<Seen> same = byKey.computeIfAbsent(key, absent -> new ArrayList<>(1));
            Seen twin = null;
            for (Seen seen : same) {
                if (seen.row == row && Arrays.equals(seen.values, values)) {
                    twin = seen;
                } else if (differ(seen.values, values)) {
                    for (TraceResult other : seen.results) {
                        // Two transactions may well see different rows; a fact of the one is never used beside a
                        // fact of the other.
                        if (other.standsWith(result)) {
                            contradicted = contradicted.isEmpty() ? new LinkedHashSet<>() : contradicted;
                            contradicted.add(other);
                        }
                    }
                }
            }
            if (twin == null) {
                own = own == null ? new Seen(row, values) : own;
                own.keys.add(key);
                same.add(own);
                twin = own;
            }
            if (twin.results.add(result)) {
                result.seen.add(twin);
            }
        }
        return contradicted;
    }

    /** Whether two answers say different things of one row. */
    static boolean contradict(Imprint.Row one, @Nullable Value[] left, Imprint.Row other, @Nullable Value[] right) {
        if (!one.table.equals(other.table) || !differ(left, right)) {
            return false;
        }
        for (int i = 0; i < one.keys.length; i++) {
            List<Value> key = one.key(i, left);
            for (int j = 0; key != null && j < other.keys.length; j++) {
                if (one.keyNames[i].equals(other.keyNames[j]) && key.equals(other.key(j, right))) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Known to differ, not unequal: what may be one value to the database contradicts nothing. A cell of which nothing
     * is known agrees with all.
     */
    private static boolean differ(@Nullable Value[] left, @Nullable Value[] right) {
        for (int c = 0; c < Math.min(left.length, right.length); c++) {
            Value one = left[c];
            Value other = right[c];
            if (one != null && other != null && one.isKnownToDifferFrom(other)) {
                return true;
            }
        }
        return false;
    }
}
