package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.RowRecorder;
import org.jspecify.annotations.Nullable;

/** Takes the rows of a result that the driver cut short: its end means nothing. */
record PartialRecorder(RowRecorder recorder) implements RowRecorder {

    @Override
    public int[] columns() {
        return recorder.columns();
    }

    @Override
    public boolean row(@Nullable Object[] cells) {
        return recorder.row(cells);
    }

    @Override
    public void exhausted() {}
}
