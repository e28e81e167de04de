package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.pipeline.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code EXPLAIN FRESHNESS} shows: one row for each way to answer. */
final class PriceRows {

    static final List<Column> COLUMNS = List.of(
            column("age_ms", ColumnType.BIGINT),
            column("predicted_ms", ColumnType.DOUBLE),
            column("rows", ColumnType.BIGINT),
            column("bytes", ColumnType.BIGINT),
            column("rows_to_sort", ColumnType.BIGINT),
            column("runs", ColumnType.INTEGER),
            column("stages", ColumnType.TEXT),
            column("snapshot", ColumnType.TEXT));

    private PriceRows() {}

    private static Column column(String name, ColumnType type) {
        return new Column(0, name, type, 0, 0, false);
    }

    static List<Object[]> of(Engine engine, Plan plan, List<@Nullable Object> parameters) {
        var rows = new ArrayList<Object[]>();
        try (Snapshot snapshot = engine.pipeline().snapshot()) {
            @SuppressWarnings({"unchecked", "NullAway"})
            List<Object> known = (List<Object>) (List<?>) parameters;
            for (CostModel.Price price : engine.costs().prices(snapshot, plan, known)) {
                rows.add(new Object[] {
                    price.reading().age(),
                    Math.round(price.millis() * 1_000) / 1_000.0,
                    price.rows(),
                    price.bytes(),
                    price.toSort(),
                    price.runs(),
                    price.reading().stages(),
                    price.reading().reach().token().toString()
                });
            }
        }
        return rows;
    }
}
