package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import java.util.List;
import java.util.Map;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

/**
 * A planned query. It knows nothing of freshness: each run says how fresh it is. Immutable, thread-safe.
 *
 * @param columns of the result
 * @param parameters types of the places where parameters stand, in their order
 * @param scan if the readers of one table do everything
 * @param bindable otherwise: generated code
 * @param internal what generated code refers to
 * @param scans all scans of tables
 * @param root the schemas that it was planned with
 * @param text as EXPLAIN shows it
 */
record Plan(
        List<Column> columns,
        List<Column> parameters,
        @Nullable ScanSpec scan,
        @Nullable Bindable<?> bindable,
        Map<String, Object> internal,
        List<ScanSpec> scans,
        SchemaPlus root,
        String text) {

    /** The rows. */
    @SuppressWarnings("unchecked")
    Enumerable<@Nullable Object[]> run(QueryContext context) {
        if (scan != null) {
            return scan.rows(context);
        }
        if (bindable == null) {
            return Linq4j.emptyEnumerable();
        }
        Enumerable<?> rows = bindable.bind(context);
        if (columns.size() == 1) {
            // Generated code gives a single column as it is.
            return ((Enumerable<Object>) rows)
                    .select(value -> value instanceof Object[] row ? row : new Object[] {value});
        }
        return (Enumerable<@Nullable Object[]>) rows;
    }
}
