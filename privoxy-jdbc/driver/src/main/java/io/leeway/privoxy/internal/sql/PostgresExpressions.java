package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.MatchKind;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's {@code a_expr} and {@code b_expr}: one level per line of the precedence table of {@code gram.y} (since
 * 9.5), climbed. Levels IS, comparison and LIKE do not associate: a second operator of the level is a syntax error
 * unless what stands before it is closed (ends with a parenthesis or a keyword). A prefix operator is read by its own
 * level wherever it stands, as the generated parser does.
 */
final class PostgresExpressions extends ExpressionParser {

    private static final int NONE = -1;
    private static final int LOWEST = 0;
    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int IS = 4;
    private static final int COMPARISON = 5;
    private static final int LIKE = 6;
    private static final int OPERATOR = 7;
    private static final int ADDITION = 8;
    private static final int MULTIPLICATION = 9;
    private static final int POWER = 10;
    private static final int AT = 11;
    private static final int COLLATE = 12;
    private static final int SIGN = 13;
    private static final int CAST = 14;

    /** Level of the operator applied last if it does not associate and its right end is open, otherwise NONE. */
    private int open = NONE;

    PostgresExpressions(Grammar grammar) {
        super(grammar);
    }

    @Override
    Expr expression() {
        return climb(LOWEST, false);
    }

    @Override
    Expr operand() {
        return climb(LOWEST, true);
    }

    /** An expression whose infix operators are all of {@code minimum} or higher; {@code restricted} for b_expr. */
    private Expr climb(int minimum, boolean restricted) {
        cursor.enter();
        Expr left = prefixed(restricted);
        int blocked = NONE;
        for (int chain = 0; ; chain++) {
            int level = level(restricted);
            if (level < minimum || level == NONE) {
                break;
            }
            if (level == blocked) {
                // An error to the server as well: a = b = c.
                throw cursor.unsupported("operator that does not associate with the one before");
            }
            cursor.checkChain(chain);
            open = NONE;
            left = apply(left, level, restricted);
            blocked = open;
        }
        open = NONE;
        cursor.leave();
        return left;
    }

    private Expr prefixed(boolean restricted) {
        if (grammar.primaries().hasPending()) {
            return grammar.primaries().primary();
        }
        int position = cursor.position();
        if (cursor.at(TokenKind.OPERATOR)) {
            String operator = cursor.text();
            cursor.next();
            return switch (operator) {
                case "+", "-" -> new Expr.Unary(operator, climb(SIGN, restricted), position);
                case "*", "/", "%", "^", "=", "<", ">", "<=", ">=", "<>", "::", ":=", ":", "=>" ->
                    throw cursor.unsupported("operator " + operator + " here", position);
                // Any other run of operator characters may be a prefix operator; whether it is one that is known is not
                // asked here.
                default -> new Expr.Unary(operator, climb(OPERATOR + 1, restricted), position);
            };
        }
        if (!restricted && cursor.accept("NOT")) {
            return new Expr.Not(climb(NOT, false), position);
        }
        if (atOperatorWord()) {
            String operator = operatorWord();
            return new Expr.Unary(operator, climb(OPERATOR + 1, restricted), position);
        }
        return grammar.primaries().primary();
    }

    /** Level of the infix operator here, or NONE. */
    private int level(boolean restricted) {
        if (cursor.at(TokenKind.OPERATOR)) {
            return switch (cursor.text()) {
                case "::" -> CAST;
                case "=", "<>", "<", ">", "<=", ">=" -> COMPARISON;
                case "+", "-" -> ADDITION;
                case "*", "/", "%" -> MULTIPLICATION;
                case "^" -> POWER;
                // They belong to slices and named arguments.
                case ":", ":=", "=>" -> NONE;
                default -> OPERATOR;
            };
        }
        if (!cursor.at(TokenKind.WORD)) {
            return NONE;
        }
        return restricted ? restrictedWordLevel() : wordLevel();
    }

    private int restrictedWordLevel() {
        boolean distinct =
                cursor.at("IS") && (cursor.at(1, "DISTINCT") || cursor.at(1, "NOT") && cursor.at(2, "DISTINCT"));
        return distinct ? IS : atOperatorWord() ? OPERATOR : NONE;
    }

    private int wordLevel() {
        return switch (Chars.upper(cursor.tokens().sql().charAt(cursor.position()))) {
            case 'A' ->
                cursor.at("AND") ? AND : cursor.at("AT") && (cursor.at(1, "TIME") || cursor.at(1, "LOCAL")) ? AT : NONE;
            case 'B' -> cursor.at("BETWEEN") ? LIKE : NONE;
            case 'C' -> cursor.at("COLLATE") ? COLLATE : NONE;
            case 'I' ->
                cursor.at("IN") || cursor.at("ILIKE") ? LIKE : cursor.at("IS") || cursor.at("ISNULL") ? IS : NONE;
            case 'L' -> cursor.at("LIKE") ? LIKE : NONE;
            case 'N' -> cursor.at("NOTNULL") ? IS : cursor.at("NOT") && atNegatable() ? LIKE : NONE;
            case 'O' -> cursor.at("OR") ? OR : atOperatorWord() ? OPERATOR : overlaps();
            case 'S' -> cursor.at("SIMILAR") ? LIKE : NONE;
            default -> NONE;
        };
    }

    private int overlaps() {
        if (cursor.at("OVERLAPS")) {
            // It takes rows of two on both sides, by rules of its own for NULL and empty times.
            throw cursor.unsupported("OVERLAPS");
        }
        return NONE;
    }

    private boolean atNegatable() {
        return cursor.at(1, "BETWEEN")
                || cursor.at(1, "IN")
                || cursor.at(1, "LIKE")
                || cursor.at(1, "ILIKE")
                || cursor.at(1, "SIMILAR");
    }

    private Expr apply(Expr left, int level, boolean restricted) {
        int position = cursor.position();
        return switch (level) {
            case OR -> new Expr.Or(operands(left, "OR", OR), position);
            case AND -> new Expr.And(operands(left, "AND", AND), position);
            case IS -> is(left, position, restricted);
            case COMPARISON -> comparison(left, position, restricted);
            case LIKE -> predicate(left, position);
            case AT -> atTimeZone(left, position);
            case COLLATE -> {
                cursor.next();
                yield new Expr.Collate(left, cursor.qualifiedName(Keywords.NOT_COLUMN), position);
            }
            case CAST -> {
                cursor.next();
                yield new Expr.Cast(left, grammar.types().type(), Expr.CastForm.COLONS, position);
            }
            default -> infix(left, level, position, restricted);
        };
    }

    private List<Expr> operands(Expr first, String word, int level) {
        var operands = new ArrayList<Expr>();
        operands.add(first);
        while (cursor.accept(word)) {
            operands.add(climb(level + 1, false));
        }
        return operands;
    }

    private Expr infix(Expr left, int level, int position, boolean restricted) {
        String operator;
        if (atOperatorWord()) {
            operator = operatorWord();
        } else {
            operator = cursor.text();
            cursor.next();
        }
        if (!restricted && atQuantifier()) {
            return quantified(left, operator, position);
        }
        return new Expr.Binary(operator, left, climb(level + 1, restricted), position);
    }

    private Expr comparison(Expr left, int position, boolean restricted) {
        ComparisonOperator operator = comparisonHere();
        if (operator == null) {
            throw cursor.unexpected();
        }
        cursor.next();
        if (!restricted && atQuantifier()) {
            return quantified(left, operator.symbol(), position);
        }
        Expr right = climb(COMPARISON + 1, restricted);
        open = COMPARISON;
        return new Expr.Comparison(operator, left, right, position);
    }

    private Expr is(Expr left, int position, boolean restricted) {
        if (cursor.accept("ISNULL")) {
            return new Expr.IsNull(left, false, position);
        }
        if (cursor.accept("NOTNULL")) {
            return new Expr.IsNull(left, true, position);
        }
        cursor.expect("IS");
        boolean negated = cursor.accept("NOT");
        Expr closed = isTail(left, negated, position);
        if (closed != null) {
            return closed;
        }
        Expr right = climb(IS + 1, restricted);
        open = IS;
        return new Expr.IsDistinct(left, right, negated, position);
    }

    private Expr predicate(Expr left, int position) {
        boolean negated = cursor.accept("NOT");
        if (cursor.accept("IN")) {
            return inTail(left, negated, position);
        }
        if (cursor.accept("BETWEEN")) {
            boolean symmetric = cursor.accept("SYMMETRIC");
            if (!symmetric) {
                cursor.accept("ASYMMETRIC");
            }
            Expr low = climb(LOWEST, true);
            cursor.expect("AND");
            Expr high = climb(LIKE + 1, false);
            open = LIKE;
            return new Expr.Between(left, low, high, symmetric, negated, position);
        }
        MatchKind kind = matchKind();
        if (kind != MatchKind.SIMILAR_TO && atQuantifier()) {
            return quantified(left, (negated ? "NOT " : "") + kind, position);
        }
        Expr pattern = climb(LIKE + 1, false);
        Expr escape = escape();
        open = LIKE;
        return new Expr.Match(kind, left, pattern, escape, negated, position);
    }

    private MatchKind matchKind() {
        if (cursor.accept("LIKE")) {
            return MatchKind.LIKE;
        }
        if (cursor.accept("ILIKE")) {
            return MatchKind.ILIKE;
        }
        cursor.expect("SIMILAR");
        cursor.expect("TO");
        return MatchKind.SIMILAR_TO;
    }

    private @Nullable Expr escape() {
        if (cursor.accept("ESCAPE")) {
            return climb(LIKE + 1, false);
        }
        return jdbcEscape();
    }

    private Expr atTimeZone(Expr left, int position) {
        cursor.next();
        if (cursor.accept("LOCAL")) {
            return new Expr.AtTimeZone(left, null, position);
        }
        cursor.expect("TIME");
        cursor.expect("ZONE");
        return new Expr.AtTimeZone(left, climb(AT + 1, false), position);
    }

    private boolean atOperatorWord() {
        return cursor.at("OPERATOR") && cursor.kind(1) == TokenKind.LEFT_PAREN;
    }

    /**
     * {@code OPERATOR(schema.+)}, which has its own level whatever the operator.
     *
     * <p>Kept with its schema, since {@code OPERATOR(s.=)} is whatever schema s says it is.
     */
    private String operatorWord() {
        cursor.next();
        cursor.expect(TokenKind.LEFT_PAREN);
        var text = new StringBuilder("OPERATOR(");
        while (cursor.atName(0)) {
            QualifiedName schema = new QualifiedName(List.of(cursor.name(0)), cursor.position());
            text.append('"').append(schema.toString().replace("\"", "\"\"")).append("\".");
            cursor.expect(TokenKind.DOT);
        }
        if (!cursor.at(TokenKind.OPERATOR)) {
            throw cursor.unexpected();
        }
        text.append(cursor.text()).append(')');
        cursor.next();
        cursor.expect(TokenKind.RIGHT_PAREN);
        return text.toString();
    }
}
