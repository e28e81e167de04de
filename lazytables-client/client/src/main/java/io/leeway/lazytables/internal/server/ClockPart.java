package io.leeway.lazytables.internal.server;

import java.util.List;

/** An update message that was read: the last part of a clock, or one before it. */
record ClockPart(long sequence, int clock, boolean last, List<TableUpdates> updates) {

    void applyFor(int process) {
        for (TableUpdates ofTable : updates) {
            ofTable.table().update(process, clock, ofTable.logs());
        }
    }
}
