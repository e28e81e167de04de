package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Imprint;
import io.leeway.privoxy.internal.request.Standpoint;
import io.leeway.privoxy.internal.request.TraceResult;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows that the application reads into facts of its request's trace. The columns to read, and where each goes,
 * are fixed once per statement text ({@link Layout}); a row costs one conversion for each cell that matters.
 *
 * <p>Not thread-safe; one for each result, used by the thread that reads it, under the connection's turn.
 */
final class CheckedRows implements RowRecorder {

    private final Layout layout;
    private final TraceResult[] results;
    private final boolean[] full;
    private final boolean complete;

    private CheckedRows(Layout layout, TraceResult[] results, boolean complete) {
        this.layout = layout;
        this.results = results;
        this.full = new boolean[results.length];
        this.complete = complete;
    }

    /**
     * Opens the recording's parts in the trace. {@code arguments} holds the values of each part's parameters.
     *
     * <p>Before the statement is sent: a write that another thread makes meanwhile has to make these rows doubtful.
     */
    static CheckedRows open(Layout layout, Recording recording, List<List<Value>> arguments, Standpoint.View known) {
        TraceResult[] results = new TraceResult[recording.parts().size()];
        for (int i = 0; i < results.length; i++) {
            results[i] =
                    known.trace().open(recording.parts().get(i), arguments.get(i), layout.imprints[i], known.from());
        }
        return new CheckedRows(layout, results, recording.complete());
    }

    @Override
    public int[] columns() {
        return layout.columns;
    }

    @Override
    public boolean row(@Nullable Object[] cells) {
        boolean more = false;
        for (int p = 0; p < results.length; p++) {
            // A guard is a column that tells whether an optional side of an outer join is there. Where it is NULL
            // the row has no partner, and its cells are no row of that table.
            if (!full[p] && (layout.guards[p] < 0 || isKnownToBeThere(cells[layout.guards[p]]))) {
                full[p] = !results[p].add(layout.values(p, cells));
            }
            more |= !full[p];
        }
        return more;
    }

    /**
     * A cell that could not be read may be null.
     *
     * <p>A guard that the driver could not read counts as NULL, so the row is not recorded.
     */
    private static boolean isKnownToBeThere(@Nullable Object guard) {
        return guard != null && guard != Parameters.UNKNOWN;
    }

    @Override
    public void exhausted() {
        // Not after LIMIT, or where the statement does not return all rows of its part.
        if (complete) {
            for (TraceResult result : results) {
                result.complete();
            }
        }
    }

    /**
     * Which result columns are read, and which cell of which part each becomes. Immutable.
     *
     * <p>Only columns that a later proof can use are read at all: to call a driver's getter for each cell would double
     * the cost of reading.
     */
    static final class Layout {
        /** JDBC indexes of the columns that are read. */
        private final int[] columns;
        /** For each part and head term the position in {@link #columns}. */
        private final int[][] sources;
        /** For each part and head term the type of the value. */
        private final ColumnType[][] types;
        /** For each part the position in {@link #columns} of its guard, or -1. */
        private final int[] guards;
        /** For each part what its rows say of single rows. */
        private final Imprint[] imprints;

        Layout(Recording recording, HeadTypes headTypes, Function<String, @Nullable Table> tables) {
            this.columns = recording.parts().stream()
                    .flatMapToInt(Layout::columnsOf)
                    .distinct()
                    .sorted()
                    .map(column -> column + 1)
                    .toArray();
            int parts = recording.parts().size();
            this.sources = new int[parts][];
            this.types = new ColumnType[parts][];
            this.guards = new int[parts];
            this.imprints = recording.parts().stream()
                    .map(part -> Imprint.of(part.query(), tables))
                    .toArray(Imprint[]::new);
            for (int p = 0; p < parts; p++) {
                Recording.Part part = recording.parts().get(p);
                sources[p] =
                        part.resultColumns().stream().mapToInt(this::position).toArray();
                types[p] = headTypes.of(part.query());
                guards[p] = part.guard() < 0 ? -1 : position(part.guard());
            }
        }

        private static IntStream columnsOf(Recording.Part part) {
            IntStream head = part.resultColumns().stream().mapToInt(Integer::intValue);
            return part.guard() < 0 ? head : IntStream.concat(head, IntStream.of(part.guard()));
        }

        private int position(int column) {
            return Arrays.binarySearch(columns, column + 1);
        }

        /** A cell that is not surely the stored value is null here, and nothing is believed of it. */
        private @Nullable Value[] values(int part, @Nullable Object[] cells) {
            int[] source = sources[part];
            @Nullable Value[] values = new Value[source.length];
            for (int i = 0; i < source.length; i++) {
                values[i] = ValueReader.cell(cells[source[i]], types[part][i]);
            }
            return values;
        }
    }
}
