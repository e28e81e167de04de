package io.leeway.lazytables.internal.server;

/**
 * A read that waits for a clock, by a reader that has a version of the row and perhaps wants to be sent the next ones.
 */
record PendingRead(
        Session session, int tableId, ServerTable table, long key, int required, long has, boolean subscribes)
        implements Due {

    @Override
    public void write(int globalClock) {
        RowReads.answerLate(this, globalClock);
    }
}
