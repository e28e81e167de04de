package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.MatchKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * H2's expressions, as its hand-written parser reads them: OR, AND, NOT, then all predicates and comparisons on one
 * level to the left, then concatenation, sums, products, signs.
 */
final class H2Expressions extends ExpressionParser {

    H2Expressions(Grammar grammar) {
        super(grammar);
    }

    @Override
    Expr expression() {
        cursor.enter();
        Expr first = conjunction();
        int position = cursor.position();
        if (cursor.at("OR")) {
            List<Expr> operands = new ArrayList<>();
            operands.add(first);
            while (cursor.accept("OR")) {
                operands.add(conjunction());
            }
            first = new Expr.Or(operands, position);
        }
        cursor.leave();
        return first;
    }

    @Override
    Expr operand() {
        return concatenation();
    }

    private Expr conjunction() {
        Expr first = condition();
        if (!cursor.at("AND")) {
            return first;
        }
        int position = cursor.position();
        List<Expr> operands = new ArrayList<>();
        operands.add(first);
        while (cursor.accept("AND")) {
            operands.add(condition());
        }
        return new Expr.And(operands, position);
    }

    private Expr condition() {
        if (cursor.at("NOT") && !grammar.primaries().hasPending()) {
            cursor.enter();
            int position = cursor.position();
            cursor.next();
            Expr negated = new Expr.Not(condition(), position);
            cursor.leave();
            return negated;
        }
        boolean exists = cursor.at("EXISTS") && !grammar.primaries().hasPending();
        Expr left = concatenation();
        if (exists) {
            // H2 takes no predicate behind EXISTS (…)
            return left;
        }
        for (int chain = 0; ; chain++) {
            cursor.checkChain(chain);
            Expr wider = predicate(left);
            if (wider == null) {
                return left;
            }
            left = wider;
        }
    }

    private @Nullable Expr predicate(Expr left) {
        int position = cursor.position();
        ComparisonOperator operator = comparisonHere();
        if (operator != null) {
            cursor.next();
            return atQuantifier()
                    ? quantified(left, operator.symbol(), position)
                    : new Expr.Comparison(operator, left, concatenation(), position);
        }
        if (cursor.accept("IS")) {
            return is(left, position);
        }
        boolean negated = cursor.at("NOT") && atPredicateWord(1);
        if (!negated && !atPredicateWord(0)) {
            return null;
        }
        if (negated) {
            cursor.next();
        }
        return predicateTail(left, negated, position);
    }

    private boolean atPredicateWord(int ahead) {
        return cursor.at(ahead, "IN")
                || cursor.at(ahead, "BETWEEN")
                || cursor.at(ahead, "LIKE")
                || cursor.at(ahead, "ILIKE")
                || cursor.at(ahead, "REGEXP");
    }

    private Expr is(Expr left, int position) {
        boolean negated = cursor.accept("NOT");
        Expr test = isTail(left, negated, position);
        return test != null ? test : new Expr.IsDistinct(left, concatenation(), negated, position);
    }

    private Expr predicateTail(Expr left, boolean negated, int position) {
        if (cursor.accept("IN")) {
            return inTail(left, negated, position);
        }
        if (cursor.accept("BETWEEN")) {
            boolean symmetric = cursor.accept("SYMMETRIC");
            if (!symmetric) {
                cursor.accept("ASYMMETRIC");
            }
            Expr low = concatenation();
            cursor.expect("AND");
            return new Expr.Between(left, low, concatenation(), symmetric, negated, position);
        }
        MatchKind kind = matchKind();
        Expr pattern = concatenation();
        Expr escape = kind == MatchKind.REGEXP ? null : escape();
        return new Expr.Match(kind, left, pattern, escape, negated, position);
    }

    private MatchKind matchKind() {
        if (cursor.accept("LIKE")) {
            return MatchKind.LIKE;
        }
        if (cursor.accept("ILIKE")) {
            return MatchKind.ILIKE;
        }
        cursor.expect("REGEXP");
        return MatchKind.REGEXP;
    }

    private @Nullable Expr escape() {
        if (cursor.accept("ESCAPE")) {
            return concatenation();
        }
        return jdbcEscape();
    }

    private Expr concatenation() {
        Expr left = sum();
        for (int chain = 0; cursor.atOperator("||"); chain++) {
            cursor.checkChain(chain);
            left = infix(left, false);
        }
        return left;
    }

    private Expr sum() {
        Expr left = product();
        for (int chain = 0; cursor.atOperator("+") || cursor.atOperator("-"); chain++) {
            cursor.checkChain(chain);
            int position = cursor.position();
            String operator = cursor.text();
            cursor.next();
            left = new Expr.Binary(operator, left, product(), position);
        }
        return left;
    }

    private Expr product() {
        Expr left = term();
        for (int chain = 0; cursor.atOperator("*") || cursor.atOperator("/") || cursor.atOperator("%"); chain++) {
            cursor.checkChain(chain);
            left = infix(left, true);
        }
        return left;
    }

    private Expr infix(Expr left, boolean product) {
        int position = cursor.position();
        String operator = cursor.text();
        cursor.next();
        return new Expr.Binary(operator, left, product ? term() : sum(), position);
    }

    /** A value with its sign and what may stand behind it. */
    private Expr term() {
        int position = cursor.position();
        if (!grammar.primaries().hasPending() && (cursor.atOperator("-") || cursor.atOperator("+"))) {
            return signed(position);
        }
        return behind(grammar.primaries().primary());
    }

    private Expr signed(int position) {
        cursor.enter();
        String operator = cursor.text();
        cursor.next();
        boolean number = cursor.at(TokenKind.INTEGER) || cursor.at(TokenKind.DECIMAL) || cursor.at(TokenKind.FLOAT);
        Expr result;
        if (number && operator.equals("-")) {
            // a negative literal: what follows applies to it with its sign
            result = behind(new Expr.Unary(operator, grammar.primaries().primary(), position));
        } else {
            result = new Expr.Unary(operator, term(), position);
        }
        cursor.leave();
        return result;
    }

    private Expr behind(Expr value) {
        Expr result = value;
        for (int chain = 0; cursor.atOperator("::"); chain++) {
            cursor.checkChain(chain);
            int position = cursor.position();
            cursor.next();
            result = new Expr.Cast(result, grammar.types().type(), Expr.CastForm.COLONS, position);
        }
        if (cursor.at("AT", "TIME") || cursor.at("AT", "LOCAL")) {
            throw cursor.unsupported("AT TIME ZONE");
        }
        return result;
    }
}
