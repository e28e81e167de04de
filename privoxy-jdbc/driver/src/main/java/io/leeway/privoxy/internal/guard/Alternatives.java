package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The choices of arguments for which an obligation has to be compliant: one, or one for each element of an {@code IN}
 * list or array; and where nothing is known of a parameter, one with a value and one with NULL. Equal choices are made
 * once.
 *
 * <p>To decide for each element instead of for the list as a whole keeps templates small: one template of {@code id =
 * ?} serves lists of any length. The successor of the dissertation's system (OSDI 2022) splits IN lists for the same
 * reason.
 */
final class Alternatives {

    /**
     * Choices of one obligation; a longer product of several lists is refused as undecided.
     *
     * <p>Only a refusal is lost by it, and lists of that length are nearly always of ids that one template covers.
     */
    static final int MAX_CHOICES = 100_000;

    /**
     * Parameters of one obligation of which nothing is known: each doubles the choices.
     *
     * <p>Sixty-four choices for one obligation; more is refused as undecided ({@code limits.md}).
     */
    private static final int MOST_UNKNOWN = 6;

    private Alternatives() {}

    /** Every choice, or null if there are too many, or an array is not known. */
    static @Nullable List<List<Value>> of(List<Slot> arguments, SlotValues slots) {
        // Nearly all statements: no lists of lists for them.
        List<Value> only = onlyChoice(arguments, slots);
        if (only != null) {
            return List.of(only);
        }
        // NULL as well as a value for each: both have to be compliant, or ? IS NULL would show every row
        // (UnreadParametersIT).
        if (arguments.stream().filter(argument -> isUnknown(argument, slots)).count() > MOST_UNKNOWN) {
            return null;
        }
        List<List<Value>> choices = List.of(List.of());
        for (Slot argument : arguments) {
            List<Value> options = options(argument, slots);
            if (options == null || (long) options.size() * choices.size() > MAX_CHOICES) {
                return null;
            }
            choices = extended(choices, options);
        }
        return choices;
    }

    private static boolean isUnknown(Slot argument, SlotValues slots) {
        return argument instanceof Slot.One one && slots.mayBeNull(one.slot());
    }

    /** The choice without lists, arrays and what nothing is known of, the usual one; null if there are any. */
    private static @Nullable List<Value> onlyChoice(List<Slot> arguments, SlotValues slots) {
        Value[] values = new Value[arguments.size()];
        for (int i = 0; i < values.length; i++) {
            if (!(arguments.get(i) instanceof Slot.One one) || isUnknown(one, slots)) {
                return null;
            }
            values[i] = slots.value(one.slot());
        }
        return List.of(values);
    }

    private static List<List<Value>> extended(List<List<Value>> choices, List<Value> options) {
        List<List<Value>> longer = new ArrayList<>(choices.size() * options.size());
        for (List<Value> choice : choices) {
            for (Value option : options) {
                List<Value> more = new ArrayList<>(choice.size() + 1);
                more.addAll(choice);
                more.add(option);
                longer.add(more);
            }
        }
        return longer;
    }

    private static @Nullable List<Value> options(Slot argument, SlotValues slots) {
        if (argument instanceof Slot.One one) {
            Value value = slots.value(one.slot());
            return isUnknown(one, slots) ? List.of(value, Value.NULL) : List.of(value);
        }
        if (argument instanceof Slot.Each each) {
            LinkedHashSet<Value> distinct = new LinkedHashSet<>();
            for (int slot : each.slots()) {
                distinct.add(slots.value(slot));
                // One NULL for all elements of which nothing is known: it is the same choice.
                if (slots.mayBeNull(slot)) {
                    distinct.add(Value.NULL);
                }
            }
            return List.copyOf(distinct);
        }
        if (argument instanceof Slot.Literals literals) {
            return literals.values();
        }
        return slots.elements(((Slot.Elements) argument).slot());
    }
}
