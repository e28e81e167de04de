package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowMap;
import io.leeway.lazytables.internal.row.SpecCodec;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the servers of a run held at the end of a clock: the tables, by their names. */
public record ClockTables(int clock, Map<String, OfTable> tables) {

    /*
     * Every server stores what it held by itself, and no server knows of the others. So whatever could be put together
     * wrongly is in the bytes: the clock, the run, how many servers and which one. A reader that was given the
     * directories of another run, too few of them or one twice is told so, instead of finding half a table.
     *
     * The version is not that of snapshots: these are kept, and read when no server of the run is left.
     */

    private static final int VERSION = 2;

    /** A table with its rows, by their keys. */
    public record OfTable(TableSpec spec, RowMap<Row> rows) {}

    /** What one server holds, as it is stored. */
    static byte[] encode(int clock, long run, int place, int servers, Collection<ServerTable> tables) {
        var out = new WireBuffer(1 << 12);
        out.putVar(VERSION);
        out.putVar(clock);
        out.putLong(run);
        out.putVar(servers);
        out.putVar(place);
        out.putVar(tables.size());
        tables.forEach(table -> table.writeEnd(clock, out));
        return Arrays.copyOf(out.array(), out.size());
    }

    /**
     * Puts together what all servers of a run stored of a clock, in any order.
     *
     * @throws WireException if it is not of all servers of one run, or not of this clock
     */
    public static ClockTables of(int clock, List<byte[]> stored, CombineOps ops) {
        var all = new TreeMap<String, OfTable>();
        var seen = new boolean[stored.size()];
        var runs = new TreeSet<Long>();
        for (byte[] ofServer : stored) {
            var in = new WireReader();
            in.open(ofServer, 0, ofServer.length);
            in.getInt("The version of the tables", VERSION, VERSION);
            // The name of a file says it, too, and a file may have been renamed.
            in.getInt("The clock", clock, clock);
            // Before the number of servers: of another run that may be another one, and the run is what is to be told.
            runs.add(in.getLong());
            if (runs.size() > 1) {
                throw new WireException("They are of different runs: name the directories of all servers of one");
            }
            int servers = in.getInt("The number of servers", 1, Protocol.MAX_SERVERS);
            int place = in.getInt("The place of the server", 0, servers - 1);
            if (servers != stored.size()) {
                throw new WireException("Tables are of a run of " + servers + " servers, and there are those of "
                        + stored.size() + ": name the directories of all servers");
            }
            if (seen[place]) {
                throw new WireException("Two directories are of server " + place + ": name that of each server once");
            }
            // As many as there are servers, each in range and none twice: so all are there.
            seen[place] = true;
            int tables = in.getCount("The number of tables", 2);
            for (int i = 0; i < tables; i++) {
                read(in, all, ops);
            }
        }
        return new ClockTables(clock, all);
    }

    private static void read(WireReader in, Map<String, OfTable> all, CombineOps ops) {
        String name = in.getText("The table's name", Protocol.MAX_NAME);
        TableSpec spec = SpecCodec.read(in, ops);
        // A server has a table when somebody has defined it there, so the first that has it says what it is; the others
        // must agree, or their rows could not be read as its.
        OfTable table = all.computeIfAbsent(name, none -> new OfTable(spec, new RowMap<>()));
        if (!table.spec.equals(spec)) {
            throw new WireException("Table " + name + " is not defined alike on all servers");
        }
        int rows = in.getCount("The number of rows", 2);
        for (int i = 0; i < rows; i++) {
            long key = in.getVar("The row", 0, spec.rows() - 1);
            var row = new Row(spec);
            row.read(in);
            // A row is on one server only, so none is overwritten.
            table.rows.put(key, row);
        }
    }
}
