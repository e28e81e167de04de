package io.leeway.lazybase.internal.merge;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.KeyRange;
import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one run of several (James Cipar, "Trading Freshness for Performance in Distributed Systems", 2014, section 3.3.3, "merge"): one row
 * a key, in the order of keys, written extent by extent, so the memory that it takes does not grow with the runs. Stretches that only one
 * run has are copied as they are. For one thread.
 *
 * <p>If nothing older than the inputs exists, deleted rows are left out and every row is whole. That is so when the oldest input is the
 * authority. Then {@link Changes} hears of every key that the other inputs have, which is what secondary views live on.
 */
public final class RunMerger {

    /** Where the result goes. */
    public interface Output {

        /** Takes rows as one extent. */
        void extent(byte @Nullable [] flags, Vector[] columns, int rows, byte[] min, byte[] max) throws IOException;
    }

    /** Hears of rows that are not what they were. */
    public interface Changes {

        /** A row of the authority is no more, or not as it was. */
        void removed(SortedRun authority, int block, int row) throws IOException;

        /** A row is new, or not as it was; it is the given row of the columns. */
        void added(VectorBuilder[] columns, int row);

        /** Rows that are in the given columns only now; called before they are handed on, with what {@link #added} named. */
        void flush(Vector[] columns) throws IOException;
    }

    /** Rows that are copied before the size of an extent is looked at. */
    private static final int STRIDE = 1024;

    private final List<Cursor> cursors = new ArrayList<>();
    private final int[] ids;
    private final VectorBuilder[] columns;
    private final boolean last;
    private final int extentRows;
    private final long extentBytes;
    private final Output output;
    private final @Nullable Changes changes;
    private final @Nullable SortedRun authority;
    private byte[] flags;
    private boolean allPuts = true;
    private int rows;
    private byte[] min = {};
    private @Nullable Keys maxKeys;
    private int maxRow;
    private long rowsOut;

    private final Cursor[] ties;
    private final byte[] tieFlags;
    private final int[] tieRows;
    private final Vector[] tieVectors;

    /**
     * @param runs oldest first
     * @param last whether nothing older exists
     * @param authority the input that is the authority, if changes are wanted
     */
    public RunMerger(
            List<? extends SortedRun> runs,
            KeyRange range,
            int[] ids,
            boolean[] isLong,
            boolean last,
            Limits limits,
            Output output,
            @Nullable Changes changes,
            @Nullable SortedRun authority) {
        this.ids = ids.clone();
        this.last = last;
        this.extentRows = limits.rows;
        this.extentBytes = limits.bytes;
        this.output = output;
        this.changes = changes;
        this.authority = authority;
        this.columns = new VectorBuilder[ids.length];
        for (int c = 0; c < ids.length; c++) {
            columns[c] = new VectorBuilder(isLong[c], extentRows);
        }
        flags = new byte[extentRows];
        for (SortedRun run : runs) {
            cursors.add(new Cursor(run, range, this.ids));
        }
        ties = new Cursor[runs.size()];
        tieFlags = new byte[runs.size()];
        tieRows = new int[runs.size()];
        tieVectors = new Vector[runs.size()];
    }

    /** When an extent is full: at so many rows, or so many bytes before compression. */
    public record Limits(int rows, long bytes) {}

    /** Merges all; returns the number of rows of the result. */
    public long run() throws IOException {
        while (step()) {
            if (rows >= extentRows || (rows % 64 == 0 && weight() >= extentBytes)) {
                flush();
            }
        }
        flush();
        return rowsOut;
    }

    private long weight() {
        long sum = 0;
        for (VectorBuilder column : columns) {
            sum += column.weight();
        }
        return sum;
    }

    private boolean step() throws IOException {
        Cursor least = null;
        int tied = 0;
        for (int i = 0; i < cursors.size(); i++) {
            Cursor cursor = cursors.get(i);
            if (cursor.keys == null && !cursor.open()) {
                cursors.remove(i--);
                continue;
            }
            int order = least == null ? -1 : compare(cursor, least);
            if (order < 0) {
                least = cursor;
                tied = 1;
            } else if (order == 0) {
                tied++;
            }
        }
        if (least == null) {
            return false;
        }
        if (tied == 1) {
            stretch(least);
        } else {
            resolve(least);
        }
        return true;
    }

    @SuppressWarnings("NullAway")
    private static int compare(Cursor a, Cursor b) {
        return a.keys.compare(a.row, b.keys, b.row);
    }

    @SuppressWarnings("NullAway")
    private void stretch(Cursor cursor) throws IOException {
        int to = cursor.end;
        for (Cursor other : cursors) {
            if (other != cursor && to > cursor.row) {
                to = cursor.keys.seek(cursor.row, to, other.keys, other.row);
            }
        }
        boolean whole = cursor.flags == null;
        boolean heard = changes != null && cursor.run != authority;
        while (cursor.keys != null && cursor.row < to) {
            int count = Math.min(Math.min(to - cursor.row, extentRows - rows), STRIDE);
            boolean ends = cursor.row + count == cursor.end;
            if (whole) {
                copy(cursor, count, heard);
                cursor.advance(count);
            } else {
                count = 1;
                ends = cursor.row + 1 == cursor.end;
                ties[0] = cursor;
                tieFlags[0] = cursor.flag();
                tieRows[0] = cursor.row;
                emit(1, heard);
                cursor.advance(1);
            }
            if (ends) {
                return;
            }
            if (rows >= extentRows || weight() >= extentBytes) {
                flush();
            }
        }
    }

    @SuppressWarnings("NullAway")
    private void copy(Cursor cursor, int count, boolean heard) {
        begin(cursor);
        int from = cursor.row;
        for (int c = 0; c < ids.length; c++) {
            Vector column = cursor.column(c);
            if (column != null) {
                columns[c].addRange(column, from, from + count);
            } else {
                for (int i = 0; i < count; i++) {
                    columns[c].addNull();
                }
            }
        }
        java.util.Arrays.fill(flags, rows, rows + count, Batch.PUT);
        if (heard) {
            for (int i = 0; i < count; i++) {
                changes.added(columns, rows + i);
            }
        }
        maxKeys = cursor.keys;
        maxRow = from + count - 1;
        rows += count;
    }

    @SuppressWarnings("NullAway")
    private void begin(Cursor cursor) {
        if (rows == 0) {
            min = cursor.keys.get(cursor.row);
        }
    }

    private void resolve(Cursor least) throws IOException {
        int count = 0;
        boolean heard = false;
        for (int i = cursors.size() - 1; i >= 0; i--) {
            Cursor cursor = cursors.get(i);
            if (cursor == least || compare(cursor, least) == 0) {
                ties[count] = cursor;
                tieFlags[count] = cursor.flag();
                tieRows[count] = cursor.row;
                count++;
                if (cursor.run == authority && changes != null) {
                    changes.removed(cursor.run, cursor.block, cursor.row);
                } else {
                    heard = changes != null;
                }
            }
        }
        emit(Resolver.depth(tieFlags, count), heard);
        for (int i = 0; i < count; i++) {
            ties[i].advance(1);
        }
    }

    @SuppressWarnings("NullAway")
    private void emit(int depth, boolean heard) {
        byte flag = Resolver.flags(tieFlags, depth);
        if (last) {
            if ((flag & Batch.EXISTS) == 0) {
                return;
            }
            flag = Batch.PUT;
        }
        begin(ties[0]);
        for (int c = 0; c < ids.length; c++) {
            for (int i = 0; i < depth; i++) {
                tieVectors[i] = ties[i].column(c);
            }
            Resolver.column(columns[c], tieVectors, tieRows, tieFlags, depth, last);
        }
        flags[rows] = flag;
        allPuts &= flag == Batch.PUT;
        maxKeys = ties[0].keys;
        maxRow = ties[0].row;
        if (heard) {
            changes.added(columns, rows);
        }
        rows++;
    }

    @SuppressWarnings("NullAway")
    private void flush() throws IOException {
        if (rows == 0) {
            return;
        }
        Vector[] built = new Vector[columns.length];
        for (int c = 0; c < built.length; c++) {
            built[c] = columns[c].build();
        }
        if (changes != null) {
            changes.flush(built);
        }
        output.extent(allPuts ? null : flags, built, rows, min, maxKeys.get(maxRow));
        rowsOut += rows;
        rows = 0;
        allPuts = true;
        flags = new byte[extentRows];
    }
}
