package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Storable;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.TypeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Operators, casts, CASE and their like, read as values: each is a function of its operands and of nothing else.
 *
 * <p>Operations that look alike must have different names where they may differ in value: the types of operands are in
 * the symbol ({@link Symbols}), and so are a cast's target and a collation. One name for two functions would prove what
 * is not so; two names for one only lose proofs.
 */
final class OperationReader {

    private final ValueReader values;

    OperationReader(ValueReader values) {
        this.values = values;
    }

    /**
     * The operation as an operand, or null if the expression is something else.
     *
     * <p>None of these is refused: an operation that is not modelled is a function of its operands, and the operators
     * that may be a user's have been refused before ({@link Vetting}).
     */
    @Nullable
    Operand read(Expr e) {
        if (e instanceof Expr.Binary binary) {
            return function(kindOf(binary.operator()), binary.operator(), binary.left(), binary.right());
        }
        if (e instanceof Expr.Unary unary) {
            return unary(unary);
        }
        if (e instanceof Expr.Cast cast) {
            return cast(cast);
        }
        if (e instanceof Expr.Case choice) {
            return choice(choice);
        }
        Operand logic = logic(e);
        return logic != null ? logic : rarer(e);
    }

    /**
     * Conditions as values: TRUE, FALSE or NULL.
     *
     * <p>As a value a condition is not taken apart: {@code SELECT a = b} shows a function of a and b. Negations are
     * written as {@code not} of the positive form, so that both are one function.
     */
    private @Nullable Operand logic(Expr e) {
        if (e instanceof Expr.Comparison comparison) {
            if (comparison.left() instanceof Expr.Row left
                    && comparison.right() instanceof Expr.Row right
                    && left.values().size() == right.values().size()
                    && !left.values().isEmpty()
                    && comparison.operator() != Expr.ComparisonOperator.NULL_SAFE_EQ) {
                // Field by field as in a condition: (a, b) = (1, NULL) is FALSE or NULL, which one function of four
                // operands would not tell.
                return values.read(ComparisonReader.expanded(
                        comparison.operator(),
                        left.values(),
                        right.values(),
                        comparison.position(),
                        values.work().dialect));
            }
            return function(FunctionKind.PURE, comparison.operator().symbol(), comparison.left(), comparison.right());
        }
        if (e instanceof Expr.And and) {
            return function(FunctionKind.PURE, "and", and.operands());
        }
        if (e instanceof Expr.Or or) {
            return function(FunctionKind.PURE, "or", or.operands());
        }
        if (e instanceof Expr.Not not) {
            return function(FunctionKind.PURE, "not", not.operand());
        }
        if (e instanceof Expr.Xor xor) {
            return function(FunctionKind.PURE, "xor", xor.left(), xor.right());
        }
        if (e instanceof Expr.IsNull test) {
            return function(FunctionKind.PURE, test.negated() ? "is not null" : "is null", test.operand());
        }
        if (e instanceof Expr.IsTruth test) {
            return negated(
                    test.negated(),
                    function(FunctionKind.PURE, "is " + test.truth().name().toLowerCase(Locale.ROOT), test.operand()));
        }
        if (e instanceof Expr.IsDistinct test) {
            return negated(test.negated(), function(FunctionKind.PURE, "is distinct", test.left(), test.right()));
        }
        if (e instanceof Expr.Between between) {
            String name = between.symmetric() ? "between symmetric" : "between";
            return negated(
                    between.negated(),
                    function(FunctionKind.PURE, name, between.operand(), between.low(), between.high()));
        }
        return memberOrMatch(e);
    }

    private @Nullable Operand memberOrMatch(Expr e) {
        if (e instanceof Expr.InList in) {
            List<Expr> operands = new ArrayList<>(in.values());
            operands.add(0, in.operand());
            return negated(in.negated(), function(FunctionKind.PURE, "in", operands));
        }
        if (e instanceof Expr.QuantifiedArray quantified) {
            String name = quantified.operator() + (quantified.all() ? " all" : " any");
            return function(FunctionKind.PURE, name, quantified.left(), quantified.array());
        }
        if (e instanceof Expr.Match match) {
            return negated(match.negated(), match(match));
        }
        return null;
    }

    private Operand match(Expr.Match match) {
        String name = match.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        List<Operand> operands = new ArrayList<>();
        operands.add(values.read(match.operand()));
        operands.add(text(values.read(match.pattern())));
        if (match.escape() != null) {
            if (values.work().dialect == Dialect.MARIADB
                    && !(match.escape() instanceof Expr.Literal literal && literal.kind() == LiteralKind.STRING)) {
                // NULL is its default to MariaDB.
                throw values.work().refuse("an ESCAPE that is not a string", match.position());
            }
            operands.add(text(values.read(match.escape())));
        }
        return values.function(FunctionKind.STRICT, name, operands);
    }

    /**
     * A parameter where only a string makes sense is taken as one.
     *
     * <p>So {@code name LIKE ?} in a statement and in a view of the policy are one condition, whatever the driver sends
     * the parameter as.
     */
    private Operand text(Operand operand) {
        if (operand instanceof Operand.Plain plain
                && plain.sort() instanceof Sort.OfSlot slot
                && slot.kind() == null
                && values.work().arguments.expect(slot.slot(), ResultSorts.TEXT)) {
            return new Operand.Plain(plain.term(), new Sort.OfSlot(slot.slot(), LiteralKind.STRING), plain.nullable());
        }
        return operand;
    }

    private @Nullable Operand rarer(Expr e) {
        if (e instanceof Expr.Row row) {
            return function(FunctionKind.PURE, "row", row.values());
        }
        if (e instanceof Expr.ArrayOf array) {
            return function(FunctionKind.PURE, "array", array.values());
        }
        if (e instanceof Expr.Subscript subscript) {
            return function(FunctionKind.PURE, "[]", subscript.operand(), subscript.index());
        }
        if (e instanceof Expr.Slice slice) {
            return slice(slice);
        }
        if (e instanceof Expr.Interval interval) {
            return function(FunctionKind.SESSION, "interval " + interval.unit(), interval.value());
        }
        if (e instanceof Expr.Collate collate) {
            return collate(collate);
        }
        if (e instanceof Expr.AtTimeZone at) {
            return at.zone() == null
                    ? function(FunctionKind.SESSION, "at local", at.operand())
                    : function(FunctionKind.SESSION, "at time zone", at.operand(), at.zone());
        }
        // _latin1'ä' and _utf8mb4'ä' are different bytes, so the character set is in the name.
        if (e instanceof Expr.CharsetString string) {
            return function(FunctionKind.PURE, "_" + string.charset(), string.value());
        }
        if (e instanceof Expr.NamedArgument named) {
            return function(FunctionKind.PURE, named.name().text() + "=>", named.value());
        }
        if (e instanceof Expr.Keyword keyword) {
            return values.function(FunctionKind.PURE, "#" + keyword.word(), List.of());
        }
        return null;
    }

    private Operand unary(Expr.Unary unary) {
        // -1 is a number like 1, so it can be compared with a column as one. The literal has been read by that.
        if (unary.operator().equals("-") && unary.operand() instanceof Expr.Literal literal && isNumber(literal)) {
            values.work().account.read(literal);
            return negative(literal);
        }
        return function(FunctionKind.PURE, "unary " + unary.operator(), unary.operand());
    }

    private static boolean isNumber(Expr.Literal literal) {
        return literal.kind() == LiteralKind.INTEGER || literal.kind() == LiteralKind.DECIMAL;
    }

    // As a literal, not as the function of one: what -1 is beside a column is decided by the column.
    private static Operand negative(Expr.Literal literal) {
        String text = "-" + literal.text();
        return new Operand.Plain(
                new Term.Constant(Literals.plain(literal.kind(), text)),
                new Sort.OfLiteral(literal.kind(), text),
                false);
    }

    /**
     * A literal or parameter that is cast to a type is one of that type; so {@code ?::uuid} compares as a UUID does.
     * What the cast would change is for the reader of the value to see: it must not take a value that is not of the
     * type.
     */
    private Operand cast(Expr.Cast cast) {
        Operand operand = values.read(cast.operand());
        ColumnType type = ResultSorts.ofCast(cast.type(), values.work().dialect);
        // A cast of a column is a function even if it changes nothing: whether it does is not known here.
        if (type != null && operand instanceof Operand.Plain plain) {
            Operand typed = typed(plain, type);
            if (typed != null) {
                return typed;
            }
        }
        Operand result = values.function(FunctionKind.SESSION, "cast " + describe(cast), List.of(operand));
        return type != null
                        && result instanceof Operand.Plain plain
                        && plain.term() instanceof Term.Function
                        // Otherwise the result has a type, but comparing it is not comparing by identity.
                        && isCompared(type, operand)
                ? new Operand.Plain(plain.term(), new Sort.Typed(type), true)
                : result;
    }

    /**
     * Text is compared by the collation of what was cast, or (H2) of the database.
     *
     * <p>{@code CAST(b AS TEXT)} of a case-insensitive column finds other rows than the checker's equality does
     * ({@code FourthAttackIT.aCastToTextIsComparedAsTheDatabaseComparesText}).
     */
    private boolean isCompared(ColumnType type, Operand operand) {
        if (type.kind() != ValueKind.TEXT) {
            return true;
        }
        ColumnType from = operand instanceof Operand.Plain plain ? plain.sort().type() : null;
        if (from != null && from.kind() == ValueKind.TEXT) {
            return from.hasExactEquality();
        }
        return from != null && values.work().dialect == Dialect.POSTGRESQL;
    }

    private @Nullable Operand typed(Operand.Plain operand, ColumnType type) {
        if (operand.isNull()) {
            return Operand.Plain.nullOf(type);
        }
        if (operand.sort() instanceof Sort.OfLiteral literal) {
            // CAST(1.5 AS INTEGER) is 2 or 1, and CAST(99999999999999999999 AS SIGNED) is brought into the range by
            // MariaDB.
            Value value = Literals.as(literal.kind(), literal.text(), type, values.work().dialect);
            // What the cast rounds, or brings into its range, is not the value that was written.
            boolean exact = value != null
                    // Both have been used to compare with a value that the checker did not know
                    // (FifthAttackIT.aCastOfWhatItsTypeDoesNotHaveIsAnotherValue).
                    && (!type.whole() || literal.text().matches("-?[0-9]+") && Storable.asItIs(value, type));
            return exact && value != null
                    ? new Operand.Plain(new Term.Constant(value), new Sort.Typed(type), false)
                    : null;
        }
        if (operand.sort() instanceof Sort.OfSlot slot
                && Literals.fits(slot.kind(), type, values.work().dialect)
                && (type.whole()
                        // What the cast rounds, or refuses, is not the value that was given. Of a parameter that is
                        // found out when it is bound (ThirdAttackIT.aFractionThatACastRoundsIsNotTheValueThatWasGiven).
                        ? values.work().arguments.expectStored(slot.slot(), type)
                        : values.work().arguments.expect(slot.slot(), type))) {
            return new Operand.Plain(operand.term(), new Sort.Typed(type), operand.nullable());
        }
        return null;
    }

    /**
     * A name for the function that this cast is; two casts with one name must do the same. Everything of the target,
     * digits and dimensions too: a cast to NUMERIC(5, 1) is another function than one to NUMERIC(5, 2).
     */
    private static String describe(Expr.Cast cast) {
        TypeName type = cast.type();
        // H2 reads JSON 'x' otherwise than CAST('x' AS JSON)
        String form = switch (cast.form()) {
            case TRY_CAST -> "try ";
            case PREFIX -> "literal ";
            case CAST, COLONS, CONVERT -> "";
        };
        return form + type.schema() + type.name() + type.modifiers() + type.dimensions();
    }

    // Which branch is taken depends on the conditions only by their values, so all of them are operands.
    private Operand choice(Expr.Case choice) {
        List<Expr> operands = new ArrayList<>();
        if (choice.operand() != null) {
            operands.add(choice.operand());
        }
        for (Expr.When when : choice.whens()) {
            operands.add(when.condition());
            operands.add(when.result());
        }
        if (choice.otherwise() != null) {
            operands.add(choice.otherwise());
        }
        return function(FunctionKind.PURE, choice.operand() == null ? "case" : "case of", operands);
    }

    private Operand slice(Expr.Slice slice) {
        List<Expr> operands = new ArrayList<>(List.of(slice.operand()));
        String name = "[:]";
        if (slice.low() != null) {
            operands.add(slice.low());
            name = "[l:]";
        }
        if (slice.high() != null) {
            operands.add(slice.high());
            name += "h";
        }
        return function(FunctionKind.PURE, name, operands);
    }

    /**
     * Another collation is another equality: the result has no type that could be compared by identity.
     *
     * <p>{@code name COLLATE "C" = 'bob'} is FALSE where {@code name = 'bob'} under a case-insensitive collation is
     * TRUE; as the same condition it would show rows that no view shows, or prove that there are none.
     */
    private Operand collate(Expr.Collate collate) {
        Operand result = function(FunctionKind.PURE, "collate " + collate.collation(), collate.operand());
        return result instanceof Operand.Plain plain && !plain.isNull()
                ? new Operand.Plain(plain.term(), new Sort.Unknown("collate " + collate.collation()), true)
                : result;
    }

    private Operand negated(boolean negated, Operand operand) {
        return negated ? values.function(FunctionKind.PURE, "not", List.of(operand)) : operand;
    }

    private static FunctionKind kindOf(String operator) {
        return switch (operator) {
            // NULL as soon as an operand is. Not || of texts, which has other rules on arrays and on MariaDB is OR.
            case "+", "-", "*", "/", "%", "DIV" -> FunctionKind.STRICT;
            // Texts are searched as the session's configuration says.
            case "@@" -> FunctionKind.SESSION;
            default -> FunctionKind.PURE;
        };
    }

    private Operand function(FunctionKind kind, String name, Expr... operands) {
        return function(kind, name, List.of(operands));
    }

    private Operand function(FunctionKind kind, String name, List<Expr> operands) {
        return values.function(kind, name, values.readAll(operands));
    }
}
