package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.query.Aggregation;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Moves conditions, columns, aggregates, limits and orders into the readers of tables, from the leaves up. What a reader cannot do stays
 * above it, so the result is the same with or without.
 */
final class ScanPushDown {

    private ScanPushDown() {}

    static RelNode rewrite(RelNode node) {
        var inputs = new ArrayList<RelNode>();
        for (RelNode input : node.getInputs()) {
            inputs.add(rewrite(input));
        }
        RelNode copy = inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
        RelNode pushed = null;
        if (copy instanceof LogicalTableScan scan) {
            pushed = scan(scan);
        } else if (!inputs.isEmpty() && inputs.get(0) instanceof LazyScan scan) {
            if (copy instanceof LogicalFilter filter) {
                pushed = filter(filter, scan);
            } else if (copy instanceof LogicalProject project) {
                pushed = project(project, scan);
            } else if (copy instanceof LogicalAggregate aggregate) {
                pushed = aggregate(aggregate, scan);
            } else if (copy instanceof LogicalSort sort) {
                pushed = sort(sort, scan);
            }
        }
        if (pushed == null && copy instanceof LogicalAggregate aggregate) {
            pushed = withExactSums(aggregate);
        }
        return pushed == null ? copy : pushed;
    }

    /** Sums of bigints are decimals, so that they cannot overflow; generated code adds decimals only to decimals. */
    private static @Nullable RelNode withExactSums(LogicalAggregate aggregate) {
        RelNode input = aggregate.getInput();
        var rexBuilder = aggregate.getCluster().getRexBuilder();
        var expressions = new ArrayList<RexNode>();
        for (int i = 0; i < input.getRowType().getFieldCount(); i++) {
            expressions.add(rexBuilder.makeInputRef(input, i));
        }
        var calls = new ArrayList<AggregateCall>();
        for (AggregateCall call : aggregate.getAggCallList()) {
            boolean isSum = call.getAggregation().getKind() == SqlKind.SUM
                    || call.getAggregation().getKind() == SqlKind.SUM0;
            RexNode argument = isSum ? expressions.get(call.getArgList().get(0)) : null;
            if (argument != null
                    && call.getType().getSqlTypeName() == SqlTypeName.DECIMAL
                    && argument.getType().getSqlTypeName() == SqlTypeName.BIGINT) {
                var type = aggregate
                        .getCluster()
                        .getTypeFactory()
                        .createTypeWithNullability(
                                call.getType(), argument.getType().isNullable());
                calls.add(call.withArgList(List.of(expressions.size())));
                expressions.add(rexBuilder.makeCast(type, argument));
            } else {
                calls.add(call);
            }
        }
        if (expressions.size() == input.getRowType().getFieldCount()) {
            return null;
        }
        var wider = LogicalProject.create(input, List.of(), expressions, (List<String>) null, java.util.Set.of());
        return aggregate.copy(aggregate.getTraitSet(), wider, aggregate.getGroupSet(), aggregate.getGroupSets(), calls);
    }

    private static @Nullable RelNode scan(LogicalTableScan scan) {
        LazyTable table = scan.getTable().unwrap(LazyTable.class);
        if (table == null) {
            return null;
        }
        return new LazyScan(scan.getCluster(), scan.getTable(), ScanSpec.all(table.table()), scan.getRowType());
    }

    private static @Nullable RelNode filter(LogicalFilter filter, LazyScan scan) {
        ScanSpec spec = scan.spec();
        if (!spec.isPlain()) {
            return null;
        }
        RexNode expanded = RexUtil.expandSearch(scan.getCluster().getRexBuilder(), null, filter.getCondition());
        var pushed = new ArrayList<RexNode>();
        var left = new ArrayList<RexNode>();
        for (RexNode part : RelOptUtil.conjunctions(expanded)) {
            RexNode onTable = onTable(part, spec);
            if (PushDown.accepts(spec.table(), onTable)) {
                pushed.add(onTable);
            } else {
                left.add(part);
            }
        }
        if (pushed.isEmpty()) {
            return null;
        }
        LazyScan narrowed = scan.with(spec.withFilters(pushed), scan.getRowType());
        return left.isEmpty()
                ? narrowed
                : LogicalFilter.create(
                        narrowed, RexUtil.composeConjunction(scan.getCluster().getRexBuilder(), left));
    }

    /** An expression on the scan's output as one on the table's columns. */
    private static RexNode onTable(RexNode node, ScanSpec spec) {
        return node.accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef ref) {
                return new RexInputRef(spec.projects().get(ref.getIndex()), ref.getType());
            }
        });
    }

    private static @Nullable RelNode project(LogicalProject project, LazyScan scan) {
        ScanSpec spec = scan.spec();
        if (spec.aggregate() != null) {
            return null;
        }
        var places = new ArrayList<Integer>();
        boolean onlyColumns = true;
        for (RexNode expression : project.getProjects()) {
            onlyColumns &= expression instanceof RexInputRef;
            if (expression instanceof RexInputRef ref) {
                places.add(spec.projects().get(ref.getIndex()));
            }
        }
        if (onlyColumns && !places.isEmpty()) {
            return scan.with(spec.withProjects(places), project.getRowType());
        }
        return narrowed(project, scan);
    }

    /** Expressions stay, on those columns only that they need. */
    private static @Nullable RelNode narrowed(LogicalProject project, LazyScan scan) {
        ImmutableBitSet used = RelOptUtil.InputFinder.bits(project.getProjects(), null);
        int all = scan.getRowType().getFieldCount();
        if (used.cardinality() == all || used.isEmpty()) {
            return null;
        }
        var places = new ArrayList<Integer>();
        int[] moved = new int[all];
        var builder = scan.getCluster().getTypeFactory().builder();
        for (int field : used) {
            moved[field] = places.size();
            places.add(scan.spec().projects().get(field));
            builder.add(scan.getRowType().getFieldList().get(field));
        }
        LazyScan narrow = scan.with(scan.spec().withProjects(places), builder.build());
        List<RexNode> expressions = new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef ref) {
                return new RexInputRef(moved[ref.getIndex()], ref.getType());
            }
        }.visitList(project.getProjects());
        return project.copy(project.getTraitSet(), narrow, expressions, project.getRowType());
    }

    private static @Nullable RelNode aggregate(LogicalAggregate aggregate, LazyScan scan) {
        ScanSpec spec = scan.spec();
        if (!spec.isPlain() || aggregate.getGroupType() != org.apache.calcite.rel.core.Aggregate.Group.SIMPLE) {
            return null;
        }
        var calls = new ArrayList<Aggregation.Call>();
        var types = new ArrayList<SqlTypeName>();
        for (AggregateCall call : aggregate.getAggCallList()) {
            Aggregation.Call pushed = call(call, spec);
            if (pushed == null) {
                return null;
            }
            calls.add(pushed);
            types.add(call.getType().getSqlTypeName());
        }
        List<Integer> groups = aggregate.getGroupSet().asList();
        return scan.with(spec.withAggregate(new ScanSpec.Aggregate(groups, calls, types)), aggregate.getRowType());
    }

    private static Aggregation.@Nullable Call call(AggregateCall call, ScanSpec spec) {
        if (call.isDistinct() || call.hasFilter() || call.getArgList().size() > 1 || !call.rexList.isEmpty()) {
            return null;
        }
        int place = call.getArgList().isEmpty() ? -1 : call.getArgList().get(0);
        Column column =
                place < 0 ? null : spec.table().columns().get(spec.projects().get(place));
        ColumnType type = column == null ? ColumnType.BIGINT : column.type();
        return switch (call.getAggregation().getKind()) {
            case COUNT -> new Aggregation.Call(Aggregation.Function.COUNT, place);
            case SUM -> sum(place, type);
            case MIN -> leastOrGreatest(Aggregation.Function.MIN, place, type);
            case MAX -> leastOrGreatest(Aggregation.Function.MAX, place, type);
            default -> null;
        };
    }

    private static Aggregation.@Nullable Call sum(int place, ColumnType type) {
        return switch (type) {
            case SMALLINT, INTEGER, BIGINT, DECIMAL -> new Aggregation.Call(Aggregation.Function.SUM, place);
            case REAL, DOUBLE -> new Aggregation.Call(Aggregation.Function.SUM_DOUBLE, place);
            default -> null;
        };
    }

    private static Aggregation.@Nullable Call leastOrGreatest(
            Aggregation.Function function, int place, ColumnType type) {
        return type == ColumnType.BYTEA || type == ColumnType.UUID ? null : new Aggregation.Call(function, place);
    }

    private static @Nullable RelNode sort(LogicalSort sort, LazyScan scan) {
        ScanSpec spec = scan.spec();
        if (spec.aggregate() != null || spec.limit() >= 0 || !isInOrder(sort, spec)) {
            return null;
        }
        boolean sorts = !sort.getCollation().getFieldCollations().isEmpty();
        ScanSpec ordered = sorts ? spec.inOrder() : spec;
        long fetch = constant(sort.fetch);
        long offset = sort.offset == null ? 0 : constant(sort.offset);
        if (sort.fetch == null && sort.offset == null) {
            return scan.with(ordered, scan.getRowType());
        }
        ScanSpec limited = fetch < 0 || offset < 0 ? ordered : ordered.withLimit(fetch + offset);
        LazyScan newScan = scan.with(limited, scan.getRowType());
        if (sort.offset == null && fetch >= 0) {
            return newScan;
        }
        return LogicalSort.create(newScan, org.apache.calcite.rel.RelCollations.EMPTY, sort.offset, sort.fetch);
    }

    private static long constant(@Nullable RexNode node) {
        if (node instanceof RexLiteral literal) {
            Long value = literal.getValueAs(Long.class);
            return value == null ? -1 : value;
        }
        return -1;
    }

    /** Whether the order that is asked for begins like the primary key. */
    private static boolean isInOrder(LogicalSort sort, ScanSpec spec) {
        Table table = spec.table();
        List<Integer> key = table.primary().key();
        List<RelFieldCollation> wanted = sort.getCollation().getFieldCollations();
        for (int i = 0; i < wanted.size(); i++) {
            RelFieldCollation field = wanted.get(i);
            int column = table.columns()
                    .get(spec.projects().get(field.getFieldIndex()))
                    .id();
            if (i >= key.size() || key.get(i) != column || field.direction.isDescending()) {
                return false;
            }
        }
        return true;
    }
}
