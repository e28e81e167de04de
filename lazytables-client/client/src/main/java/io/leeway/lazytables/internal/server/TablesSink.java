package io.leeway.lazytables.internal.server;

/** Takes the tables of a server as they were at the end of a clock. */
public interface TablesSink {

    /** Whether it can take some now; if not, those of this clock are passed over. */
    boolean hasRoom();

    /** Takes them, encoded as {@link ClockTables} reads them. Returns at once. */
    void take(int clock, byte[] tables);
}
