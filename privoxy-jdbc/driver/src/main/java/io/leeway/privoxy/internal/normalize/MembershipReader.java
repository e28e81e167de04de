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
        options.forEach(option -> EqualConstants.check(left, option, work, in.position()));
        if (left instanceof Hidden || options.stream().anyMatch(Hidden.class::isInstance)) {
            options.add(left);
            return Dnf.of(Hidden.over(options));
        }
        List<Operand> all = new ArrayList<>(options);
        all.add(left);
        boolean asText = work.dialect == Dialect.H2 && options.size() > 1 && isPadded(left);
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
            case FALSE -> all(left, options, in.position());
            case UNKNOWN ->
                options.stream().anyMatch(MembershipReader::isNullable) ? opaque(in, truth) : comparer.isNull(left);
        };
    }

    /**
     * One parameter of floating point, or of a type that is not known, decides for PostgreSQL in which type and under which
     * collation all of a list are compared with the column.
     */
    private void demandExact(Operand.Plain left, List<Operand> options) {
        ColumnType type = left.sort().type();
        if (work.dialect != Dialect.POSTGRESQL
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

    /** A list of constants is one of VARCHAR to H2, without the blanks of CHAR. */
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
        boolean rigid = pairs.stream().allMatch(pair -> Terms.isRigid(pair.right()));
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
            return new Slot.Each(slots);
        }
        return constants.size() == pairs.size() ? new Slot.Literals(constants) : null;
    }

    private Dnf array(Expr.QuantifiedArray e, Truth truth) {
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

    /** Whether strings in an array are text, and text is not what the column compares as. */
    private boolean isOfText(Expr left, Expr.ArrayOf array) {
        boolean strings = array.values().stream()
                .map(values::read)
                .anyMatch(value -> value instanceof Operand.Plain plain
                        && (plain.sort() instanceof Sort.OfLiteral literal && literal.kind() == LiteralKind.STRING
                                || plain.sort() instanceof Sort.OfSlot slot
                                        && (slot.kind() == null || slot.kind() == LiteralKind.STRING)));
        return strings && work.dialect == Dialect.POSTGRESQL && isPadded(values.read(left));
    }

    /** {@code x = ANY (?)}: x is one of the elements of what is bound. */
    private @Nullable Choice elements(Expr.QuantifiedArray e) {
        Expr array = e.array() instanceof Expr.Cast cast ? cast.operand() : e.array();
        if (!(array instanceof Expr.Parameter parameter) || work.arguments.kind(parameter.slot()) != null) {
            return null;
        }
        Operand left = values.read(e.left());
        ColumnType type = left instanceof Operand.Plain plain ? plain.sort().type() : null;
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
        ColumnType elements = name.dimensions() == 1 ? ResultSorts.ofCast(element, work.dialect) : null;
        return elements != null && type.hasExactEquality() && elements.kind() == type.kind();
    }

    private Dnf opaque(Expr e, Truth truth) {
        Expr positive =
                e instanceof Expr.InList in ? new Expr.InList(in.operand(), in.values(), false, in.position()) : e;
        Operand operand = values.read(positive);
        return comparer.truth(operand, truth);
    }
}
