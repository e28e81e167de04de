package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a compiled template: the value at a position is compared with a constant or a bound variable, or binds a
 * variable. As the order of steps is fixed, what is bound where is known beforehand, and going back undoes nothing.
 *
 * <p>Templates are matched in microseconds and by every statement, so nothing is looked up or undone on the way.
 */
final class Check {

    private static final Check[] NONE = {};

    /** Position in the arguments or the row. */
    final int position;
    /** Variable to bind or to compare with; unused with a constant. */
    private final int variable;

    private final @Nullable Value constant;
    private final boolean binds;
    private final boolean notNull;

    private Check(int position, int variable, @Nullable Value constant, boolean binds, boolean notNull) {
        this.position = position;
        this.variable = variable;
        this.constant = constant;
        this.binds = binds;
        this.notNull = notNull;
    }

    /** The checks for some patterns, those that compare first; adds the variables that they bind. */
    static Check[] of(List<Pattern> patterns, Template template, BitSet bound) {
        List<Check> comparing = new ArrayList<>();
        List<Check> binding = new ArrayList<>();
        for (int i = 0; i < patterns.size(); i++) {
            Pattern pattern = patterns.get(i);
            if (pattern instanceof Pattern.Constant constant) {
                comparing.add(new Check(i, -1, constant.value(), false, false));
            } else if (pattern instanceof Pattern.Variable variable) {
                int index = variable.index();
                if (!bound.get(index)) {
                    bound.set(index);
                    binding.add(
                            new Check(i, index, null, true, template.notNull().contains(index)));
                    // Bound within the same list: the comparison has to come after the binding, so it goes into the
                    // same half.
                } else if (binding.stream().anyMatch(check -> check.variable == index)) {
                    binding.add(new Check(i, index, null, false, false));
                } else {
                    comparing.add(new Check(i, index, null, false, false));
                }
            }
        }
        comparing.addAll(binding);
        return comparing.isEmpty() ? NONE : comparing.toArray(NONE);
    }

    /**
     * Whether the value is fixed when the check is reached, so that it can be looked up.
     *
     * <p>A premise with such a cell can be looked up in an index instead of going through the rows.
     */
    boolean compares() {
        return !binds;
    }

    Value expected(Value[] bindings) {
        return constant != null ? constant : bindings[variable];
    }

    /** Takes a value, null if it is unknown; false if it does not fit. */
    boolean accept(@Nullable Value value, Value[] bindings) {
        // Nothing is known of this value, so no pattern that says something may take it: a parameter that the
        // driver converts, a cell that was not read to the end.
        if (value == null) {
            return false;
        }
        if (!binds) {
            // Java's equality. Values of the trace and of parameters are only such as are equal to the database
            // exactly then (ValueReader).
            return value.equals(constant != null ? constant : bindings[variable]);
        }
        if (notNull && value.isNull()) {
            return false;
        }
        bindings[variable] = value;
        return true;
    }
}
