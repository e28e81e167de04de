package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.pipeline.Pipeline;
import io.leeway.lazybase.internal.pipeline.Stage;
import io.leeway.lazybase.internal.pipeline.StageMeter;
import java.util.ArrayList;
import java.util.Locale;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/** What the stages of the pipeline have done, as a relation: {@code SELECT * FROM lazybase.stages}. */
final class StageRows extends PgCatalog.Relation {

    private final Pipeline pipeline;

    private StageRows(Pipeline pipeline) {
        super("stages", PgCatalog.Field.all("stage:s tasks:l row_count:l bytes:l cpu_ms:l failures:l helped:l"));
        this.pipeline = pipeline;
    }

    static StageRows of(Pipeline pipeline) {
        return new StageRows(pipeline);
    }

    @Override
    public Enumerable<@Nullable Object[]> scan(DataContext root) {
        var rows = new ArrayList<@Nullable Object[]>();
        for (Stage stage : Stage.values()) {
            StageMeter meter = pipeline.meter(stage);
            rows.add(new Object[] {
                stage.name().toLowerCase(Locale.ROOT),
                meter.tasks(),
                meter.rows(),
                meter.bytesOut(),
                meter.cpuNanos() / 1_000_000,
                meter.failures(),
                meter.byOthers()
            });
        }
        return Linq4j.asEnumerable(rows);
    }
}
