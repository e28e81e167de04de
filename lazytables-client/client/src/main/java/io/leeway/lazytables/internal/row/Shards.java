package io.leeway.lazytables.internal.row;

/**
 * Which server has a row: rows are spread over virtual shards, and these over servers. A shard says nothing by itself:
 * which server has it follows from their number alone, so nobody keeps or asks for a table of places.
 */
public final class Shards {

    private static final int COUNT = 1024;

    private Shards() {}

    /** The place of the server that has the row of a table, among so many. */
    public static int server(String table, long key, int servers) {
        return server(table.hashCode(), key, servers);
    }

    /** The same, by the hash of the table's name. */
    public static int server(int table, long key, int servers) {
        // With the table's hash, so that row 0 of all tables is not on one server. String.hashCode and this number are
        // part of what servers store: another would look for rows where they are not. The upper bits are taken, as they
        // depend on all of the key's.
        long mixed = (key + table) * 0x9E3779B97F4A7C15L;
        return (int) ((mixed >>> 40) % COUNT % servers);
    }
}
