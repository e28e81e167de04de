package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.query.Aggregation;
import io.leeway.lazybase.internal.query.Predicate;
import io.leeway.lazybase.internal.query.Scan;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * What of a query the readers of a table do themselves. Immutable.
 *
 * @param table which
 * @param filters conditions on the table's columns
 * @param projects places of the wanted columns
 * @param aggregate what is computed of them, or null
 * @param limit rows at most; negative for all
 * @param ordered whether rows have to come in the order of the primary key
 */
record ScanSpec(
        Table table,
        List<RexNode> filters,
        List<Integer> projects,
        @Nullable Aggregate aggregate,
        long limit,
        boolean ordered) {

    /**
     * Aggregates of a scan.
     *
     * @param groups places among the projected columns
     * @param calls what is computed; columns are places among the projected ones
     * @param types Calcite's types of the results
     */
    record Aggregate(List<Integer> groups, List<Aggregation.Call> calls, List<SqlTypeName> types) {}

    /** All columns, nothing else. */
    static ScanSpec all(Table table) {
        var projects = new ArrayList<Integer>();
        for (int i = 0; i < table.columns().size(); i++) {
            projects.add(i);
        }
        return new ScanSpec(table, List.of(), projects, null, -1, false);
    }

    ScanSpec withFilters(List<RexNode> more) {
        var all = new ArrayList<>(filters);
        all.addAll(more);
        return new ScanSpec(table, List.copyOf(all), projects, aggregate, limit, ordered);
    }

    ScanSpec withProjects(List<Integer> newProjects) {
        return new ScanSpec(table, filters, List.copyOf(newProjects), aggregate, limit, ordered);
    }

    ScanSpec withAggregate(Aggregate newAggregate) {
        return new ScanSpec(table, filters, projects, newAggregate, limit, ordered);
    }

    ScanSpec withLimit(long newLimit) {
        long least = limit < 0 ? newLimit : Math.min(limit, newLimit);
        return new ScanSpec(table, filters, projects, aggregate, least, ordered);
    }

    ScanSpec inOrder() {
        return new ScanSpec(table, filters, projects, aggregate, limit, true);
    }

    /** Columns of the result. */
    int width() {
        return aggregate == null ? projects.size() : aggregate.groups.size() + aggregate.calls.size();
    }

    boolean isPlain() {
        return aggregate == null && limit < 0;
    }

    /** The rows, as Calcite has them. */
    Enumerable<@Nullable Object[]> rows(QueryContext context) {
        Predicate predicate = context.windowed(PushDown.bind(table, filters, context));
        int[] ids = ids(predicate);
        View view = ordered ? table.primary() : Scan.choose(context.reading(), table, predicate, ids);
        Aggregate wanted = aggregate;
        if (wanted != null) {
            return Linq4j.asEnumerable(aggregated(wanted, context, view, predicate, ids));
        }
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<@Nullable Object[]> enumerator() {
                Scan scan = Scan.of(context.reading(), table, view, predicate, ids, context.stats(), 1)
                        .get(0);
                return new Rows(scan, context);
            }
        };
    }

    /** What a condition of this scan means for the keys that it reads. */
    Predicate predicate(QueryContext context) {
        return context.windowed(PushDown.bind(table, filters, context));
    }

    /** The projected columns first, then those that only the condition needs. */
    private int[] ids(Predicate predicate) {
        var ids = new LinkedHashSet<Integer>();
        for (int project : projects) {
            ids.add(table.columns().get(project).id());
        }
        PushDown.columns(predicate, ids);
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    private int placeOf(int[] ids, int project) {
        int id = table.columns().get(projects.get(project)).id();
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == id) {
                return i;
            }
        }
        throw new IllegalStateException("no column " + id);
    }

    private List<@Nullable Object[]> aggregated(
            Aggregate wanted, QueryContext context, View view, Predicate predicate, int[] ids) {
        int[] groups =
                wanted.groups.stream().mapToInt(group -> placeOf(ids, group)).toArray();
        var calls = new ArrayList<Aggregation.Call>();
        for (Aggregation.Call call : wanted.calls) {
            calls.add(new Aggregation.Call(call.function(), call.column() < 0 ? -1 : placeOf(ids, call.column())));
        }
        List<Scan> scans =
                Scan.of(context.reading(), table, view, predicate, ids, context.stats(), context.parallelism());
        var parts = new ArrayList<java.util.function.Supplier<Aggregation>>();
        for (Scan scan : scans) {
            parts.add(() -> {
                var part = new Aggregation(groups, calls);
                for (Scan.Rows rows = scan.next(); rows != null; rows = scan.next()) {
                    context.check();
                    part.add(scan, rows);
                }
                return part;
            });
        }
        Aggregation all = new Aggregation(groups, calls);
        context.run(parts).forEach(all::merge);
        var rows = new ArrayList<@Nullable Object[]>();
        all.results(values -> rows.add(converted(wanted, values)));
        return rows;
    }

    private @Nullable Object[] converted(Aggregate wanted, @Nullable Object[] values) {
        int groups = wanted.groups.size();
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value == null) {
                continue;
            }
            boolean isGroup = i < groups;
            int place = isGroup
                    ? wanted.groups.get(i)
                    : wanted.calls.get(i - groups).column();
            Column column = place < 0 ? null : table.columns().get(projects.get(place));
            if (!isGroup
                    && (value instanceof BigInteger
                            || value instanceof Double
                            || wanted.calls.get(i - groups).function() == Aggregation.Function.COUNT)) {
                values[i] = sum(value, column, wanted.types.get(i - groups));
            } else if (column != null) {
                values[i] = value instanceof Long number
                        ? Values.ofLong(column, number)
                        : Values.ofBytes(column, (byte[]) value);
            }
        }
        return values;
    }

    private static Object sum(Object value, @Nullable Column column, SqlTypeName type) {
        if (value instanceof BigInteger sum) {
            if (type == SqlTypeName.BIGINT) {
                return sum.longValueExact();
            }
            return new BigDecimal(sum, column == null ? 0 : column.scale());
        }
        return value;
    }

    /** Rows of a scan one by one. */
    private final class Rows implements Enumerator<@Nullable Object[]> {

        private final Scan scan;
        private final QueryContext context;
        private final Column[] columns;
        private final int[] places;
        private Vector[] vectors = {};
        private Scan.@Nullable Rows rows;
        private int at;
        private long left;

        Rows(Scan scan, QueryContext context) {
            this.scan = scan;
            this.context = context;
            this.columns = new Column[projects.size()];
            this.places = new int[columns.length];
            var ids = new LinkedHashSet<Integer>();
            for (int c = 0; c < columns.length; c++) {
                columns[c] = table.columns().get(projects.get(c));
                ids.add(columns[c].id());
                places[c] = new ArrayList<>(ids).indexOf(columns[c].id());
            }
            left = limit < 0 ? Long.MAX_VALUE : limit;
        }

        @Override
        public boolean moveNext() {
            if (left == 0) {
                return false;
            }
            Scan.Rows mine = rows;
            at++;
            while (mine == null || at >= mine.count()) {
                context.check();
                mine = scan.next();
                rows = mine;
                if (mine == null) {
                    return false;
                }
                at = 0;
                vectors = new Vector[columns.length];
                for (int c = 0; c < columns.length; c++) {
                    vectors[c] = scan.columnAt(mine.segment(), places[c]);
                }
            }
            left--;
            return true;
        }

        @Override
        public @Nullable Object[] current() {
            Scan.Rows mine = rows;
            if (mine == null) {
                throw new java.util.NoSuchElementException();
            }
            @Nullable Object[] row = new Object[columns.length];
            int place = mine.segment().from() + mine.rows()[at];
            for (int c = 0; c < row.length; c++) {
                row[c] = Values.get(columns[c], vectors[c], place);
            }
            return row;
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            rows = null;
        }
    }
}
