package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one result in one flat array. Not thread-safe: used under the trace's lock.
 *
 * <p>Snapshots share the array, because the prefix that a snapshot shows never changes: rows are added behind it, and
 * taking some out makes a new array.
 */
final class FlatRows {

    /** Room for more than one row: the first is usually the only one. */
    private static final int SECOND_ROOM = 8;

    private final int width;
    private @Nullable Value[] cells = new Value[0];
    private int size;

    FlatRows(int width) {
        this.width = width;
    }

    int width() {
        return width;
    }

    int size() {
        return size;
    }

    @Nullable
    Value[] cells() {
        return cells;
    }

    void add(@Nullable Value[] row) {
        if ((size + 1) * width > cells.length) {
            cells = Arrays.copyOf(cells, (size == 0 ? 1 : Math.max(SECOND_ROOM, size * 2)) * width);
        }
        System.arraycopy(row, 0, cells, size * width, width);
        size++;
    }

    void removeLast() {
        size--;
    }

    /** Keeps the rows of certain numbers; returns how many go. */
    int retain(IntPredicate which) {
        @Nullable Value[] kept = new Value[size * width];
        int count = 0;
        for (int row = 0; row < size; row++) {
            if (which.test(row)) {
                System.arraycopy(cells, row * width, kept, count * width, width);
                count++;
            }
        }
        int gone = size - count;
        cells = kept;
        size = count;
        return gone;
    }

    void clear() {
        cells = new Value[0];
        size = 0;
    }
}
