package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.Truth;
import io.leeway.privoxy.internal.sql.ast.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Expressions. The dialects differ in precedence and associativity, which subclasses hold; what their operators look
 * like is here.
 *
 * <p>Parentheses may hold an expression or a query, and {@code ((SELECT …) + 1)} shows only late which. So what stood
 * in inner parentheses is handed back as a first operand ({@link #continueWith}), and nothing is read twice.
 *
 * <p>Precedence decides what a condition means: {@code NOT a = b} is {@code NOT (a = b)} on all three, but {@code a = b
 * IS NULL}, {@code a || b = c} and {@code a < b < c} are read differently or not at all. Each dialect is therefore
 * written after its server's own grammar and held against it ({@code PostgresReadingIT}, {@code MariaDbReadingIT},
 * {@code H2ReadingTest}).
 */
abstract class ExpressionParser {

    protected final Grammar grammar;
    protected final Cursor cursor;

    ExpressionParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
    }

    /** What stood in parentheses: a query, or one or several expressions. */
    record Parenthesised(@Nullable Query query, List<Expr> values, int position) {

        Expr toExpr() {
            if (query != null) {
                return new Expr.Scalar(query, position);
            }
            return values.size() == 1 ? values.get(0) : new Expr.Row(values, false, position);
        }
    }

    /** Any expression. */
    abstract Expr expression();

    /** An operand as {@code POSITION(x IN y)} takes it: without IN, and in PostgreSQL without logic. */
    abstract Expr operand();

    /** An expression whose first operand has been read. */
    final Expr continueWith(Expr first) {
        grammar.primaries().setPending(first);
        return expression();
    }

    /** A comma-separated list of at least one expression. */
    final List<Expr> list() {
        var values = new ArrayList<Expr>();
        do {
            values.add(expression());
        } while (cursor.accept(TokenKind.COMMA));
        return values;
    }

    /** Parentheses and what is in them. */
    final Parenthesised parenthesised() {
        cursor.enter();
        int position = cursor.position();
        cursor.expect(TokenKind.LEFT_PAREN);
        Parenthesised result = inParentheses(position);
        cursor.expect(TokenKind.RIGHT_PAREN);
        cursor.leave();
        return result;
    }

    private Parenthesised inParentheses(int position) {
        QueryParser queries = grammar.queries();
        if (queries.atQueryWord()) {
            return new Parenthesised(queries.query(), List.of(), position);
        }
        var values = new ArrayList<Expr>();
        if (cursor.at(TokenKind.LEFT_PAREN)) {
            Parenthesised inner = parenthesised();
            if (inner.query() != null && queries.atContinuation()) {
                return new Parenthesised(queries.continueWith(inner.query(), inner.position()), List.of(), position);
            }
            values.add(continueWith(inner.toExpr()));
        } else {
            values.add(expression());
        }
        while (cursor.accept(TokenKind.COMMA)) {
            values.add(expression());
        }
        return new Parenthesised(null, values, position);
    }

    /** A query in parentheses. */
    final Query subquery() {
        Parenthesised content = parenthesised();
        if (content.query() == null) {
            // ((SELECT …) + 1) stands where only a query may.
            throw cursor.unsupported("expression in place of a query", content.position());
        }
        return content.query();
    }

    /** Comparison operator here, or null. */
    protected final @Nullable ComparisonOperator comparisonHere() {
        if (!cursor.at(TokenKind.OPERATOR)) {
            return null;
        }
        return switch (cursor.text()) {
            case "=" -> ComparisonOperator.EQ;
            case "<>" -> ComparisonOperator.NE;
            case "<" -> ComparisonOperator.LT;
            case "<=" -> ComparisonOperator.LE;
            case ">" -> ComparisonOperator.GT;
            case ">=" -> ComparisonOperator.GE;
            case "<=>" -> ComparisonOperator.NULL_SAFE_EQ;
            default -> null;
        };
    }

    /** Whether ANY, SOME or ALL with its parenthesis stands here. */
    protected final boolean atQuantifier() {
        return (cursor.at("ANY") || cursor.at("SOME") || cursor.at("ALL")) && cursor.kind(1) == TokenKind.LEFT_PAREN;
    }

    /** ANY, SOME or ALL and its query or array, behind an operator. */
    protected final Expr quantified(Expr left, String operator, int position) {
        boolean all = cursor.at("ALL");
        cursor.next();
        Parenthesised content = parenthesised();
        if (content.query() != null) {
            return new Expr.QuantifiedQuery(left, operator, all, content.query(), position);
        }
        if (content.values().size() != 1) {
            throw cursor.unsupported("list behind ANY or ALL", content.position());
        }
        return new Expr.QuantifiedArray(left, operator, all, content.values().get(0), position);
    }

    /** What follows IN. */
    protected final Expr inTail(Expr left, boolean negated, int position) {
        Parenthesised content = parenthesised();
        return content.query() != null
                ? new Expr.InQuery(left, content.query(), negated, position)
                : new Expr.InList(left, content.values(), negated, position);
    }

    /** What follows IS [NOT] and needs no operand; null if DISTINCT FROM does. */
    protected final @Nullable Expr isTail(Expr left, boolean negated, int position) {
        if (cursor.accept("NULL")) {
            return new Expr.IsNull(left, negated, position);
        }
        if (cursor.accept("TRUE")) {
            return new Expr.IsTruth(left, Truth.TRUE, negated, position);
        }
        if (cursor.accept("FALSE")) {
            return new Expr.IsTruth(left, Truth.FALSE, negated, position);
        }
        if (cursor.accept("UNKNOWN")) {
            return new Expr.IsTruth(left, Truth.UNKNOWN, negated, position);
        }
        if (!cursor.isMariaDb() && cursor.accept("DISTINCT", "FROM")) {
            return null;
        }
        throw cursor.unexpected();
    }

    /** JDBC's <code>{escape 'c'}</code>; null if it is not here. */
    protected final @Nullable Expr jdbcEscape() {
        if (!cursor.at(TokenKind.LEFT_BRACE) || !cursor.at(1, "ESCAPE")) {
            return null;
        }
        grammar.primaries().checkBraces();
        cursor.next();
        cursor.next();
        if (!cursor.at(TokenKind.STRING)) {
            throw cursor.unexpected();
        }
        Expr escape = grammar.primaries().primary();
        cursor.expect(TokenKind.RIGHT_BRACE);
        return escape;
    }
}
