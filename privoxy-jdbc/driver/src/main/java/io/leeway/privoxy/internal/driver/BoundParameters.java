package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.Parameters;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The values bound to a prepared statement so far. Not thread-safe. */
final class BoundParameters implements Parameters {

    private static final int FIRST = 8;

    private @Nullable Object[] values;
    private int count;
    private boolean named;

    BoundParameters() {
        this(new Object[0], false);
    }

    private BoundParameters(@Nullable Object[] values, boolean named) {
        this.values = values;
        this.count = values.length;
        this.named = named;
    }

    @Override
    public @Nullable Object get(int index) {
        return named || index < 1 || index > count ? UNKNOWN : values[index - 1];
    }

    /** Binds a value that nobody else can change. The index has passed the real driver, so it is in range. */
    void set(int index, @Nullable Object value) {
        if (index > values.length) {
            int length = Math.max(Math.max(FIRST, index), values.length * 2);
            values = Arrays.copyOf(values, length);
        }
        if (index > count) {
            // Places that were skipped are not bound; nothing is known of them.
            Arrays.fill(values, count, index, UNKNOWN);
            count = index;
        }
        values[index - 1] = value;
    }

    /** A value was bound by name: from now on no position is known. */
    void setNamed() {
        named = true;
    }

    /** Whether nothing was bound. */
    boolean isEmpty() {
        return count == 0 && !named;
    }

    void clear() {
        Arrays.fill(values, null);
        count = 0;
        named = false;
    }

    /** The values as they are now. */
    Parameters copy() {
        return new BoundParameters(Arrays.copyOf(values, count), named);
    }
}
