package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.query.Doubles;
import io.leeway.lazybase.internal.query.Predicate;
import io.leeway.lazybase.internal.query.Predicate.Op;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Conditions that the readers of a table evaluate themselves: what Calcite says of them, and the {@link Predicate}s that they become. */
final class PushDown {

    private PushDown() {}

    /** Whether a condition on the table's columns can be handed down. */
    static boolean accepts(Table table, RexNode node) {
        if (node instanceof RexInputRef) {
            return isBoolean(table, node);
        }
        if (!(node instanceof RexCall call)) {
            return false;
        }
        List<RexNode> operands = call.getOperands();
        return switch (call.getKind()) {
            case AND, OR -> operands.stream().allMatch(operand -> accepts(table, operand));
            case NOT -> isBoolean(table, operands.get(0));
            case IS_NULL, IS_NOT_NULL -> operands.get(0) instanceof RexInputRef;
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                acceptsComparison(table, operands.get(0), operands.get(1))
                        || acceptsComparison(table, operands.get(1), operands.get(0));
            default -> false;
        };
    }

    private static boolean isBoolean(Table table, RexNode node) {
        return node instanceof RexInputRef ref && column(table, ref).type() == ColumnType.BOOLEAN;
    }

    private static Column column(Table table, RexInputRef ref) {
        return table.columns().get(ref.getIndex());
    }

    private static boolean acceptsComparison(Table table, RexNode left, RexNode right) {
        RexInputRef ref = reference(left);
        if (ref == null || !isValue(right)) {
            return false;
        }
        Column column = column(table, ref);
        SqlTypeName type = right.getType().getSqlTypeName();
        return switch (column.type()) {
            case SMALLINT, INTEGER, BIGINT, DECIMAL -> SqlTypeName.EXACT_TYPES.contains(type);
            case REAL, DOUBLE -> SqlTypeName.NUMERIC_TYPES.contains(type);
            case TEXT, VARCHAR, JSON -> SqlTypeName.CHAR_TYPES.contains(type);
            case BOOLEAN -> type == SqlTypeName.BOOLEAN;
            case BYTEA -> SqlTypeName.BINARY_TYPES.contains(type);
            case UUID -> type == SqlTypeName.UUID;
            case DATE -> type == SqlTypeName.DATE;
            case TIME -> type == SqlTypeName.TIME;
            case TIMESTAMP, TIMESTAMPTZ -> type == SqlTypeName.TIMESTAMP;
        };
    }

    /** A column, also one that is cast to a wider type of the same kind, which changes no comparison. */
    private static @Nullable RexInputRef reference(RexNode node) {
        if (node instanceof RexInputRef ref) {
            return ref;
        }
        if (node instanceof RexCall call
                && call.getKind() == SqlKind.CAST
                && call.getOperands().get(0) instanceof RexInputRef ref) {
            SqlTypeName from = ref.getType().getSqlTypeName();
            SqlTypeName to = call.getType().getSqlTypeName();
            boolean integers = SqlTypeName.INT_TYPES.contains(from) && SqlTypeName.INT_TYPES.contains(to);
            boolean wider = integers && from.compareTo(to) <= 0;
            boolean texts = from.getFamily() == SqlTypeFamily.CHARACTER
                    && to == SqlTypeName.VARCHAR
                    && call.getType().getPrecision() < 0;
            boolean doubles = from == SqlTypeName.REAL && to == SqlTypeName.DOUBLE;
            return wider || texts || doubles ? ref : null;
        }
        return null;
    }

    private static boolean isValue(RexNode node) {
        if (node instanceof RexLiteral || node instanceof RexDynamicParam) {
            return true;
        }
        // A parameter whose cast does nothing but give it a wider type.
        return node instanceof RexCall call
                && call.getKind() == SqlKind.CAST
                && call.getOperands().get(0) instanceof RexDynamicParam parameter
                && parameter.getType().getSqlTypeName() == call.getType().getSqlTypeName()
                && parameter.getType().getScale() == call.getType().getScale();
    }

    /** Where the values of parameters are. */
    interface Parameters {
        @Nullable
        Object parameter(int index);
    }

    /** The conditions with their values, to price a query; a parameter that is not known is NULL. */
    static Predicate bindPrice(Table table, List<RexNode> filters, List<?> parameters) {
        return bind(table, filters, index -> index < parameters.size() ? parameters.get(index) : null);
    }

    /** The conditions with their values. */
    static Predicate bind(Table table, List<RexNode> filters, Parameters context) {
        if (filters.isEmpty()) {
            return new Predicate.Constant(true);
        }
        var parts = new ArrayList<Predicate>();
        for (RexNode filter : filters) {
            Predicate part = bind(table, filter, context);
            if (part instanceof Predicate.And and) {
                parts.addAll(and.parts());
            } else {
                parts.add(part);
            }
        }
        return parts.size() == 1 ? parts.get(0) : new Predicate.And(parts);
    }

    private static Predicate bind(Table table, RexNode node, Parameters context) {
        if (node instanceof RexInputRef ref) {
            return new Predicate.CompareLong(column(table, ref).id(), Op.EQUAL, 1);
        }
        RexCall call = (RexCall) node;
        List<RexNode> operands = call.getOperands();
        return switch (call.getKind()) {
            case AND -> bind(table, operands, context);
            case OR ->
                or(operands.stream()
                        .map(operand -> bind(table, operand, context))
                        .toList());
            case NOT ->
                new Predicate.CompareLong(
                        column(table, (RexInputRef) operands.get(0)).id(), Op.EQUAL, 0);
            case IS_NULL, IS_NOT_NULL ->
                new Predicate.IsNull(
                        column(table, (RexInputRef) operands.get(0)).id(), call.getKind() == SqlKind.IS_NULL);
            default -> comparison(table, call, context);
        };
    }

    private static Predicate comparison(Table table, RexCall call, Parameters context) {
        List<RexNode> operands = call.getOperands();
        RexInputRef left = reference(operands.get(0));
        boolean turned = left == null || !isValue(operands.get(1));
        RexInputRef ref = turned ? reference(operands.get(1)) : left;
        if (ref == null) {
            throw new IllegalStateException("not a comparison with a column: " + call);
        }
        Op op = op(turned ? call.getKind().reverse() : call.getKind());
        return compare(column(table, ref), op, value(operands.get(turned ? 0 : 1), context));
    }

    /** Equalities of one column are looked up together, which also makes them ranges of keys. */
    private static Predicate or(List<Predicate> parts) {
        var values = new ArrayList<Long>();
        int column = -1;
        for (Predicate part : parts) {
            if (!(part instanceof Predicate.CompareLong compare)
                    || compare.op() != Op.EQUAL
                    || (column >= 0 && compare.column() != column)) {
                return new Predicate.Or(parts);
            }
            column = compare.column();
            values.add(compare.value());
        }
        long[] sorted =
                values.stream().mapToLong(Long::longValue).sorted().distinct().toArray();
        return new Predicate.InLongs(column, sorted);
    }

    private static Op op(SqlKind kind) {
        return switch (kind) {
            case EQUALS -> Op.EQUAL;
            case NOT_EQUALS -> Op.NOT_EQUAL;
            case LESS_THAN -> Op.LESS;
            case LESS_THAN_OR_EQUAL -> Op.LESS_OR_EQUAL;
            case GREATER_THAN -> Op.GREATER;
            case GREATER_THAN_OR_EQUAL -> Op.GREATER_OR_EQUAL;
            default -> throw new IllegalStateException("not a comparison: " + kind);
        };
    }

    private static @Nullable Object value(RexNode node, Parameters context) {
        if (node instanceof RexLiteral literal) {
            return literal(literal);
        }
        if (node instanceof RexDynamicParam parameter) {
            return context.parameter(parameter.getIndex());
        }
        return value(((RexCall) node).getOperands().get(0), context);
    }

    private static @Nullable Object literal(RexLiteral literal) {
        if (literal.isNull()) {
            return null;
        }
        return switch (literal.getType().getSqlTypeName()) {
            case BOOLEAN -> literal.getValueAs(Boolean.class);
            case CHAR, VARCHAR -> literal.getValueAs(String.class);
            case BINARY, VARBINARY -> literal.getValueAs(ByteString.class);
            case DATE, TIME -> literal.getValueAs(Integer.class);
            case TIMESTAMP -> literal.getValueAs(Long.class);
            case UUID -> literal.getValueAs(UUID.class);
            default -> literal.getValueAs(BigDecimal.class);
        };
    }

    private static Predicate compare(Column column, Op op, @Nullable Object value) {
        if (value == null) {
            return new Predicate.Constant(false);
        }
        int id = column.id();
        return switch (column.type()) {
            case TEXT, VARCHAR, JSON, BYTEA, UUID -> new Predicate.CompareBytes(id, op, bytes(column, value));
            case REAL, DOUBLE -> new Predicate.CompareLong(id, op, Doubles.bits(((Number) value).doubleValue()));
            case BOOLEAN -> new Predicate.CompareLong(id, op, (Boolean) value ? 1 : 0);
            case DECIMAL, SMALLINT, INTEGER, BIGINT -> exact(column, op, new BigDecimal(value.toString()));
            default -> new Predicate.CompareLong(id, op, ((Number) value).longValue());
        };
    }

    private static byte[] bytes(Column column, Object value) {
        return value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : Values.storedBytes(column, value);
    }

    /** A number may have more digits than the column, or be out of its range: the comparison stays right. */
    private static Predicate exact(Column column, Op op, BigDecimal value) {
        BigDecimal scaled = value.movePointRight(column.scale());
        BigInteger floor = scaled.setScale(0, RoundingMode.FLOOR).toBigInteger();
        boolean isWhole = new BigDecimal(floor).compareTo(scaled) == 0;
        if (floor.bitLength() > 63) {
            boolean above = floor.signum() > 0;
            boolean all = op == Op.NOT_EQUAL
                    || (above
                            ? op == Op.LESS || op == Op.LESS_OR_EQUAL
                            : op == Op.GREATER || op == Op.GREATER_OR_EQUAL);
            return all ? new Predicate.IsNull(column.id(), false) : new Predicate.Constant(false);
        }
        if (isWhole) {
            return new Predicate.CompareLong(column.id(), op, floor.longValue());
        }
        return switch (op) {
            case EQUAL -> new Predicate.Constant(false);
            case NOT_EQUAL -> new Predicate.IsNull(column.id(), false);
            case LESS, LESS_OR_EQUAL -> new Predicate.CompareLong(column.id(), Op.LESS_OR_EQUAL, floor.longValue());
            case GREATER, GREATER_OR_EQUAL -> new Predicate.CompareLong(column.id(), Op.GREATER, floor.longValue());
        };
    }

    /** The numbers of the columns that a predicate looks at. */
    static void columns(Predicate predicate, Set<Integer> ids) {
        if (predicate instanceof Predicate.And and) {
            and.parts().forEach(part -> columns(part, ids));
        } else if (predicate instanceof Predicate.Or or) {
            or.parts().forEach(part -> columns(part, ids));
        } else if (predicate instanceof Predicate.CompareLong compare) {
            ids.add(compare.column());
        } else if (predicate instanceof Predicate.CompareBytes compare) {
            ids.add(compare.column());
        } else if (predicate instanceof Predicate.InLongs in) {
            ids.add(in.column());
        } else if (predicate instanceof Predicate.StartsWith starts) {
            ids.add(starts.column());
        } else if (predicate instanceof Predicate.IsNull isNull) {
            ids.add(isNull.column());
        }
    }
}
