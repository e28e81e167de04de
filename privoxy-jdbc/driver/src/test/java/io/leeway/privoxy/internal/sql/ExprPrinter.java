package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Aggregation;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.CallForm;
import io.leeway.privoxy.internal.sql.ast.TypeName;
import io.leeway.privoxy.internal.sql.ast.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints expressions with parentheses around everything that has operands beside it. */
final class ExprPrinter {

    private static final String CONCATENATION = "||";

    private final PrinterOutput out;
    private final QueryPrinter queries;

    ExprPrinter(PrinterOutput out, QueryPrinter queries) {
        this.out = out;
        this.queries = queries;
    }

    void expr(Expr expr) {
        if (!atom(expr) && !predicate(expr)) {
            out.put("(");
            operators(expr);
            out.put(")");
        }
    }

    private void list(List<Expr> values) {
        out.put("(").list(values, this::expr).put(")");
    }

    /** What needs no parentheses; false if it is something else. */
    private boolean atom(Expr expr) {
        if (expr instanceof Expr.Column column) {
            out.qualifiedName(column.name());
        } else if (expr instanceof Expr.Literal literal) {
            out.literal(literal.kind(), literal.text());
        } else if (expr instanceof Expr.CharsetString string) {
            out.put("_" + string.charset() + " ")
                    .literal(string.value().kind(), string.value().text());
        } else if (expr instanceof Expr.Parameter) {
            out.put("?");
        } else if (expr instanceof Expr.PolicyParameter parameter) {
            out.put("?" + parameter.name());
        } else if (expr instanceof Expr.Star) {
            out.put("*");
        } else if (expr instanceof Expr.WholeRow row) {
            // without parentheses it would be all columns in a select list
            out.put("(").qualifiedName(row.qualifier()).put(".*)");
        } else if (expr instanceof Expr.Variable variable) {
            variable(variable);
        } else if (expr instanceof Expr.Keyword keyword) {
            out.put(keyword.word());
        } else if (expr instanceof Expr.Default) {
            out.put("DEFAULT");
        } else {
            return constructor(expr);
        }
        return true;
    }

    private boolean constructor(Expr expr) {
        if (expr instanceof Expr.Call call) {
            call(call);
        } else if (expr instanceof Expr.Cast cast && isTypedByPrefix(cast)) {
            // JSON '[1]' is an array, CAST('[1]' AS JSON) a string
            type(cast.type());
            out.put(" ");
            expr(cast.operand());
        } else if (expr instanceof Expr.Cast cast) {
            out.put(cast.form() == Expr.CastForm.TRY_CAST ? "TRY_CAST(" : "CAST(");
            expr(cast.operand());
            out.put(" AS ");
            type(cast.type());
            out.put(")");
        } else if (expr instanceof Expr.Case branch) {
            caseExpression(branch);
        } else if (expr instanceof Expr.Scalar scalar) {
            queries.parenthesised(scalar.query());
        } else if (expr instanceof Expr.Exists exists) {
            out.put("EXISTS ");
            queries.parenthesised(exists.query());
        } else if (expr instanceof Expr.Row row) {
            out.put(row.explicit() ? "ROW" : "");
            list(row.values());
        } else if (expr instanceof Expr.ArrayOf array) {
            out.put("ARRAY[").list(array.values(), this::expr).put("]");
        } else if (expr instanceof Expr.ArrayQuery array) {
            out.put("ARRAY");
            queries.parenthesised(array.query());
        } else if (expr instanceof Expr.Interval interval) {
            out.put("INTERVAL ");
            expr(interval.value());
            out.put(" " + interval.unit());
        } else if (expr instanceof Expr.SequenceValue sequence) {
            String previous = out.isMariaDb() ? "PREVIOUS" : "CURRENT";
            out.put(sequence.previous() ? previous : "NEXT").put(" VALUE FOR ").qualifiedName(sequence.sequence());
        } else if (expr instanceof Expr.NamedArgument argument) {
            out.name(argument.name()).put(" => ");
            expr(argument.value());
        } else {
            return false;
        }
        return true;
    }

    private boolean isTypedByPrefix(Expr.Cast cast) {
        boolean interval = cast.type().name().startsWith("interval");
        return out.isH2() && cast.form() == Expr.CastForm.PREFIX && !interval;
    }

    private void variable(Expr.Variable variable) {
        out.put(variable.system() ? "@@" : "@");
        out.put(variable.scope().isEmpty() ? "" : variable.scope() + ".").put(variable.name());
    }

    private void caseExpression(Expr.Case branch) {
        out.put("CASE");
        if (branch.operand() != null) {
            out.put(" ");
            expr(branch.operand());
        }
        for (Expr.When when : branch.whens()) {
            out.put(" WHEN ");
            expr(when.condition());
            out.put(" THEN ");
            expr(when.result());
        }
        if (branch.otherwise() != null) {
            out.put(" ELSE ");
            expr(branch.otherwise());
        }
        out.put(" END");
    }

    void type(TypeName type) {
        type.schema().forEach(part -> out.name(part).put("."));
        String name = type.name();
        String modifiers = type.modifiers().isEmpty() ? "" : "(" + String.join(", ", type.modifiers()) + ")";
        int split = behindFirstWord(name);
        out.put(name.substring(0, split)).put(modifiers).put(name.substring(split));
        out.put(out.isPostgres() ? "[]".repeat(type.dimensions()) : type.dimensions() > 0 ? " ARRAY" : "");
    }

    /** Where the modifiers stand: {@code timestamp(3) with time zone}, {@code char(3) character set x}, but at the end else. */
    private static int behindFirstWord(String name) {
        boolean inside = name.startsWith("time") && name.contains("time zone") || name.contains(" character set ");
        int space = name.indexOf(' ');
        return inside && space > 0 ? space : name.length();
    }

    // --- predicates --------------------------------------------------------------------------------------------------

    private boolean predicate(Expr expr) {
        if (expr instanceof Expr.InList in) {
            open(in.operand(), not(in.negated()) + " IN ");
            list(in.values());
        } else if (expr instanceof Expr.InQuery in) {
            open(in.operand(), not(in.negated()) + " IN ");
            queries.parenthesised(in.query());
        } else if (expr instanceof Expr.QuantifiedQuery quantified) {
            open(quantified.left(), " " + operator(quantified.operator()) + (quantified.all() ? " ALL " : " ANY "));
            queries.parenthesised(quantified.query());
        } else if (expr instanceof Expr.QuantifiedArray quantified) {
            open(quantified.left(), " " + operator(quantified.operator()) + (quantified.all() ? " ALL (" : " ANY ("));
            expr(quantified.array());
            out.put(")");
        } else if (expr instanceof Expr.Subscript || expr instanceof Expr.Slice) {
            out.put("(");
            subscripts(expr);
        } else if (expr instanceof Expr.Field field) {
            // A sub-query has its own: with a second pair it would be read as one that is in parentheses itself.
            boolean bare = !(field.operand() instanceof Expr.Scalar);
            out.put(bare ? "((" : "(");
            expr(field.operand());
            out.put(bare ? ")." : ".").name(field.name());
        } else {
            return false;
        }
        out.put(")");
        return true;
    }

    private void open(Expr operand, String operator) {
        out.put("(");
        expr(operand);
        out.put(operator);
    }

    /** Several subscripts belong together: parentheses between them would make another value. */
    private void subscripts(Expr expr) {
        if (expr instanceof Expr.Subscript subscript) {
            subscripts(subscript.operand());
            out.put("[");
            expr(subscript.index());
            out.put("]");
        } else if (expr instanceof Expr.Slice slice) {
            subscripts(slice.operand());
            out.put("[");
            optional(slice.low());
            out.put(" : ");
            optional(slice.high());
            out.put("]");
        } else {
            base(expr);
        }
    }

    private void base(Expr operand) {
        boolean plain =
                operand instanceof Expr.Column || operand instanceof Expr.Parameter || operand instanceof Expr.Scalar;
        out.put(plain ? "" : "(");
        expr(operand);
        out.put(plain ? "" : ")");
    }

    private void optional(@Nullable Expr expr) {
        if (expr != null) {
            expr(expr);
        }
    }

    private static String not(boolean negated) {
        return negated ? " NOT" : "";
    }

    // --- operators ---------------------------------------------------------------------------------------------------

    private void operators(Expr expr) {
        if (expr instanceof Expr.And and) {
            joined(and.operands(), " AND ");
        } else if (expr instanceof Expr.Or or) {
            joined(or.operands(), " OR ");
        } else if (expr instanceof Expr.Comparison comparison) {
            infix(comparison.left(), comparison.operator().symbol(), comparison.right());
        } else if (expr instanceof Expr.Binary binary) {
            binary(binary);
        } else if (expr instanceof Expr.Xor xor) {
            infix(xor.left(), "XOR", xor.right());
        } else if (expr instanceof Expr.IsDistinct distinct) {
            infix(distinct.left(), "IS" + not(distinct.negated()) + " DISTINCT FROM", distinct.right());
        } else if (expr instanceof Expr.Not not) {
            out.put("NOT ");
            expr(not.operand());
        } else if (expr instanceof Expr.Unary unary) {
            out.put(operator(unary.operator()) + " ");
            expr(unary.operand());
        } else {
            behind(expr);
        }
    }

    /** To H2 a chain of {@code ||} is one operation of several operands, and it matters to it which operands fail: as for AND and OR, no parentheses within. */
    private void binary(Expr.Binary binary) {
        boolean isChain = out.isH2()
                && binary.operator().equals(CONCATENATION)
                && binary.left() instanceof Expr.Binary left
                && left.operator().equals(CONCATENATION);
        if (isChain) {
            binary((Expr.Binary) binary.left());
            out.put(" " + operator(binary.operator()) + " ");
            expr(binary.right());
        } else {
            infix(binary.left(), operator(binary.operator()), binary.right());
        }
    }

    private void behind(Expr expr) {
        if (expr instanceof Expr.IsNull isNull) {
            expr(isNull.operand());
            out.put(" IS" + not(isNull.negated()) + " NULL");
        } else if (expr instanceof Expr.IsTruth isTruth) {
            expr(isTruth.operand());
            out.put(" IS" + not(isTruth.negated()) + " " + isTruth.truth());
        } else if (expr instanceof Expr.Between between) {
            expr(between.operand());
            out.put(not(between.negated()) + " BETWEEN " + (between.symmetric() ? "SYMMETRIC " : ""));
            expr(between.low());
            out.put(" AND ");
            expr(between.high());
        } else if (expr instanceof Expr.Match match) {
            match(match);
        } else if (expr instanceof Expr.Collate collate) {
            expr(collate.operand());
            out.put(" COLLATE ").functionName(collate.collation());
        } else if (expr instanceof Expr.AtTimeZone at) {
            expr(at.operand());
            out.put(at.zone() == null ? " AT LOCAL" : " AT TIME ZONE ");
            optional(at.zone());
        } else {
            throw new IllegalStateException("no notation for " + expr.getClass());
        }
    }

    private void match(Expr.Match match) {
        expr(match.operand());
        String word = match.kind() == Expr.MatchKind.SIMILAR_TO
                ? "SIMILAR TO"
                : match.kind().name();
        out.put(not(match.negated()) + " " + word + " ");
        expr(match.pattern());
        if (match.escape() != null) {
            out.put(" ESCAPE ");
            expr(match.escape());
        }
    }

    private void joined(List<Expr> operands, String word) {
        for (int i = 0; i < operands.size(); i++) {
            out.put(i == 0 ? "" : word);
            expr(operands.get(i));
        }
    }

    private void infix(Expr left, String operator, Expr right) {
        expr(left);
        out.put(" " + operator + " ");
        expr(right);
    }

    /** PostgreSQL's driver wants the question mark of an operator doubled. */
    private String operator(String operator) {
        return out.isPostgres() ? operator.replace("?", "??") : operator;
    }

    // --- calls -------------------------------------------------------------------------------------------------------

    private void call(Expr.Call call) {
        if (call.form() == CallForm.JDBC) {
            out.put("{fn ");
        }
        if (call.form() == CallForm.WORD) {
            out.functionName(call.name());
            if (!call.arguments().isEmpty()) {
                list(call.arguments());
            }
        } else if (call.form() == CallForm.SPECIAL) {
            special(call);
        } else {
            normal(call);
        }
        if (call.form() == CallForm.JDBC) {
            out.put("}");
        }
    }

    private void special(Expr.Call call) {
        String name = Chars.toUpperAscii(call.name().last().text());
        List<Expr> arguments = call.arguments();
        out.put(name).put("(");
        switch (name) {
            case "EXTRACT" -> words(arguments, List.of(" FROM "));
            case "POSITION" -> words(arguments, List.of(" IN "));
            case "OVERLAY" -> words(arguments, List.of(" PLACING ", " FROM ", " FOR "));
            case "TRIM" -> {
                expr(arguments.get(0));
                out.put(" ");
                if (arguments.size() > 2) {
                    expr(arguments.get(2));
                }
                out.put(" FROM ");
                expr(arguments.get(1));
            }
            case "CONVERT" -> words(arguments, List.of(" USING "));
            case "CHAR" -> {
                int last = arguments.size() - 1;
                out.list(arguments.subList(0, last), this::expr).put(" USING ");
                expr(arguments.get(last));
            }
            case "MATCH" -> {
                if (arguments.get(0) instanceof Expr.Row columns) {
                    out.list(columns.values(), this::expr);
                }
                out.put(") AGAINST (");
                expr(arguments.get(1));
                out.put(" ");
                expr(arguments.get(2));
            }
            default -> throw new IllegalStateException("no notation for " + name);
        }
        out.put(")");
    }

    private void words(List<Expr> arguments, List<String> words) {
        for (int i = 0; i < arguments.size(); i++) {
            out.put(i == 0 ? "" : words.get(i - 1));
            expr(arguments.get(i));
        }
    }

    private void normal(Expr.Call call) {
        Aggregation aggregation = call.aggregation();
        out.functionName(call.name()).put("(");
        out.put(aggregation != null && aggregation.distinct() ? "DISTINCT " : "");
        out.list(call.arguments(), this::expr);
        if (aggregation != null) {
            inside(aggregation);
        }
        out.put(")");
        if (aggregation != null) {
            behind(aggregation);
        }
        if (call.over() != null) {
            out.put(" OVER ");
            window(call.over());
        }
    }

    private void inside(Aggregation aggregation) {
        queries.orderBy(aggregation.orderBy());
        if (aggregation.separator() != null) {
            out.put(" SEPARATOR ");
            expr(aggregation.separator());
        }
        queries.limit(aggregation.limit());
    }

    private void behind(Aggregation aggregation) {
        if (!aggregation.withinGroup().isEmpty()) {
            out.put(" WITHIN GROUP (");
            queries.orderBy(aggregation.withinGroup());
            out.put(")");
        }
        if (aggregation.filter() != null) {
            out.put(" FILTER (WHERE ");
            expr(aggregation.filter());
            out.put(")");
        }
        if (aggregation.ignoreNulls() != null) {
            out.put(aggregation.ignoreNulls() ? " IGNORE NULLS" : " RESPECT NULLS");
        }
    }

    void window(Window window) {
        if (!window.inParentheses() && window.base() != null) {
            out.name(window.base());
            return;
        }
        out.put("(");
        if (window.base() != null) {
            out.name(window.base()).put(" ");
        }
        if (!window.partitionBy().isEmpty()) {
            out.put("PARTITION BY ").list(window.partitionBy(), this::expr);
        }
        queries.orderBy(window.orderBy());
        if (window.frame() != null) {
            frame(window.frame());
        }
        out.put(")");
    }

    private void frame(Window.Frame frame) {
        out.put(" " + frame.unit() + (frame.end() == null ? " " : " BETWEEN "));
        bound(frame.start());
        if (frame.end() != null) {
            out.put(" AND ");
            bound(frame.end());
        }
        if (frame.exclude() != null) {
            out.put(" EXCLUDE " + frame.exclude());
        }
    }

    private void bound(Window.Bound bound) {
        if (bound.offset() != null) {
            expr(bound.offset());
            out.put(" ");
        }
        out.put(bound.kind().name().replace('_', ' '));
    }
}
