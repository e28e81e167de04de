package io.leeway.lazytables.internal.server;

/** That a client has a row and wants to be sent it when it has changed. */
final class Subscription {

    final Session session;
    /** The client's number of the table. */
    final int table;
    /** The version that was sent last. */
    long version;
    /** Its place among the row's. */
    int at;

    Subscription(Session session, int table) {
        this.session = session;
        this.table = table;
    }
}
