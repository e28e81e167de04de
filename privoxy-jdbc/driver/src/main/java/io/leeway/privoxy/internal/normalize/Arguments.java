package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a statement's conditions: its slots, numbered as in the text, and after them what stands for one
 * slot after the other ({@link Choice}). Gathers the type that each slot is expected to have.
 */
final class Arguments {

    /**
     * Type of a slot whose value is not compared with a column: only the same object is the same value. OPAQUE, not
     * TEXT: the driver's choice of a type decides how the database reads the value, so that two parameters that look
     * alike may be two values. Only the same slot is surely the same.
     */
    static final ColumnType UNTYPED = ColumnType.exact(ValueKind.OPAQUE, "");

    private final List<@Nullable LiteralKind> kinds;
    private final @Nullable ColumnType[] types;
    // Slots that count only if the column stores them as they are: a key of a conflict clause, or what a cast may
    // round. 1.4 for an INTEGER key strikes the row 1 (SecondAttackIT.aKeyThatIsRoundedMayStrikeAnyRow), so such a
    // value must be unknown to the checker, not 1.4.
    private final Set<Integer> stored = new HashSet<>();
    private final List<Slot> choices = new ArrayList<>();

    Arguments(List<@Nullable LiteralKind> kinds) {
        this.kinds = kinds;
        this.types = new ColumnType[kinds.size()];
    }

    int slots() {
        return types.length;
    }

    /** The kind of a lifted literal, or null for a JDBC parameter. */
    @Nullable
    LiteralKind kind(int slot) {
        return kinds.get(slot);
    }

    /**
     * Asks for the slot's value as one of this type.
     *
     * <p>One slot stands for one value of the checker, so it can be compared as one type only. In {@code ? IN (a, b)}
     * with columns of two types it is wanted as each of them, and the second comparison has to be opaque. Types of
     * exact equality and one kind are interchangeable: 1 is the same number beside a SMALLINT and a BIGINT.
     *
     * @return false if it is already wanted as another, so that the values could not be compared
     */
    boolean expect(int slot, ColumnType type) {
        ColumnType known = types[slot];
        if (known == null) {
            types[slot] = type;
            return true;
        }
        return known.equals(type) || (isFree(known) && isFree(type) && known.kind() == type.kind());
    }

    /** The same for a value that is stored in a column of this type: what that would not store as it is is unknown. */
    boolean expectStored(int slot, ColumnType type) {
        // Not just an interchangeable type: what is stored as it is depends on the range and scale of this very column.
        boolean expected = expect(slot, type) && type.equals(types[slot]);
        if (expected) {
            stored.add(slot);
        }
        return expected;
    }

    /** An argument that is each of these in turn. */
    int add(Slot slot) {
        // The same slot is one argument, so that what is read twice asks its questions once and not for each pair.
        int known = choices.indexOf(slot);
        if (known < 0) {
            choices.add(slot);
            known = choices.size() - 1;
        }
        return types.length + known;
    }

    /** Where an argument comes from. */
    Slot slot(int argument) {
        return argument < types.length ? new Slot.One(argument) : choices.get(argument - types.length);
    }

    List<ColumnType> types() {
        List<ColumnType> all = new ArrayList<>();
        for (int slot = 0; slot < types.length; slot++) {
            ColumnType type = Objects.requireNonNullElse(types[slot], UNTYPED);
            // Only here, at the end: the demand to store a value may come after the slot has got its type from a
            // comparison.
            all.add(stored.contains(slot) ? type.asStored() : type);
        }
        return List.copyOf(all);
    }

    /** Whether the canonical value does not depend on which type of this kind is asked for. */
    private static boolean isFree(ColumnType type) {
        return type.hasExactEquality() && type.kind() != ValueKind.OPAQUE;
    }
}
