package io.leeway.privoxy.solvers;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** All databases of a policy's schema with at most two rows a table over a domain of a few values and NULL. */
final class Worlds {

    private final Policy policy;
    private final List<TinyWorld> worlds = new ArrayList<>();

    Worlds(Policy policy) {
        this.policy = policy;
        fill(List.copyOf(policy.schema().tables().values()), 0, Map.of());
    }

    List<TinyWorld> all() {
        return worlds;
    }

    /** The definition of compliance, over the given databases: where all views agree, the goal does. */
    static boolean isCompliant(
            List<TinyWorld> worlds, Policy policy, Map<String, Value> context, UnionQuery goal, List<Value> arguments) {
        Map<List<Set<List<Value>>>, Set<List<Value>>> seen = new HashMap<>();
        for (TinyWorld world : worlds) {
            List<Set<List<Value>>> shown = new ArrayList<>();
            for (View view : policy.views()) {
                shown.add(world.ask(view.query(), List.of(), context));
            }
            Set<List<Value>> answer = world.ask(goal, arguments, context);
            Set<List<Value>> other = seen.putIfAbsent(shown, answer);
            if (other != null && !other.equals(answer)) {
                return false;
            }
        }
        return true;
    }

    private void fill(List<Table> tables, int position, Map<String, List<List<Value>>> content) {
        if (position == tables.size()) {
            TinyWorld world = new TinyWorld(content);
            if (fulfilsForeignKeys(world) && fulfilsInclusions(world)) {
                worlds.add(world);
            }
            return;
        }
        Table table = tables.get(position);
        List<List<Value>> rows = rows(table);
        for (int i = -1; i < rows.size(); i++) {
            for (int j = i; j < rows.size(); j++) {
                List<List<Value>> chosen = new ArrayList<>();
                if (i >= 0) {
                    chosen.add(rows.get(i));
                    if (j > i) {
                        chosen.add(rows.get(j));
                    }
                } else if (j >= 0) {
                    break;
                }
                if (keysHold(table, chosen)) {
                    Map<String, List<List<Value>>> more = new HashMap<>(content);
                    more.put(table.name(), chosen);
                    fill(tables, position + 1, more);
                }
            }
        }
    }

    private static List<List<Value>> rows(Table table) {
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
        return rows;
    }

    static List<Value> domain(Column column) {
        List<Value> values = new ArrayList<>(
                switch (column.type().kind()) {
                    case BOOLEAN -> List.of(Value.TRUE, Value.FALSE);
                    case TEXT -> List.of(Value.of("a"), Value.of("A"));
                    default -> List.of(Value.of(0), Value.of(1));
                });
        if (column.nullable()) {
            values.add(Value.NULL);
        }
        return values;
    }

    private static boolean keysHold(Table table, List<List<Value>> rows) {
        for (Key key : table.keys()) {
            Set<List<Value>> seen = new HashSet<>();
            for (List<Value> row : rows) {
                List<Value> cells = key.columns().stream()
                        .map(column -> comparable(table.columns().get(column), row.get(column)))
                        .toList();
                boolean isExempt = key.nullsDistinct() && cells.contains(Value.NULL);
                if (!isExempt && !seen.add(cells)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean fulfilsForeignKeys(TinyWorld world) {
        for (Table table : policy.schema().tables().values()) {
            for (ForeignKey key : table.foreignKeys()) {
                Set<List<Value>> targets = new HashSet<>();
                Table target = Objects.requireNonNull(policy.schema().table(key.target()));
                world.rows(key.target()).forEach(row -> targets.add(cells(target, row, key.targetColumns())));
                for (List<Value> row : world.rows(table.name())) {
                    List<Value> reference = cells(table, row, key.columns());
                    if (!reference.contains(Value.NULL) && !targets.contains(reference)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static List<Value> cells(Table table, List<Value> row, List<Integer> columns) {
        return columns.stream()
                .map(column -> comparable(table.columns().get(column), row.get(column)))
                .toList();
    }

    private static Value comparable(Column column, Value value) {
        return column.type().hasExactEquality() ? value : TinyWorld.folded(value);
    }

    private boolean fulfilsInclusions(TinyWorld world) {
        for (Inclusion inclusion : policy.inclusions()) {
            if (!world.ask(inclusion.right(), List.of(), Map.of())
                    .containsAll(world.ask(inclusion.left(), List.of(), Map.of()))) {
                return false;
            }
        }
        return true;
    }
}
