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

    /** Type of a slot whose value is not compared with a column: only the same object is the same value. */
    static final ColumnType UNTYPED = ColumnType.exact(ValueKind.OPAQUE, "");

    private final List<@Nullable LiteralKind> kinds;
    private final @Nullable ColumnType[] types;
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
        boolean expected = expect(slot, type) && type.equals(types[slot]);
        if (expected) {
            stored.add(slot);
        }
        return expected;
    }

    /** An argument that is each of these in turn. */
    int add(Slot slot) {
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
            all.add(stored.contains(slot) ? type.asStored() : type);
        }
        return List.copyOf(all);
    }

    /** Whether the canonical value does not depend on which type of this kind is asked for. */
    private static boolean isFree(ColumnType type) {
        return type.hasExactEquality() && type.kind() != ValueKind.OPAQUE;
    }
}
