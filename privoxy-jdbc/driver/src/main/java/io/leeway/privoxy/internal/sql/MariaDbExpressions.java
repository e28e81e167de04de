package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.MatchKind;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB's expressions, in the layers of {@code sql_yacc.yy}: {@code expr} (logic), {@code boolean_test} (comparisons
 * and IS, to the left), {@code predicate} (IN, BETWEEN, LIKE, REGEXP), {@code bit_expr} (arithmetic),
 * {@code simple_expr}. What {@code ||}, NOT and {@code "} mean depends on the SQL mode.
 */
final class MariaDbExpressions extends ExpressionParser {

    private static final int BIT_OR = 0;
    private static final int BIT_AND = 1;
    private static final int SHIFT = 2;
    private static final int ADDITION = 3;
    private static final int MULTIPLICATION = 4;
    private static final int POWER = 5;
    private static final int NONE = -1;

    private static final int BETWEEN = 0;
    private static final int LIKE = 1;

    MariaDbExpressions(Grammar grammar) {
        super(grammar);
    }

    @Override
    Expr expression() {
        cursor.enter();
        Expr first = exclusive();
        int position = cursor.position();
        if (atOr()) {
            var operands = new ArrayList<Expr>();
            operands.add(first);
            while (atOr()) {
                cursor.next();
                operands.add(exclusive());
            }
            first = new Expr.Or(operands, position);
        }
        cursor.leave();
        return first;
    }

    @Override
    Expr operand() {
        return bits(BIT_OR);
    }

    private boolean atOr() {
        // With PIPES_AS_CONCAT the condition a = 1 || b = 2 is a comparison with a text.
        return cursor.at("OR") || cursor.atOperator("||") && !cursor.options().pipesAsConcat();
    }

    private boolean atAnd() {
        return cursor.at("AND") || cursor.atOperator("&&");
    }

    private Expr exclusive() {
        Expr left = conjunction();
        for (int chain = 0; cursor.at("XOR"); chain++) {
            cursor.checkChain(chain);
            int position = cursor.position();
            cursor.next();
            left = new Expr.Xor(left, conjunction(), position);
        }
        return left;
    }

    private Expr conjunction() {
        Expr first = negation();
        if (!atAnd()) {
            return first;
        }
        int position = cursor.position();
        List<Expr> operands = new ArrayList<>();
        operands.add(first);
        while (atAnd()) {
            cursor.next();
            operands.add(negation());
        }
        return new Expr.And(operands, position);
    }

    private Expr negation() {
        // NOT a = b is (NOT a) = b with HIGH_NOT_PRECEDENCE.
        if (!atPrefix("NOT") || cursor.options().highNotPrecedence()) {
            return comparisons();
        }
        cursor.enter();
        int position = cursor.position();
        cursor.next();
        Expr negated = new Expr.Not(negation(), position);
        cursor.leave();
        return negated;
    }

    private boolean atPrefix(String word) {
        return cursor.at(word) && !grammar.primaries().hasPending();
    }

    /** Comparisons and IS, both to the left. */
    private Expr comparisons() {
        Expr left = predicate();
        for (int chain = 0; ; chain++) {
            cursor.checkChain(chain);
            int position = cursor.position();
            ComparisonOperator operator = comparisonHere();
            if (operator != null) {
                cursor.next();
                left = atQuantifier()
                        ? quantified(left, operator.symbol(), position)
                        : new Expr.Comparison(operator, left, predicate(), position);
            } else if (cursor.accept("IS")) {
                left = is(left, position);
            } else {
                return left;
            }
        }
    }

    private Expr is(Expr left, int position) {
        boolean negated = cursor.accept("NOT");
        Expr test = isTail(left, negated, position);
        if (test == null) {
            throw cursor.unexpected();
        }
        return test;
    }

    private Expr predicate() {
        return predicate(BETWEEN);
    }

    /**
     * IN, BETWEEN, LIKE and REGEXP of a level or higher. A negated one always goes to the operand before it, as the
     * generated parser shifts NOT: {@code a LIKE b NOT LIKE c} is {@code a LIKE (b NOT LIKE c)}.
     */
    private Expr predicate(int minimum) {
        cursor.enter();
        Expr left = bits(BIT_OR);
        for (int chain = 0; ; chain++) {
            cursor.checkChain(chain);
            int position = cursor.position();
            boolean negated = cursor.at("NOT") && predicateLevel(1) != NONE;
            if (!negated && predicateLevel(0) < minimum) {
                break;
            }
            if (negated) {
                cursor.next();
            }
            left = predicateTail(left, negated, position);
        }
        cursor.leave();
        return left;
    }

    private int predicateLevel(int ahead) {
        if (cursor.kind(ahead) != TokenKind.WORD) {
            return NONE;
        }
        if (cursor.at(ahead, "SOUNDS") && cursor.at(ahead + 1, "LIKE")) {
            // A comparison of SOUNDEX of both sides, which is in no list of operators here.
            throw cursor.unsupported("SOUNDS LIKE");
        }
        if (cursor.at(ahead, "BETWEEN")) {
            return BETWEEN;
        }
        boolean other = cursor.at(ahead, "IN")
                || cursor.at(ahead, "LIKE")
                || cursor.at(ahead, "REGEXP")
                || cursor.at(ahead, "RLIKE");
        return other ? LIKE : NONE;
    }

    private Expr predicateTail(Expr left, boolean negated, int position) {
        if (cursor.accept("IN")) {
            return inTail(left, negated, position);
        }
        if (cursor.accept("BETWEEN")) {
            Expr low = predicate(BETWEEN);
            cursor.expect("AND");
            return new Expr.Between(left, low, predicate(BETWEEN), false, negated, position);
        }
        if (cursor.accept("LIKE")) {
            Expr pattern = predicate(LIKE + 1);
            return new Expr.Match(MatchKind.LIKE, left, pattern, escape(), negated, position);
        }
        cursor.next();
        return new Expr.Match(MatchKind.REGEXP, left, predicate(LIKE + 1), null, negated, position);
    }

    private @Nullable Expr escape() {
        if (cursor.accept("ESCAPE")) {
            return predicate(LIKE + 1);
        }
        return jdbcEscape();
    }

    /** Arithmetic and bits, climbed. */
    private Expr bits(int minimum) {
        Expr left = concatenation();
        for (int chain = 0; ; chain++) {
            int level = level();
            if (level < minimum || level == NONE) {
                return left;
            }
            cursor.checkChain(chain);
            int position = cursor.position();
            if (left instanceof Expr.Interval) {
                // INTERVAL 1 DAY + d is an addition that is written the other way round, and only + goes there.
                throw cursor.unsupported("operator behind INTERVAL");
            }
            String operator = operator();
            left = new Expr.Binary(operator, left, bits(level + 1), position);
        }
    }

    private int level() {
        if (cursor.at(TokenKind.OPERATOR)) {
            return switch (cursor.text()) {
                case "|" -> BIT_OR;
                case "&" -> BIT_AND;
                case "<<", ">>" -> SHIFT;
                case "+", "-" -> ADDITION;
                case "*", "/", "%" -> MULTIPLICATION;
                case "^" -> POWER;
                default -> NONE;
            };
        }
        return cursor.at("DIV") || cursor.at("MOD") ? MULTIPLICATION : NONE;
    }

    private String operator() {
        String operator = cursor.at("DIV") ? "DIV" : cursor.at("MOD") ? "%" : cursor.text();
        cursor.next();
        return operator;
    }

    private Expr concatenation() {
        Expr left = simple();
        for (int chain = 0; cursor.options().pipesAsConcat() && cursor.atOperator("||"); chain++) {
            cursor.checkChain(chain);
            int position = cursor.position();
            cursor.next();
            left = new Expr.Binary("||", left, simple(), position);
        }
        return left;
    }

    /** Signs, BINARY, {@code !}, and what stands behind a value: COLLATE and JSON paths. */
    private Expr simple() {
        if (!grammar.primaries().hasPending()) {
            Expr prefixed = prefixed();
            if (prefixed != null) {
                return prefixed;
            }
        }
        Expr value = grammar.primaries().primary();
        for (int chain = 0; ; chain++) {
            cursor.checkChain(chain);
            int position = cursor.position();
            if (cursor.accept("COLLATE")) {
                value = new Expr.Collate(value, collation(), position);
                // Behind a column only, as MySQL has it.
            } else if (value instanceof Expr.Column && (cursor.atOperator("->") || cursor.atOperator("->>"))) {
                value = jsonPath(value, position);
            } else {
                return value;
            }
        }
    }

    /** BINARY and DEFAULT, which are reserved, name collations. */
    private QualifiedName collation() {
        boolean word = cursor.at("BINARY") || cursor.at("DEFAULT");
        Name name = cursor.name(word ? 0 : Keywords.NOT_COLUMN);
        return new QualifiedName(List.of(name), name.position());
    }

    private Expr jsonPath(Expr value, int position) {
        String operator = cursor.text();
        cursor.next();
        if (!cursor.at(TokenKind.STRING)) {
            throw cursor.unexpected();
        }
        return new Expr.Binary(operator, value, grammar.primaries().primary(), position);
    }

    private @Nullable Expr prefixed() {
        int position = cursor.position();
        if (cursor.at(TokenKind.OPERATOR)) {
            String operator = cursor.text();
            return switch (operator) {
                case "-", "+", "~" -> {
                    cursor.next();
                    yield new Expr.Unary(operator, nestedSimple(), position);
                }
                case "!" -> {
                    cursor.next();
                    yield new Expr.Not(nestedSimple(), position);
                }
                default -> null;
            };
        }
        if (cursor.at("BINARY")) {
            cursor.next();
            return new Expr.Unary("BINARY", nestedSimple(), position);
        }
        if (cursor.at("NOT") && cursor.options().highNotPrecedence()) {
            cursor.next();
            return new Expr.Not(nestedSimple(), position);
        }
        return null;
    }

    private Expr nestedSimple() {
        cursor.enter();
        Expr operand = simple();
        cursor.leave();
        return operand;
    }
}
