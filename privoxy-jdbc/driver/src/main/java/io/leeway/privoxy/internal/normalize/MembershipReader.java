package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.Expr.Truth;
import io.leeway.privoxy.internal.sql.ast.TypeName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code x IN (a, b)} and {@code x = ANY (array)}. A list of values that no row has a part in becomes one literal, not
 * a disjunction, so that long lists stay small.
 *
 * <p>A list is not simply a chain of {@code =} to the databases, which find one type for the left side and all values
 * first. {@code x IN (1, 'a')}, {@code x IN (1, 2e0)} and {@code char_column IN ('a', 'b')} on H2 compare otherwise
 * than {@code x = 1 OR …}, so each value has to be one that the column's own equality takes; otherwise the whole is a
 * function of all ({@code FourthAttackIT.aListOfConstantsIsNoListOfChar}).
 */
final class MembershipReader {

    private final TruthReader truths;
    private final ValueReader values;
    private final Work work;
    private final Comparer comparer;

    MembershipReader(TruthReader truths) {
        this.truths = truths;
        this.values = truths.values();
        this.work = values.work();
        this.comparer = truths.comparer();
    }

    Dnf when(Expr e, Truth truth) {
        if (e instanceof Expr.InList in) {
            return list(in, in.negated() ? TruthReader.opposite(truth) : truth);
        }
        return array((Expr.QuantifiedArray) e, truth);
    }

    private Dnf list(Expr.InList in, Truth truth) {
        if (in.operand() instanceof Expr.Row) {
            return rows(in, truth);
        }
        Operand left = values.read(in.operand());
        List<Operand> options = values.readAll(in.values());
        // Also those of a list that turns out opaque: MariaDB reads it in its own way whatever is made of it here.
        options.forEach(option -> EqualConstants.check(left, option, work, in.position()));
        if (left instanceof Hidden || options.stream().anyMatch(Hidden.class::isInstance)) {
            options.add(left);
            return Dnf.of(Hidden.over(options));
        }
        List<Operand> all = new ArrayList<>(options);
        all.add(left);
        boolean asText = work.dialect == Dialect.H2 && options.size() > 1 && isPadded(left);
        // x IN (sqrt(NULL), 9007199254740993): the NULL makes it a list of floating point, in which the number is equal
        // to its neighbour (FourthAttackIT.whatIsNullOrEmptyStillDecidesTheTypeOfTheRest).
        if (!Nulls.decideNothing(all) || asText) {
            // The type in which the database compares may be another one.
            return opaque(in, truth);
        }
        List<Pairing> pairs = pairs((Operand.Plain) left, options);
        if (pairs == null) {
            // The database compares all at one common type, which is not that of the column.
            return opaque(in, truth);
        }
        demandExact((Operand.Plain) left, options);
        return switch (truth) {
            case TRUE -> member((Operand.Plain) left, options, pairs, in.position());
            // NOT IN is TRUE iff x <> v is for each v: with one NULL in the list it never is.
            case FALSE -> all(left, options, in.position());
            case UNKNOWN ->
                // Unknown where x is NULL; or where x is none of the values and one of these is NULL, of which a
                // parameter may or may not be.
                options.stream().anyMatch(MembershipReader::isNullable) ? opaque(in, truth) : comparer.isNull(left);
        };
    }

    /**
     * One parameter of floating point, or of a type that is not known, decides for PostgreSQL in which type and under
     * which collation all of a list are compared with the column.
     */
    private void demandExact(Operand.Plain left, List<Operand> options) {
        ColumnType type = left.sort().type();
        if (work.dialect != Dialect.POSTGRESQL
                // With one value there is no other whose type it could decide.
                || options.size() < 2
                || type == null
                || (type.kind() != ValueKind.NUMBER && type.kind() != ValueKind.TEXT)) {
            return;
        }
        for (Operand option : options) {
            if (option instanceof Operand.Plain plain
                    && plain.sort() instanceof Sort.OfSlot slot
                    && slot.kind() == null) {
                work.demands.add(new Demand(
                        slot.slot(),
                        null,
                        "a list in which one value is of floating point or of no known type (bind exact numbers)"));
            }
        }
    }

    /**
     * A list of constants is one of VARCHAR to H2, without the blanks of CHAR.
     *
     * <p>As text of VARCHAR {@code 'a '} and {@code 'a'} are two values, as CHAR they are one; so the list finds other
     * rows than {@code =}.
     */
    private static boolean isPadded(Operand operand) {
        ColumnType type = operand instanceof Operand.Plain plain ? plain.sort().type() : null;
        return type != null && type.kind() == ValueKind.TEXT && !type.hasExactEquality();
    }

    private static boolean isNullable(Operand operand) {
        return ((Operand.Plain) operand).nullable();
    }

    /** A list of rows: the disjunction. */
    private Dnf rows(Expr.InList in, Truth truth) {
        if (work.dialect == Dialect.H2
                && in.values().size() > 1
                && in.operand() instanceof Expr.Row row
                && row.values().stream().map(values::read).anyMatch(MembershipReader::isPadded)) {
            return opaque(in, truth);
        }
        List<Expr> equalities = new ArrayList<>();
        for (Expr value : in.values()) {
            equalities.add(new Expr.Comparison(ComparisonOperator.EQ, in.operand(), value, in.position()));
        }
        return truths.when(equalities.size() == 1 ? equalities.get(0) : new Expr.Or(equalities, in.position()), truth);
    }

    /** The left side with each option that is not NULL, or null if one of them is not compared by identity. */
    private @Nullable List<Pairing> pairs(Operand.Plain left, List<Operand> options) {
        List<Pairing> pairs = new ArrayList<>();
        for (Operand option : options) {
            var plain = (Operand.Plain) option;
            if (plain.isNull()) {
                continue;
            }
            Pairing pair = left.isNull() ? null : Pairing.of(left, plain, work);
            if (pair == null && !left.isNull()) {
                return null;
            }
            if (pair != null) {
                pairs.add(pair);
            }
        }
        return pairs;
    }

    private Dnf member(Operand.Plain left, List<Operand> options, List<Pairing> pairs, int position) {
        // x IN (a.y, 3) depends on the row, so it cannot be asked value by value.
        boolean rigid = pairs.stream().allMatch(pair -> Terms.isRigid(pair.right()));
        // ? IN (1, 2) is about no row either: it is TRUE of all rows or of none, and no question is to be asked for
        // each value.
        if (pairs.size() < 2 || !rigid || Terms.isRigid(left.term())) {
            Dnf any = Dnf.FALSE;
            for (Operand option : options) {
                any = any.or(comparer.when(Truth.TRUE, ComparisonOperator.EQ, left, option, position), work, position);
            }
            return any;
        }
        List<Condition> otherwise = conditions(pairs);
        Slot slot = slot(pairs);
        Pairing first = pairs.get(0);
        if (slot != null) {
            return Dnf.of(new Choice(first.wrappedLeft(), first.keyFunction(), slot, otherwise));
        }
        Dnf any = Dnf.FALSE;
        for (Condition condition : otherwise) {
            any = any.or(Dnf.of(condition), work, position);
        }
        return any;
    }

    private Dnf all(Operand left, List<Operand> options, int position) {
        List<Dnf> all = new ArrayList<>(options.size());
        for (Operand option : options) {
            all.add(comparer.when(Truth.FALSE, ComparisonOperator.EQ, left, option, position));
        }
        return Dnf.all(all, work, position);
    }

    /** One condition if the checker's language has it, otherwise one for each value. */
    private static List<Condition> conditions(List<Pairing> pairs) {
        // OneOf compares by identity, so not where equality is coarser.
        boolean plain = pairs.stream()
                .allMatch(pair -> pair.keyFunction().isEmpty() && !(pair.right() instanceof Term.Function));
        if (plain) {
            List<Term> options = pairs.stream().map(Pairing::right).distinct().toList();
            return List.of(new Condition.OneOf(pairs.get(0).left(), options));
        }
        List<Condition> equalities = new ArrayList<>();
        for (Pairing pair : pairs) {
            equalities.add(new Condition.Comparison(Condition.Operator.EQUAL, pair.wrappedLeft(), pair.wrappedRight()));
        }
        return equalities;
    }

    /** The values as a slot, if all come from slots or all are constants. */
    private @Nullable Slot slot(List<Pairing> pairs) {
        List<Integer> slots = new ArrayList<>();
        List<Value> constants = new ArrayList<>();
        for (Pairing pair : pairs) {
            if (pair.right() instanceof Term.Parameter parameter && parameter.index() < work.arguments.slots()) {
                slots.add(parameter.index());
            } else if (pair.right() instanceof Term.Constant constant) {
                constants.add(constant.value());
            }
        }
        if (slots.size() == pairs.size()) {
            // The values are known when the statement is run; how many there are is part of the text.
            return new Slot.Each(slots);
        }
        return constants.size() == pairs.size() ? new Slot.Literals(constants) : null;
    }

    private Dnf array(Expr.QuantifiedArray e, Truth truth) {
        // = ANY is IN, <> ALL is NOT IN. Other operators are left to a function.
        if (e.array() instanceof Expr.ArrayOf array && !isOfText(e.left(), array)) {
            if (e.operator().equals("=") && !e.all()) {
                return list(new Expr.InList(e.left(), array.values(), false, e.position()), truth);
            }
            if (e.operator().equals("<>") && e.all()) {
                return list(new Expr.InList(e.left(), array.values(), true, e.position()), TruthReader.opposite(truth));
            }
        }
        Choice choice = truth == Truth.TRUE && e.operator().equals("=") && !e.all() ? elements(e) : null;
        return choice != null ? Dnf.of(choice) : opaque(e, truth);
    }

    /**
     * Whether strings in an array are text, and text is not what the column compares as.
     *
     * <p>{@code char_column = ANY (ARRAY['a'])} compares as text on PostgreSQL, where blanks at the end count, while
     * {@code IN ('a')} compares as CHAR.
     */
    private boolean isOfText(Expr left, Expr.ArrayOf array) {
        boolean strings = array.values().stream()
                .map(values::read)
                .anyMatch(value -> value instanceof Operand.Plain plain
                        && (plain.sort() instanceof Sort.OfLiteral literal && literal.kind() == LiteralKind.STRING
                                || plain.sort() instanceof Sort.OfSlot slot
                                        && (slot.kind() == null || slot.kind() == LiteralKind.STRING)));
        return strings && work.dialect == Dialect.POSTGRESQL && isPadded(values.read(left));
    }

    /**
     * {@code x = ANY (?)}: x is one of the elements of what is bound.
     *
     * <p>A driver's array parameter is how lists of any length are bound on PostgreSQL. NULL elements match nothing,
     * and an empty array gives no question and no row.
     */
    private @Nullable Choice elements(Expr.QuantifiedArray e) {
        Expr array = e.array() instanceof Expr.Cast cast ? cast.operand() : e.array();
        if (!(array instanceof Expr.Parameter parameter) || work.arguments.kind(parameter.slot()) != null) {
            return null;
        }
        Operand left = values.read(e.left());
        ColumnType type = left instanceof Operand.Plain plain ? plain.sort().type() : null;
        // Only where an element is surely compared as a value of the column's type; the array's own type is what the
        // driver says, or a cast.
        if (type == null
                || !type.isComparable()
                || !isArrayOf(e.array(), type)
                || !Literals.fits(null, type, work.dialect)
                || !expects(e.array(), parameter.slot(), type)) {
            return null;
        }
        Term term = ((Operand.Plain) left).term();
        String key = type.hasExactEquality() ? "" : type.keyFunction();
        Term wrapped = key.isEmpty() ? term : new Term.Function(key, List.of(term));
        List<Condition> otherwise = new ArrayList<>();
        opaque(e, Truth.TRUE).conjuncts().forEach(conjunct -> otherwise.addAll(conjunct.conditions()));
        return new Choice(wrapped, key, new Slot.Elements(parameter.slot()), otherwise);
    }

    /** What a cast to whole numbers rounds is not the value that was given. */
    private boolean expects(Expr array, int slot, ColumnType type) {
        return array instanceof Expr.Cast && type.kind() == ValueKind.NUMBER
                ? type.whole() && work.arguments.expectStored(slot, type)
                : work.arguments.expect(slot, type);
    }

    /** Whether the array is bound as it is, or cast to an array of what the column holds. */
    private boolean isArrayOf(Expr array, ColumnType type) {
        if (!(array instanceof Expr.Cast cast)) {
            return true;
        }
        TypeName name = cast.type();
        var element = new TypeName(name.name(), name.schema(), name.modifiers(), 0, name.position());
        // By the element's type: of an array of two dimensions all elements would be looked at.
        ColumnType elements = name.dimensions() == 1 ? ResultSorts.ofCast(element, work.dialect) : null;
        return elements != null && type.hasExactEquality() && elements.kind() == type.kind();
    }

    /**
     * Of the list without NOT, so that {@code IN} and {@code NOT IN} of the same list are two truth values of one
     * function and not two functions of which nothing links the one to the other.
     */
    private Dnf opaque(Expr e, Truth truth) {
        Expr positive =
                e instanceof Expr.InList in ? new Expr.InList(in.operand(), in.values(), false, in.position()) : e;
        Operand operand = values.read(positive);
        return comparer.truth(operand, truth);
    }
}
