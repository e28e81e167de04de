package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.row.RowLog;
import java.util.List;

/** An update message of so many bytes that was read: the last part of a clock, or one before it. */
record ClockPart(long sequence, int clock, boolean last, int length, List<TableUpdates> updates) {

    /** About how much memory it takes while it waits. */
    long bytes() {
        return 4L * length + Memory.OF_ROW;
    }

    /** About how much more memory is taken when it is applied, and until then. */
    long needs() {
        long bytes = bytes();
        for (TableUpdates ofTable : updates) {
            for (RowLog log : ofTable.logs()) {
                bytes += ofTable.table().needs(log);
            }
        }
        return bytes;
    }

    void applyFor(int process) {
        for (TableUpdates ofTable : updates) {
            ofTable.table().update(process, clock, ofTable.logs());
        }
    }
}
