package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.traffic.TrafficSink;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells rows to a trace, as long as it takes them, and to a recording, up to a bound. The recording is told more than
 * the trace where another policy might have learnt more: rows that passed in audit mode, and columns that no view of
 * this policy compares.
 */
final class TappedRows implements RowRecorder {

    private final @Nullable RowRecorder trace;
    private final TrafficSink.Rows recording;
    private final List<Integer> columns;
    /** For each column that the trace wants its place in {@link #columns}. */
    private final int[] traced;

    private final @Nullable Object[] forTrace;
    private int room;
    private boolean isTraced;
    private boolean isWhole = true;

    TappedRows(@Nullable RowRecorder trace, TrafficSink.Rows recording, List<Integer> columns, int room) {
        this.trace = trace;
        this.recording = recording;
        this.columns = List.copyOf(columns);
        int[] wanted = trace == null ? new int[0] : trace.columns();
        this.traced = IntStream.of(wanted).map(columns::indexOf).toArray();
        this.forTrace = new Object[traced.length];
        this.room = room;
        this.isTraced = trace != null;
    }

    @Override
    public int[] columns() {
        return columns.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public boolean row(@Nullable Object[] cells) {
        if (trace != null && isTraced) {
            for (int i = 0; i < traced.length; i++) {
                forTrace[i] = cells[traced[i]];
            }
            isTraced = trace.row(forTrace);
        }
        if (room > 0) {
            room--;
            recording.row(cells);
        } else {
            isWhole = false;
        }
        // As long as one of the two wants rows.
        return isTraced || isWhole;
    }

    @Override
    public void exhausted() {
        if (trace != null && isTraced) {
            trace.exhausted();
        }
        // A recording with a gap must not say that these were all rows.
        if (isWhole) {
            recording.exhausted();
        }
    }
}
