package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Aggregation;
import io.leeway.privoxy.internal.sql.ast.Assignment;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.GroupItem;
import io.leeway.privoxy.internal.sql.ast.InsertSource;
import io.leeway.privoxy.internal.sql.ast.Limit;
import io.leeway.privoxy.internal.sql.ast.MergeWhen;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.OnConflict;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Window;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a node of the syntax tree: all expressions, queries and tables directly below it. Walks that must not
 * miss anything go through here; a test compares it with the records' components. A kind of node that is not known has
 * no parts to tell, and asking for them is an error.
 */
final class Tree {

    private Tree() {}

    /**
     * What stands directly below; names, types and literals' texts are not nodes here.
     *
     * <p>Vetting, the account and the walks for order all rely on it, so a component that is left out here would be a
     * part of statements that nobody sees: {@code TreeTest.childrenAreAllNodesAmongTheComponents} holds it against the
     * records by reflection.
     */
    static List<Node> children(Node node) {
        var parts = new Parts();
        boolean known = node instanceof Expr expression
                ? expression(expression, parts) || operation(expression, parts) || rarer(expression, parts)
                : query(node, parts) || item(node, parts) || StatementTree.add(node, parts);
        // An error, which refuses the statement: a node without children that are known would be one whose sub-queries
        // nobody sees.
        if (!known) {
            throw new IllegalArgumentException("unknown node " + node.getClass().getName());
        }
        return parts.nodes;
    }

    /** Collects children; null is nothing. */
    static final class Parts {

        private final List<Node> nodes = new ArrayList<>();

        boolean add(@Nullable Node... parts) {
            for (Node part : parts) {
                if (part != null) {
                    nodes.add(part);
                }
            }
            return true;
        }

        boolean addAll(List<? extends Node> parts) {
            nodes.addAll(parts);
            return true;
        }
    }

    private static boolean expression(Expr e, Parts parts) {
        if (e instanceof Expr.Column
                || e instanceof Expr.Literal
                || e instanceof Expr.Parameter
                || e instanceof Expr.PolicyParameter
                || e instanceof Expr.Variable
                || e instanceof Expr.Star
                || e instanceof Expr.WholeRow
                || e instanceof Expr.Keyword
                || e instanceof Expr.Default
                || e instanceof Expr.SequenceValue) {
            return true;
        }
        if (e instanceof Expr.Comparison comparison) {
            return parts.add(comparison.left(), comparison.right());
        }
        if (e instanceof Expr.And and) {
            return parts.addAll(and.operands());
        }
        if (e instanceof Expr.Or or) {
            return parts.addAll(or.operands());
        }
        if (e instanceof Expr.Not not) {
            return parts.add(not.operand());
        }
        return e instanceof Expr.Call call && call(call, parts);
    }

    private static boolean call(Expr.Call call, Parts parts) {
        parts.addAll(call.arguments());
        Aggregation aggregation = call.aggregation();
        if (aggregation != null) {
            parts.addAll(aggregation.orderBy());
            parts.addAll(aggregation.withinGroup());
            parts.add(aggregation.filter(), aggregation.separator(), aggregation.limit());
        }
        return parts.add(call.over());
    }

    private static boolean operation(Expr e, Parts parts) {
        if (e instanceof Expr.Binary binary) {
            return parts.add(binary.left(), binary.right());
        }
        if (e instanceof Expr.Unary unary) {
            return parts.add(unary.operand());
        }
        if (e instanceof Expr.Xor xor) {
            return parts.add(xor.left(), xor.right());
        }
        if (e instanceof Expr.IsNull test) {
            return parts.add(test.operand());
        }
        if (e instanceof Expr.IsTruth test) {
            return parts.add(test.operand());
        }
        if (e instanceof Expr.IsDistinct test) {
            return parts.add(test.left(), test.right());
        }
        if (e instanceof Expr.Between between) {
            return parts.add(between.operand(), between.low(), between.high());
        }
        if (e instanceof Expr.InList in) {
            return parts.add(in.operand()) && parts.addAll(in.values());
        }
        if (e instanceof Expr.InQuery in) {
            return parts.add(in.operand(), in.query());
        }
        if (e instanceof Expr.Exists exists) {
            return parts.add(exists.query());
        }
        if (e instanceof Expr.QuantifiedQuery quantified) {
            return parts.add(quantified.left(), quantified.query());
        }
        if (e instanceof Expr.QuantifiedArray quantified) {
            return parts.add(quantified.left(), quantified.array());
        }
        return e instanceof Expr.Match match && parts.add(match.operand(), match.pattern(), match.escape());
    }

    private static boolean rarer(Expr e, Parts parts) {
        if (e instanceof Expr.Case choice) {
            parts.add(choice.operand());
            choice.whens().forEach(when -> parts.add(when.condition(), when.result()));
            return parts.add(choice.otherwise());
        }
        if (e instanceof Expr.Cast cast) {
            return parts.add(cast.operand());
        }
        if (e instanceof Expr.NamedArgument named) {
            return parts.add(named.value());
        }
        if (e instanceof Expr.Row row) {
            return parts.addAll(row.values());
        }
        if (e instanceof Expr.ArrayOf array) {
            return parts.addAll(array.values());
        }
        if (e instanceof Expr.ArrayQuery array) {
            return parts.add(array.query());
        }
        if (e instanceof Expr.Subscript subscript) {
            return parts.add(subscript.operand(), subscript.index());
        }
        if (e instanceof Expr.Slice slice) {
            return parts.add(slice.operand(), slice.low(), slice.high());
        }
        if (e instanceof Expr.Field field) {
            return parts.add(field.operand());
        }
        if (e instanceof Expr.Scalar scalar) {
            return parts.add(scalar.query());
        }
        if (e instanceof Expr.Interval interval) {
            return parts.add(interval.value());
        }
        if (e instanceof Expr.Collate collate) {
            return parts.add(collate.operand());
        }
        if (e instanceof Expr.CharsetString string) {
            return parts.add(string.value());
        }
        return e instanceof Expr.AtTimeZone at && parts.add(at.operand(), at.zone());
    }

    private static boolean query(Node node, Parts parts) {
        if (node instanceof Query query) {
            parts.add(query.with(), query.body());
            parts.addAll(query.orderBy());
            return parts.add(query.limit());
        }
        if (node instanceof QueryBody.Select select) {
            parts.addAll(select.distinctOn());
            parts.addAll(select.items());
            parts.addAll(select.from());
            parts.add(select.where());
            parts.addAll(select.groupBy());
            parts.add(select.having());
            select.windows().forEach(named -> parts.add(named.window()));
            return parts.add(select.qualify());
        }
        if (node instanceof QueryBody.SetOperation operation) {
            return parts.add(operation.left(), operation.right());
        }
        if (node instanceof QueryBody.Values values) {
            values.rows().forEach(parts::addAll);
            return true;
        }
        if (node instanceof QueryBody.Nested nested) {
            return parts.add(nested.query());
        }
        if (node instanceof With with) {
            return parts.addAll(with.tables());
        }
        if (node instanceof With.CommonTable table) {
            return parts.add(table.statement());
        }
        return node instanceof QueryBody.Table;
    }

    private static boolean item(Node node, Parts parts) {
        if (node instanceof SelectItem.Value value) {
            return parts.add(value.expr());
        }
        if (node instanceof OrderItem order) {
            return parts.add(order.key());
        }
        if (node instanceof Limit limit) {
            return parts.add(limit.count(), limit.offset());
        }
        if (node instanceof Window window) {
            parts.addAll(window.partitionBy());
            parts.addAll(window.orderBy());
            return window.frame() == null || frame(window.frame(), parts);
        }
        if (node instanceof Assignment assignment) {
            return parts.add(assignment.value());
        }
        if (node instanceof FromItem from) {
            return fromItem(from, parts);
        }
        return node instanceof GroupItem group ? groupItem(group, parts) : node instanceof SelectItem.All;
    }

    private static boolean frame(Window.Frame frame, Parts parts) {
        Window.Bound end = frame.end();
        return parts.add(frame.start().offset(), end == null ? null : end.offset());
    }

    private static boolean fromItem(FromItem item, Parts parts) {
        if (item instanceof FromItem.Derived derived) {
            return parts.add(derived.query());
        }
        if (item instanceof FromItem.Function function) {
            return parts.add(function.call());
        }
        if (item instanceof FromItem.Join join) {
            return parts.add(join.left(), join.right(), join.on());
        }
        return item instanceof FromItem.Table;
    }

    private static boolean groupItem(GroupItem item, Parts parts) {
        if (item instanceof GroupItem.Value value) {
            return parts.add(value.expr());
        }
        if (item instanceof GroupItem.Rollup rollup) {
            return parts.addAll(rollup.values());
        }
        if (item instanceof GroupItem.Cube cube) {
            return parts.addAll(cube.values());
        }
        if (item instanceof GroupItem.Sets sets) {
            return parts.addAll(sets.items());
        }
        return item instanceof GroupItem.Empty;
    }

    /** The parts of INSERT's sources, ON CONFLICT and MERGE's clauses. */
    static boolean clause(Node node, Parts parts) {
        if (node instanceof InsertSource.Rows rows) {
            rows.rows().forEach(parts::addAll);
            return true;
        }
        if (node instanceof InsertSource.FromQuery query) {
            return parts.add(query.query());
        }
        if (node instanceof OnConflict conflict) {
            parts.addAll(conflict.keys());
            parts.add(conflict.keyWhere());
            parts.addAll(conflict.updates());
            return parts.add(conflict.where());
        }
        if (node instanceof MergeWhen when) {
            parts.add(when.condition());
            parts.addAll(when.values());
            return parts.addAll(when.updates());
        }
        return node instanceof InsertSource.Defaults;
    }
}
