package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.WireReader;

/**
 * The values of rows that a process's workers share, and when what they lack is done to them: a row may be kept as the
 * answer came, and may owe updates of the process. Both save work, since most rows are replaced by the next answer
 * before anybody looks at them; whoever looks pays.
 */
final class SharedValues {

    private final boolean hasOneWorker;
    private final OwedLogs owed = new OwedLogs();
    /** Of answers that are kept as they came. */
    private final WireReader reader = new WireReader();

    SharedValues(ClientSettings settings) {
        hasOneWorker = settings.workers() == 1;
    }

    /**
     * Whether rows may owe logs. Those of several workers are joined, in place; and an operation of the application's
     * own may fail, now or never.
     */
    boolean mayOwe(ClientTable table) {
        return hasOneWorker && table.adds && !table.strict;
    }

    /** The values of a row that has come, with all that it owed. */
    Row of(ProcessRow row) {
        Row values = row.values(reader);
        if (row.owedAt != OwedLogs.NONE) {
            owed.pay(row.owedAt, values);
        }
        return values;
    }

    /**
     * Gives a copy the values of a row that has come. One that is kept as it came stays so: its only reader has them
     * then, and the next answer may replace it.
     */
    void copyTo(Row copy, ProcessRow row) {
        if (!row.isAsItCame()) {
            // Others will copy it, too, or it was looked at before.
            copy.copyFrom(of(row));
            return;
        }
        row.readAnswer(reader, copy);
        if (row.owedAt != OwedLogs.NONE) {
            owed.applyTo(row.owedAt, copy);
        }
    }

    /** The row, of a table of which rows {@linkplain #mayOwe may}, owes this log from now on. */
    void owe(ProcessRow row, RowLog log) {
        if (row.owedAt == OwedLogs.NONE) {
            row.owedAt = owed.take();
        }
        if (owed.isFull(row.owedAt)) {
            // No answer has come for some clocks: what is owed would only grow.
            of(row);
        }
        owed.owe(row.owedAt, log);
    }

    /** Other values come, in which all is that the row owes. */
    void replaced(ProcessRow row) {
        if (row.owedAt != OwedLogs.NONE) {
            owed.forget(row.owedAt);
        }
    }

    /** The row goes, and what it owes with it. */
    void dropped(ProcessRow row) {
        if (row.owedAt != OwedLogs.NONE) {
            owed.giveBack(row.owedAt);
            row.owedAt = OwedLogs.NONE;
        }
    }
}
