package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.wire.WireReader;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A row in the cache that a process's workers share: a server's answer with the process's own updates that it did not
 * hold.
 */
final class ProcessRow {

    static final int NOTHING = -1;

    private static final byte[] NO_BYTES = {};

    final ClientTable table;
    final long key;
    final int server;

    /** As they are but for what is owed; stale where an answer is kept as it came. */
    private @Nullable Row values;

    private byte[] answer = NO_BYTES;
    /** How much of the answer is one; 0 if the values are what counts. */
    private int answerLength;
    /** Where is kept what the values, or the answer, still lack of what the process's only worker did. */
    int owedAt = OwedLogs.NONE;

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
    /** The clock of the worker for which whatever is newer was asked for last, or NOTHING. */
    int newerAskedIn = NOTHING;
    /** Whether the values were asked for ahead and no read has used them. */
    boolean unusedAhead;
    /**
     * The clocks that were asked for and not answered: mostly one, or none. Workers at different clocks ask for
     * different ones, and the answer for a later one may have to wait for the worker that needs the earlier.
     */
    private int asked = NOTHING;

    private @Nullable IntArrayList askedMore;
    /** Its place among the rows that the server is asked for, or NOTHING. */
    int askedAt = NOTHING;

    ProcessRow(ClientTable table, long key, int server) {
        this.table = table;
        this.key = key;
        this.server = server;
    }

    /** Whether the row has values. */
    boolean hasCome() {
        return answerLength > 0 || values != null;
    }

    /** Whether the values are an answer that is kept as it came. */
    boolean isAsItCame() {
        return answerLength > 0;
    }

    /** Keeps as the row's values what was read of a message since a position, which {@link Row#pass} did. */
    void keep(WireReader message, int since) {
        int length = message.position() - since;
        if (length > answer.length) {
            answer = new byte[length + length / 2];
        }
        message.copySince(since, answer);
        answerLength = length;
    }

    /** Gives another row the values that are kept as they came. */
    void readAnswer(WireReader reader, Row target) {
        reader.open(answer, 0, answerLength);
        target.read(reader);
    }

    /** The values, which have come; what is owed not done to them. */
    Row values(WireReader reader) {
        if (answerLength > 0) {
            reader.open(answer, 0, answerLength);
            overwrite().read(reader);
        }
        return Objects.requireNonNull(values);
    }

    /** The values, all of which are about to be set. */
    Row overwrite() {
        answerLength = 0;
        Row row = values;
        if (row == null) {
            row = new Row(table.spec);
            values = row;
        }
        return row;
    }

    /** Looks at what a worker is about to copy, see {@link Row#approach}. */
    long approach() {
        return answerLength > 0 ? answer[0] : values == null ? 0 : values.approach();
    }

    /** Whether a clock is asked for that was not answered. */
    boolean isAsked() {
        return asked != NOTHING;
    }

    /** Whether this clock is asked for and was not answered. */
    boolean isAsked(int clock) {
        return asked == clock || askedMore != null && askedMore.contains(clock);
    }

    /** Takes note that a clock, which was not, is asked for. */
    void ask(int clock) {
        if (asked == NOTHING) {
            asked = clock;
            return;
        }
        IntArrayList more = askedMore;
        if (more == null) {
            more = new IntArrayList(2);
            askedMore = more;
        }
        more.add(clock);
    }

    /** Takes note of an answer, which holds everything of this clock. */
    void answered(int clock) {
        IntArrayList more = askedMore;
        if (more != null) {
            more.removeIf((int each) -> each <= clock);
        }
        // The answer may hold more than was asked for, and then answers all that ask for less.
        if (asked <= clock) {
            asked = more == null || more.isEmpty() ? NOTHING : more.removeInt(0);
        }
    }

    /** Passes the clocks that are asked for, in their order. */
    void forEachAsked(IntConsumer action) {
        if (asked != NOTHING) {
            action.accept(asked);
        }
        if (askedMore != null) {
            askedMore.forEach(action);
        }
    }
}
