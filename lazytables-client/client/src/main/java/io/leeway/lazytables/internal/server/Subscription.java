package io.leeway.lazytables.internal.server;

/** That a client has a row and wants to be sent it when it has changed. */
final class Subscription implements Due {

    final Session session;
    /** The client's number of the table. */
    final int table;

    final long key;
    /** The version that was sent last. */
    long version;
    /** Its place among the row's. */
    int at;
    /** Whether the row is to be sent when there is room. */
    boolean isDue;
    /**
     * Whether the client wants the row no more. It may be due still: what waits for room is not searched for it.
     */
    boolean hasEnded;

    Subscription(Session session, int table, long key) {
        this.session = session;
        this.table = table;
        this.key = key;
    }

    @Override
    public void write(int globalClock) {
        isDue = false;
        session.pushed();
        if (!hasEnded) {
            RowReads.pushLate(this, globalClock);
        }
    }
}
