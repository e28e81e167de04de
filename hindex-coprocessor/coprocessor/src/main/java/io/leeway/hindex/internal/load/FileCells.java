package io.leeway.hindex.internal.load;

import io.leeway.hindex.internal.plan.RowStart;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Function;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a file from a row on and in order, some at a time. Thread-safe, so that whoever closes it waits for a
 * read that nobody else waits for any more.
 */
final class FileCells implements Closeable {

    private final Function<Boolean, HFileScanner> file;
    private final byte[] row;
    private @Nullable HFileScanner scanner;
    /** Whether the scanner stands on a cell. */
    private boolean isThere;

    private boolean isClosed;

    /**
     * Of a file that is not read yet.
     *
     * @param file gives a scanner, for some rows only or for all
     * @param row empty for the first
     */
    FileCells(Function<Boolean, HFileScanner> file, byte[] row) {
        this.file = file;
        this.row = row;
    }

    /**
     * Hands on at most so many, until the receiver does not want to go on; the last one it gets again the next time.
     *
     * <p>Some at a time, since each read is waited for with a limit.
     *
     * @return whether there are more
     */
    synchronized boolean read(LoadedFile.Receiver receiver, long most) throws IOException {
        if (isClosed) {
            throw new IOException("the cells of the file are not read any more");
        }
        HFileScanner from = scanner == null ? begin() : scanner;
        for (long i = 0; i < most && isThere && receiver.cell(from.getCell()); i++) {
            isThere = from.next();
        }
        return isThere;
    }

    /** Late, in the thread that reads: opening asks the file system. */
    private HFileScanner begin() throws IOException {
        HFileScanner begun = file.apply(row.length > 0);
        scanner = begun;
        isThere = row.length == 0 ? begun.seekTo() : seek(begun);
        return begun;
    }

    /** To the first cell of the row, or behind where it would be. */
    private boolean seek(HFileScanner begun) throws IOException {
        int found = begun.seekTo(RowStart.of(row));
        // HBase says: before all cells, or at the last one before.
        return found < 0 ? begun.seekTo() : found == 0 || begun.next();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (scanner != null) {
            scanner.close();
        }
    }
}
