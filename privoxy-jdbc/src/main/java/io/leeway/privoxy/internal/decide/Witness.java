package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Two small databases made from a case that stayed open: each unknown value becomes a fresh one of its own. Whether they
 * do show a violation is for the caller to check; a value may have to differ from others in ways the case does not say.
 *
 * @param first rows by table
 * @param second rows by table
 */
public record Witness(Map<String, List<List<Value>>> first, Map<String, List<List<Value>>> second) {

    /** Fresh values start here, so that they are told from those of the query. */
    private static final int FIRST_FRESH = 101;

    private static final int ORDER_ROUNDS = 64;

    /** Makes the databases. */
    public static Witness of(Verdict.NotShown verdict, CompiledPolicy policy) {
        return new Maker(verdict.open().state(), policy).make();
    }

    private static final class Maker {
        private final ChaseState state;
        private final CompiledPolicy policy;
        private final Map<Integer, Value> values = new HashMap<>();
        private final Map<Integer, ColumnType> types = new HashMap<>();
        /** Values in foreign key columns. */
        private final Set<Integer> references = new HashSet<>();

        private int fresh = FIRST_FRESH;

        Maker(ChaseState state, CompiledPolicy policy) {
            this.state = state;
            this.policy = policy;
        }

        Witness make() {
            collectTypes(ChaseState.FIRST);
            collectTypes(ChaseState.SECOND);
            types.keySet().stream().sorted().forEach(root -> values.put(root, choose(root)));
            respectOrder();
            return new Witness(database(ChaseState.FIRST), database(ChaseState.SECOND));
        }

        private void collectTypes(int number) {
            Instance instance = state.instance(number);
            for (int table = 0; table < instance.tables(); table++) {
                for (int i = 0; i < instance.count(table); i++) {
                    int[] row = instance.row(table, i);
                    for (ForeignKey key : policy.tables().get(table).foreignKeys) {
                        key.columns().forEach(column -> references.add(state.universe.find(row[column])));
                    }
                    for (int column = 0; column < row.length - 1; column++) {
                        types.putIfAbsent(
                                state.universe.find(row[column]),
                                policy.tables()
                                        .get(table)
                                        .table
                                        .columns()
                                        .get(column)
                                        .type());
                    }
                }
            }
        }

        private Value choose(int root) {
            Value known = state.universe.valueOf(root);
            if (known != null) {
                return known;
            }
            if (references.contains(root) && !state.universe.isNotNull(root)) {
                // Anything else would need a row to refer to.
                return Value.NULL;
            }
            for (int[] domain : state.domains) {
                Value option = state.universe.valueOf(domain[1]);
                if (state.universe.same(domain[0], root) && option != null) {
                    return option;
                }
            }
            return make(types.getOrDefault(root, ColumnType.integer("")).kind(), fresh++);
        }

        private static Value make(ValueKind kind, int n) {
            return switch (kind) {
                case BOOLEAN -> Value.TRUE;
                case TEXT, OPAQUE -> Value.of("text" + n);
                case UUID -> Value.of(kind, new UUID(0, n));
                case DATE -> Value.of(kind, LocalDate.of(2000, 1, 1).plusDays(n));
                case TIME -> Value.of(kind, LocalTime.MIDNIGHT.plusSeconds(n));
                case TIMESTAMP ->
                    Value.of(kind, LocalDate.of(2000, 1, 1).plusDays(n).atStartOfDay());
                case INSTANT -> Value.of(kind, Instant.EPOCH.plusSeconds(86_400L * n));
                case BYTES -> Value.of(kind, Integer.toHexString(0x1000 + n));
                case NUMBER, NULL -> Value.of(n);
            };
        }

        /** Moves fresh numbers until all known order holds, or gives up: the check will tell. */
        private void respectOrder() {
            for (int round = 0; round < ORDER_ROUNDS; round++) {
                boolean moved = false;
                for (OrderFacts.Edge edge : state.universe.orderEdges()) {
                    moved |= separate(edge);
                }
                if (!moved) {
                    return;
                }
            }
        }

        private boolean separate(OrderFacts.Edge edge) {
            int low = state.universe.find(edge.low());
            int high = state.universe.find(edge.high());
            Value a = values.getOrDefault(low, state.universe.valueOf(low));
            Value b = values.getOrDefault(high, state.universe.valueOf(high));
            if (a == null || b == null || !(a.raw() instanceof Long x) || !(b.raw() instanceof Long y) || x < y) {
                return false;
            }
            if (state.universe.valueOf(high) == null) {
                values.put(high, Value.of(x + 1));
            } else if (state.universe.valueOf(low) == null) {
                values.put(low, Value.of(y - 1));
            } else {
                return false;
            }
            return true;
        }

        private Map<String, List<List<Value>>> database(int number) {
            Map<String, List<List<Value>>> tables = new TreeMap<>();
            Instance instance = state.instance(number);
            for (int table = 0; table < instance.tables(); table++) {
                List<List<Value>> rows = new ArrayList<>();
                for (int i = 0; i < instance.count(table); i++) {
                    List<Value> cells = new ArrayList<>();
                    int[] row = instance.row(table, i);
                    for (int column = 0; column < row.length - 1; column++) {
                        cells.add(values.getOrDefault(state.universe.find(row[column]), Value.NULL));
                    }
                    if (!rows.contains(cells)) {
                        rows.add(cells);
                    }
                }
                if (!rows.isEmpty()) {
                    tables.put(policy.tables().get(table).table.name(), rows);
                }
            }
            return tables;
        }
    }
}
