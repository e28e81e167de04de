package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All databases with at most two rows a table over a tiny domain that fulfil a policy's constraints. */
public final class TinyDatabases {

    private static final int MAX_ROWS = 2;

    private final Policy policy;

    private TinyDatabases(Policy policy) {
        this.policy = policy;
    }

    public static List<TinyDatabase> of(Policy policy) {
        return new TinyDatabases(policy).all();
    }

    /** Whether those of these databases that show the same through a policy's views answer a goal in the same way: the definition. */
    public static boolean agree(
            List<TinyDatabase> databases,
            Policy policy,
            Map<String, Value> context,
            UnionQuery goal,
            List<Value> arguments) {
        Map<List<Set<List<Value>>>, Set<List<Value>>> answers = new HashMap<>();
        for (TinyDatabase database : databases) {
            List<Set<List<Value>>> shown = new ArrayList<>();
            for (View view : policy.views()) {
                shown.add(database.answer(view.query(), List.of(), context));
            }
            Set<List<Value>> answer = database.answer(goal, arguments, Map.of());
            Set<List<Value>> other = answers.putIfAbsent(shown, answer);
            if (other != null && !other.equals(answer)) {
                return false;
            }
        }
        return true;
    }

    private List<TinyDatabase> all() {
        List<Map<String, List<List<Value>>>> databases = new ArrayList<>();
        databases.add(Map.of());
        for (Table table : policy.schema().tables().values()) {
            List<List<List<Value>>> contents = contents(table);
            List<Map<String, List<List<Value>>>> extended = new ArrayList<>();
            for (Map<String, List<List<Value>>> database : databases) {
                for (List<List<Value>> content : contents) {
                    Map<String, List<List<Value>>> more = new HashMap<>(database);
                    more.put(table.name(), content);
                    extended.add(more);
                }
            }
            databases = extended;
        }
        return databases.stream()
                .map(TinyDatabase::new)
                .filter(this::fulfilsConstraints)
                .toList();
    }

    private static List<List<List<Value>>> contents(Table table) {
        List<List<Value>> rows = new ArrayList<>();
        rows.add(List.of());
        for (Column column : table.columns()) {
            List<List<Value>> longer = new ArrayList<>();
            for (List<Value> row : rows) {
                for (Value value : domain(column)) {
                    List<Value> more = new ArrayList<>(row);
                    more.add(value);
                    longer.add(more);
                }
            }
            rows = longer;
        }
        List<List<List<Value>>> contents = new ArrayList<>();
        contents.add(List.of());
        for (int i = 0; i < rows.size(); i++) {
            contents.add(List.of(rows.get(i)));
            for (int j = i + 1; j < rows.size() && MAX_ROWS > 1; j++) {
                List<List<Value>> two = List.of(rows.get(i), rows.get(j));
                if (keysHold(table, two)) {
                    contents.add(two);
                }
            }
        }
        return contents;
    }

    static List<Value> domain(Column column) {
        List<Value> values = new ArrayList<>();
        if (column.type().kind() == ValueKind.BOOLEAN) {
            values.addAll(List.of(Value.TRUE, Value.FALSE));
        } else if (column.type().hasExactEquality()) {
            values.addAll(List.of(Value.of(0), Value.of(1)));
        } else {
            values.addAll(List.of(Value.of(0), Value.of(1), Value.of(2)));
        }
        if (column.nullable()) {
            values.add(Value.NULL);
        }
        return values;
    }

    private static boolean keysHold(Table table, List<List<Value>> rows) {
        for (Key key : table.keys()) {
            Set<List<Value>> seen = new HashSet<>();
            for (List<Value> row : rows) {
                List<Value> cells = new ArrayList<>();
                for (int column : key.columns()) {
                    cells.add(comparable(table, column, row.get(column)));
                }
                boolean exempt = key.nullsDistinct() && cells.contains(Value.NULL);
                if (!exempt && !seen.add(cells)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static Value comparable(Table table, int column, Value value) {
        return table.columns().get(column).type().hasExactEquality() ? value : TinyDatabase.apply("key:ci", value);
    }

    private boolean fulfilsConstraints(TinyDatabase database) {
        for (Table table : policy.schema().tables().values()) {
            for (ForeignKey key : table.foreignKeys()) {
                for (List<Value> row : database.tables().get(table.name())) {
                    if (!hasTarget(database, table, key, row)) {
                        return false;
                    }
                }
            }
        }
        for (Inclusion inclusion : policy.inclusions()) {
            if (!database.answer(inclusion.right(), List.of(), Map.of())
                    .containsAll(database.answer(inclusion.left(), List.of(), Map.of()))) {
                return false;
            }
        }
        return true;
    }

    private boolean hasTarget(TinyDatabase database, Table table, ForeignKey key, List<Value> row) {
        Table target = policy.schema().table(key.target());
        int column = key.columns().get(0);
        int targetColumn = key.targetColumns().get(0);
        Value value = comparable(table, column, row.get(column));
        return value.isNull()
                || database.tables().get(target.name()).stream()
                        .anyMatch(other -> comparable(target, targetColumn, other.get(targetColumn))
                                .equals(value));
    }
}
