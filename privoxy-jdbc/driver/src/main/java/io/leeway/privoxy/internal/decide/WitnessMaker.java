package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Gives every unknown of a case a value. Not thread-safe.
 *
 * <p>Whatever it chooses is harmless: the pair counts only if evaluation finds the views equal, the schema fulfilled
 * and the answers different. So it aims at values that are easy to read.
 */
final class WitnessMaker {

    /**
     * Fresh values start here, so that they are told from those of the query.
     *
     * <p>People who read a counterexample see at once that 101 was made up.
     */
    private static final int FIRST_FRESH = 101;

    /** Moving one value can upset another; where that does not come to rest the check refuses the pair. */
    private static final int ORDER_ROUNDS = 64;

    private final ChaseState state;
    private final Universe universe;
    private final CompiledPolicy policy;
    private final Map<Integer, Value> values = new HashMap<>();
    private final Map<Integer, ColumnType> types = new HashMap<>();
    /** Values in foreign key columns. */
    private final Set<Integer> references = new HashSet<>();

    private int fresh = FIRST_FRESH;

    WitnessMaker(ChaseState state, CompiledPolicy policy) {
        this.state = state;
        this.universe = state.universe;
        this.policy = policy;
    }

    Witness make() {
        collectTypes(ChaseState.FIRST);
        collectTypes(ChaseState.SECOND);
        types.keySet().stream().sorted().forEach(this::give);
        for (Application application : universe.applications()) {
            Arrays.stream(application.arguments()).forEach(this::give);
            give(application.result());
        }
        respectOrder();
        return new Witness(database(ChaseState.FIRST), database(ChaseState.SECOND), meanings());
    }

    private void collectTypes(int number) {
        Instance instance = state.instance(number);
        for (int table = 0; table < instance.tables(); table++) {
            CompiledTable compiled = policy.tables().get(table);
            for (int i = 0; i < instance.count(table); i++) {
                int[] row = instance.row(table, i);
                for (ForeignKey key : compiled.foreignKeys) {
                    key.columns().forEach(column -> references.add(universe.find(row[column])));
                }
                for (int column = 0; column < row.length - 1; column++) {
                    types.putIfAbsent(
                            universe.find(row[column]),
                            compiled.table.columns().get(column).type());
                }
            }
        }
    }

    private void give(int node) {
        int root = universe.find(node);
        if (!values.containsKey(root)) {
            values.put(root, choose(root));
        }
    }

    private Value choose(int root) {
        Value known = universe.valueOf(root);
        if (known != null) {
            return known;
        }
        if (references.contains(root) && !universe.isNotNull(root)) {
            // Anything else would need a row to refer to.
            return Value.NULL;
        }
        // A value with few options has to be one of them.
        for (int[] domain : state.domains) {
            if (universe.same(domain[0], root)) {
                for (int i = 1; i < domain.length; i++) {
                    Value option = universe.valueOf(domain[i]);
                    if (option != null && !option.isNull() && !universe.areKnownDifferent(root, domain[i])) {
                        return option;
                    }
                }
            }
        }
        Value compared = comparedWith(root);
        ColumnType type = types.get(root);
        // There is no fresh truth value: take the one that it is not compared with.
        if (universe.isBoolean(root) || (type == null && compared != null && compared.kind() == ValueKind.BOOLEAN)) {
            return Value.TRUE.equals(compared) ? Value.FALSE : Value.TRUE;
        }
        ValueKind kind = type != null ? type.kind() : compared != null ? compared.kind() : ValueKind.NUMBER;
        return make(kind, fresh++);
    }

    /** A constant that the value is known to differ from or to be ordered with. */
    private @Nullable Value comparedWith(int root) {
        for (Value constant : universe.constantValues()) {
            int node = universe.constant(constant);
            if (universe.areKnownDifferent(root, node)) {
                return constant;
            }
        }
        return null;
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

    /** Moves fresh values until all known order holds, or gives up: the check will tell. */
    private void respectOrder() {
        for (int round = 0; round < ORDER_ROUNDS; round++) {
            boolean moved = false;
            for (OrderFacts.Edge edge : universe.orderEdges()) {
                moved |= separate(edge);
            }
            if (!moved) {
                return;
            }
        }
    }

    private boolean separate(OrderFacts.Edge edge) {
        int low = universe.find(edge.low());
        int high = universe.find(edge.high());
        Value a = values.getOrDefault(low, universe.valueOf(low));
        Value b = values.getOrDefault(high, universe.valueOf(high));
        if (a == null || b == null || !a.isOrderedWith(b) || a.compareOrdered(b) < 0) {
            return false;
        }
        boolean isRaised = universe.valueOf(high) == null;
        Value moved = isRaised ? beside(a, 1) : beside(b, -1);
        // Both ends are fixed: nothing to move.
        if (moved == null || (!isRaised && universe.valueOf(low) != null)) {
            return false;
        }
        values.put(isRaised ? high : low, moved);
        return true;
    }

    /** The value a step up or down. */
    private static @Nullable Value beside(Value value, int step) {
        Object raw = value.raw();
        if (raw instanceof Long number) {
            return Value.of(number + step);
        }
        if (raw instanceof BigDecimal number) {
            return Value.of(number.add(BigDecimal.valueOf(step)));
        }
        if (raw instanceof LocalDate date) {
            return Value.of(value.kind(), date.plusDays(step));
        }
        if (raw instanceof LocalTime time) {
            return Value.of(value.kind(), time.plusSeconds(step));
        }
        if (raw instanceof LocalDateTime time) {
            return Value.of(value.kind(), time.plusDays(step));
        }
        return raw instanceof Instant time ? Value.of(value.kind(), time.plusSeconds(86_400L * step)) : null;
    }

    private Map<String, List<List<Value>>> database(int number) {
        Map<String, List<List<Value>>> tables = new TreeMap<>();
        Instance instance = state.instance(number);
        for (int table = 0; table < instance.tables(); table++) {
            List<List<Value>> rows = new ArrayList<>();
            for (int i = 0; i < instance.count(table); i++) {
                int[] row = instance.row(table, i);
                List<Value> cells = valuesOf(Arrays.copyOf(row, row.length - 1));
                // Two symbolic rows that came out alike are one row; tables have no duplicates.
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

    private List<Witness.Meaning> meanings() {
        List<Witness.Meaning> meanings = new ArrayList<>();
        for (Application application : universe.applications()) {
            // Collation keys are not told: the evaluator knows what they mean.
            if (!application.isStrict()) {
                meanings.add(new Witness.Meaning(
                        application.symbol(),
                        valuesOf(application.arguments()),
                        valuesOf(new int[] {application.result()}).get(0)));
            }
        }
        return meanings;
    }

    private List<Value> valuesOf(int[] nodes) {
        List<Value> list = new ArrayList<>(nodes.length);
        for (int node : nodes) {
            list.add(values.getOrDefault(universe.find(node), Value.NULL));
        }
        return list;
    }
}
