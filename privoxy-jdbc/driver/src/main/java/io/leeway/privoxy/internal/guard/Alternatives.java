package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The choices of arguments for which an obligation has to be compliant: one, or one for each element of an {@code IN}
 * list or array. Equal choices are made once.
 */
final class Alternatives {

    /** Choices of one obligation; a longer product of several lists is refused as undecided. */
    static final int MAX_CHOICES = 100_000;

    private Alternatives() {}

    /** Every choice, or null if there are more than {@link #MAX_CHOICES} or an array is not known. */
    static @Nullable List<List<Value>> of(List<Slot> arguments, SlotValues slots) {
        List<Value> only = onlyChoice(arguments, slots);
        if (only != null) {
            return List.of(only);
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

    /** The choice without lists and arrays, the usual one; null if there are any. */
    private static @Nullable List<Value> onlyChoice(List<Slot> arguments, SlotValues slots) {
        Value[] values = new Value[arguments.size()];
        for (int i = 0; i < values.length; i++) {
            if (!(arguments.get(i) instanceof Slot.One one)) {
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
            return List.of(slots.value(one.slot()));
        }
        if (argument instanceof Slot.Each each) {
            LinkedHashSet<Value> distinct = new LinkedHashSet<>();
            each.slots().forEach(slot -> distinct.add(slots.value(slot)));
            return List.copyOf(distinct);
        }
        if (argument instanceof Slot.Literals literals) {
            return literals.values();
        }
        return slots.elements(((Slot.Elements) argument).slot());
    }
}
