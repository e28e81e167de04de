package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.row.RowLog;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which columns of a row were written last, so that a reader who has an older version of the row is sent these and not
 * the others.
 *
 * <p>The row's version is how many columns were written so far, counted again each time. The last of them are kept in a
 * ring of a quarter of the row's size: a reader who lacks more gets the whole row, which is about as short then. A
 * version says nothing outside of one server's life: after a restart it counts anew, and clients forget it with the
 * connection.
 */
final class RowJournal {

    private static final int LEAST = 16;
    private static final int SHARE = 4;

    /** Where the answer is that a reader of the row was given last. */
    final Answers.Place answer = new Answers.Place();

    private int[] ring = {};
    private long version;
    /** How many of the last writes the ring holds. */
    private int known;

    long version() {
        return version;
    }

    /** Takes note of updates of a row that now has so many entries. */
    void wrote(RowLog log, int entries) {
        int most = Math.max(LEAST, Integer.highestOneBit(entries / SHARE + 1));
        // A log that came as a list has nothing else.
        int written = log.isDense() ? log.writtenCells() : log.entries();
        if (written > most) {
            // The ring keeps what it had, but nothing of it is asked for any more: a reader who lacks this log lacks
            // more than the ring holds.
            version += written;
            known = 0;
            return;
        }
        if (most > ring.length) {
            grow(most);
        }
        int[] columns = log.writtenColumns(written);
        for (int i = 0; i < written; i++) {
            // Sizes are powers of two, so a place is a mask away; a column that is written again is there twice, and
            // comes out once.
            ring[place(version++)] = columns[i];
        }
        known = Math.min(known + written, ring.length);
    }

    /** The columns that were written since this version, ascending; null if that is not known any more. */
    int @Nullable [] since(long before) {
        if (before > version || version - before > known) {
            return null;
        }
        int[] columns = new int[(int) (version - before)];
        int count = 0;
        for (long at = before; at < version; at++) {
            columns[count++] = ring[place(at)];
        }
        Arrays.sort(columns, 0, count);
        int different = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || columns[i] != columns[i - 1]) {
                columns[different++] = columns[i];
            }
        }
        return different == columns.length ? columns : Arrays.copyOf(columns, different);
    }

    private void grow(int size) {
        int[] before = ring;
        ring = new int[size];
        for (long at = version - known; at < version; at++) {
            ring[place(at)] = before[(int) (at & (before.length - 1))];
        }
    }

    private int place(long at) {
        return (int) (at & (ring.length - 1));
    }
}
