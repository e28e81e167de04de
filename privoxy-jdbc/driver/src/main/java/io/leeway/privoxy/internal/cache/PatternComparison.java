package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Value;

/**
 * A comparison that a template demands of the values it is matched with. It holds only where it is certain for every
 * database: NOT_EQUAL for values known to differ, the others for values with a known order. EQUAL is not used, as one
 * variable in two places says it.
 */
public record PatternComparison(Condition.Operator operator, Pattern left, Pattern right) {

    public PatternComparison {
        if (operator == Condition.Operator.EQUAL || left instanceof Pattern.Any || right instanceof Pattern.Any) {
            throw new IllegalArgumentException("a comparison has two sides and is not an equality");
        }
    }

    /** Whether two values certainly compare so. */
    public boolean holds(Value one, Value other) {
        return holds(operator, one, other);
    }

    static boolean holds(Condition.Operator operator, Value one, Value other) {
        // Unequal to Java is not enough: 5 and '5' may be equal to a database that converts.
        if (operator == Condition.Operator.NOT_EQUAL) {
            return !one.isNull() && !other.isNull() && one.isKnownToDifferFrom(other);
        }
        if (!one.isOrderedWith(other)) {
            return false;
        }
        int order = one.compareOrdered(other);
        return operator == Condition.Operator.LESS ? order < 0 : order <= 0;
    }
}
