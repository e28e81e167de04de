package io.leeway.lazybase.internal.sql;

import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/** A scan of a table with all that was pushed into it. */
public final class LazyScan extends AbstractRelNode implements EnumerableRel {

    private final RelOptTable relTable;
    private final ScanSpec spec;

    LazyScan(RelOptCluster cluster, RelOptTable relTable, ScanSpec spec, RelDataType rowType) {
        super(cluster, cluster.traitSetOf(EnumerableConvention.INSTANCE));
        this.relTable = relTable;
        this.spec = spec;
        this.rowType = rowType;
    }

    ScanSpec spec() {
        return spec;
    }

    RelOptTable relTable() {
        return relTable;
    }

    LazyScan with(ScanSpec newSpec, RelDataType newType) {
        return new LazyScan(getCluster(), relTable, newSpec, newType);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        super.explainTerms(writer)
                .item("table", spec.table().name())
                .item("columns", spec.projects())
                .itemIf("filter", spec.filters(), !spec.filters().isEmpty());
        ScanSpec.Aggregate aggregate = spec.aggregate();
        if (aggregate != null) {
            writer.item("group", aggregate.groups()).item("aggregates", aggregate.calls());
        }
        return writer.itemIf("limit", spec.limit(), spec.limit() >= 0).itemIf("ordered", true, spec.ordered());
    }

    @Override
    public double estimateRowCount(RelMetadataQuery query) {
        double rows = 1e5;
        for (int i = 0; i < spec.filters().size(); i++) {
            rows /= 10;
        }
        if (spec.aggregate() != null) {
            rows = Math.sqrt(rows);
        }
        return spec.limit() >= 0 ? Math.min(rows, (double) spec.limit()) : Math.max(1, rows);
    }

    @Override
    public @Nullable RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery query) {
        double rows = estimateRowCount(query);
        return planner.getCostFactory()
                .makeCost(rows, rows * (1 + spec.projects().size()), 0);
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        PhysType type = PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
        var builder = new BlockBuilder();
        builder.add(Expressions.return_(
                null,
                Expressions.call(LazyScan.class, "rows", DataContext.ROOT, implementor.stash(spec, Object.class))));
        return implementor.result(type, builder.toBlock());
    }

    /** Called by generated code. */
    public static Enumerable<?> rows(DataContext root, Object spec) {
        QueryContext context = (QueryContext) root.get(QueryContext.NAME);
        if (context == null) {
            throw new IllegalStateException("no query context");
        }
        ScanSpec scan = (ScanSpec) spec;
        // Generated code has a single column as it is, not in an array.
        if (scan.width() == 1) {
            return scan.rows(context).select(row -> row[0]);
        }
        return scan.rows(context);
    }
}
