package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.Row;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A row in the cache that a process's workers share: a server's answer with the process's own updates that it did not hold. */
final class ProcessRow {

    static final int NOTHING = -1;

    final ClientTable table;
    final long key;
    final int server;

    @Nullable
    Row values;
    /** The clock of which the values hold all updates of all workers. */
    int dataClock = NOTHING;
    /** Another number whenever the values change, of all rows of the process. */
    long version;
    /** The server's version of the row that the values hold, as it is sent, and the connection over which it came. */
    long serverVersion;

    int epoch = NOTHING;
    /** The connection over which the server sends the row when it changes. */
    int pushedOver = NOTHING;
    /** The clock of the worker that used it last. */
    int usedAt;
    /** The clock that was asked for ahead of reads and not answered, or NOTHING. */
    int askedAhead = NOTHING;
    /** Whether the values were asked for ahead and no read has used them. */
    boolean unusedAhead;
    /**
     * The clocks that were asked for and not answered. Workers at different clocks ask for different ones, and the answer for a later one may have to wait for the worker that needs the earlier.
     */
    final IntArrayList asked = new IntArrayList(2);
    /** Its place among the rows that the server is asked for, or NOTHING. */
    int askedAt = NOTHING;

    ProcessRow(ClientTable table, long key, int server) {
        this.table = table;
        this.key = key;
        this.server = server;
    }

    /** The values, which must have come. */
    Row values() {
        return Objects.requireNonNull(values);
    }
}
