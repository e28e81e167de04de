package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.row.RowLog;
import java.util.List;

/**
 * An update message of so many bytes that was read: the last part of a clock, or one before it. Its rows were checked
 * against their tables; nothing of it can be refused any more.
 */
record ClockPart(long sequence, int clock, boolean last, int length, List<TableUpdates> updates) {

    /**
     * About how much memory it takes while it waits. Objects for rows and cells take several times what a message does.
     */
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

    /** It waits for its word: takes what it needs until it is applied, and what rows need that it will make. */
    void waits(Memory memory) {
        memory.take(bytes());
        updates.forEach(ofTable -> ofTable.logs().forEach(log -> ofTable.table().expect(log.key())));
    }

    /** It waits no more, and is applied next. */
    void waitsNoMore(Memory memory) {
        memory.give(bytes());
    }

    /** It waits no more, and is never applied. */
    void isGivenUp(Memory memory) {
        memory.give(bytes());
        updates.forEach(ofTable -> ofTable.logs().forEach(log -> ofTable.table().expectNoMore(log.key())));
    }

    void applyFor(int process) {
        for (TableUpdates ofTable : updates) {
            ofTable.table().update(process, clock, ofTable.logs());
        }
    }
}
