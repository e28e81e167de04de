package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server knows, for people.
 *
 * @param expected the number of processes that it waits for
 * @param globalClock the clock that all of them have completed
 * @param slowest the process that holds the clock back
 * @param recovering whether it waits for what clients sent before it was restarted
 * @param pendingReads reads that wait
 * @param processes those that have come
 * @param tables those that there are
 * @param traffic what was sent and received since the start
 */
public record ServerStatus(
        int expected,
        int globalClock,
        int slowest,
        boolean recovering,
        long pendingReads,
        List<OfProcess> processes,
        List<OfTable> tables,
        Statistics.Traffic traffic) {

    /** Copies. */
    public ServerStatus {
        processes = List.copyOf(processes);
        tables = List.copyOf(tables);
    }

    /** Whether a process is there. */
    public enum State {
        /** It is connected. */
        CONNECTED(0),
        /** It is not, and is waited for. */
        AWAY(1),
        /** It said that it ends. */
        ENDED(2),
        /** It was away for too long, and the others go on without it. */
        DROPPED(3),
        /** It closed before it was done, and is waited for. */
        UNFINISHED(4),
        /** It is not there, and nobody can go on where it was. */
        LOST(5);

        private final int number;

        State(int number) {
            this.number = number;
        }

        private static State of(int number) {
            for (State state : values()) {
                if (state.number == number) {
                    return state;
                }
            }
            throw new WireException("There is no state " + number);
        }
    }

    /**
     * A process.
     *
     * @param process its number
     * @param state whether it is there
     * @param workers how many it has
     * @param clock the clock that all of them have completed
     * @param updates the number of the last of its updates that was applied
     */
    public record OfProcess(int process, State state, int workers, int clock, long updates) {}

    /**
     * A table.
     *
     * @param name its name
     * @param kind what it is made of, in words
     * @param rows rows that were written
     * @param waitingWrites logs of rows that are put off
     */
    public record OfTable(String name, String kind, long rows, long waitingWrites) {}

    /** All rows. */
    public long rows() {
        return tables.stream().mapToLong(OfTable::rows).sum();
    }

    /** All logs of rows that are put off. */
    public long waitingWrites() {
        return tables.stream().mapToLong(OfTable::waitingWrites).sum();
    }

    /** The processes that are connected. */
    public long connected() {
        return processes.stream()
                .filter(process -> process.state() == State.CONNECTED)
                .count();
    }

    /** Writes it to a message. */
    public void write(WireBuffer out) {
        out.putVar(expected);
        out.putVar(globalClock);
        out.putVar(slowest);
        out.putByte(recovering ? 1 : 0);
        out.putVar(pendingReads);
        out.putVar(traffic.messagesIn());
        out.putVar(traffic.messagesOut());
        out.putVar(traffic.bytesIn());
        out.putVar(traffic.bytesOut());
        out.putVar(processes.size());
        for (OfProcess each : processes) {
            out.putVar(each.process());
            out.putByte(each.state().number);
            out.putVar(each.workers());
            out.putVar(each.clock());
            out.putVar(each.updates());
        }
        out.putVar(tables.size());
        for (OfTable each : tables) {
            out.putText(each.name());
            out.putText(each.kind());
            out.putVar(each.rows());
            out.putVar(each.waitingWrites());
        }
    }

    /** Reads what {@link #write} wrote. */
    public static ServerStatus read(WireReader in) {
        int expected = in.getInt("The number of processes", 1, Protocol.MAX_PROCESSES);
        int globalClock = in.getInt("The clock", 0, Integer.MAX_VALUE);
        int slowest = in.getInt("The process", 0, Protocol.MAX_PROCESSES);
        boolean recovering = in.getInt("The flag", 0, 1) == 1;
        long pendingReads = number(in);
        var traffic = new Statistics.Traffic(number(in), number(in), number(in), number(in));
        int members = in.getCount("The number of processes", 5);
        var processes = new ArrayList<OfProcess>();
        for (int i = 0; i < members; i++) {
            processes.add(new OfProcess(
                    in.getInt("The process", 0, Protocol.MAX_PROCESSES),
                    State.of(in.getByte()),
                    in.getInt("The number of workers", 0, Protocol.MAX_WORKERS),
                    in.getInt("The clock", 0, Integer.MAX_VALUE),
                    number(in)));
        }
        int count = in.getCount("The number of tables", 4);
        var tables = new ArrayList<OfTable>();
        for (int i = 0; i < count; i++) {
            tables.add(new OfTable(
                    in.getText("The table's name", Protocol.MAX_NAME),
                    in.getText("The table's kind", Protocol.MAX_TEXT),
                    number(in),
                    number(in)));
        }
        return new ServerStatus(expected, globalClock, slowest, recovering, pendingReads, processes, tables, traffic);
    }

    private static long number(WireReader in) {
        return in.getVar("A number", 0, Long.MAX_VALUE);
    }
}
