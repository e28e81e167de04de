package io.leeway.lazytables.internal.row;

/** Which server has a row: rows are spread over virtual shards, and these over servers. */
public final class Shards {

    private static final int COUNT = 1024;

    private Shards() {}

    /** The place of the server that has the row of a table, among so many. */
    public static int server(String table, long key, int servers) {
        return server(table.hashCode(), key, servers);
    }

    /** The same, by the hash of the table's name. */
    public static int server(int table, long key, int servers) {
        long mixed = (key + table) * 0x9E3779B97F4A7C15L;
        return (int) ((mixed >>> 40) % COUNT % servers);
    }
}
