package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Combine;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server takes of the ends of clocks: what processes did up to them, whoever is ahead. */
class ClockEndsTest {

    private static final CombineOps OPS = CombineOps.of(List.of());
    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 2).slack(9);

    private final Map<Integer, byte[]> taken = new TreeMap<>();
    private boolean hasRoom = true;

    private final TablesSink sink = new TablesSink() {
        @Override
        public boolean hasRoom() {
            return hasRoom;
        }

        @Override
        public void take(int clock, byte[] tables) {
            taken.put(clock, tables);
        }
    };

    private RawClients clients(ServerCore server, int every, TableSpec spec) {
        server.takesTables(every, sink);
        var clients = new RawClients(server);
        for (int process = 0; process < 2; process++) {
            clients.open(process, 2, Integer.MAX_VALUE);
            clients.define(process, spec);
        }
        return clients;
    }

    private RawClients clients(int every, TableSpec spec) {
        return clients(new ServerCore(2, OPS), every, spec);
    }

    /** The column that a process adds to is its number, and what it adds in a clock is 10 to the power of the clock. */
    private static RowLog log(TableSpec spec, long row, int process, int clock) {
        var log = new RowLog(spec, row);
        double value = Math.pow(10, clock - 1);
        if (spec.type().integral()) {
            log.updateLong(process, (long) value);
        } else {
            log.updateDouble(process, value);
        }
        return log;
    }

    private static void clock(RawClients clients, TableSpec spec, int process, int clock) {
        clients.update(process, clock, log(spec, 0, process, clock), log(spec, 10L + clock, process, clock));
    }

    private String row(int clock, long row) {
        Row held = ClockTables.of(clock, List.of(taken.get(clock)), OPS)
                .tables()
                .get("t")
                .rows()
                .get(row);
        return held == null ? "none" : (long) held.getDouble(0) + "," + (long) held.getDouble(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "strict", "limited"})
    void aProcessThatIsAheadDoesNotShow(String kind) {
        TableSpec spec = switch (kind) {
            case "strict" -> SPEC.asStrict();
            case "limited" -> TableSpec.dense(CellType.DOUBLE, 2).slack(9).maxStep(1e9);
            default -> SPEC;
        };
        RawClients clients = clients(2, spec);
        for (int clock = 1; clock <= 5; clock++) {
            clock(clients, spec, 0, clock);
        }
        for (int clock = 1; clock <= 4; clock++) {
            clock(clients, spec, 1, clock);
        }

        assertThat(taken).containsOnlyKeys(2, 4);
        assertThat(row(2, 0)).isEqualTo("11,11");
        assertThat(row(4, 0)).isEqualTo("1111,1111");
        // Both write this row in their second clock, this one in their third, and so on.
        assertThat(row(2, 12)).isEqualTo("10,10");
        assertThat(row(2, 13)).isEqualTo("none");
        assertThat(row(4, 13)).isEqualTo("100,100");
        assertThat(row(4, 15)).isEqualTo("none");
    }

    /** As of a row that the one that is ahead was the first to write. */
    @Test
    void whoIsBehindWritesARowThatWasNotThere() {
        RawClients clients = clients(2, SPEC);
        for (int clock = 1; clock <= 2; clock++) {
            clock(clients, SPEC, 0, clock);
        }
        clients.update(0, 3, log(SPEC, 7, 0, 3));
        clients.update(1, 1);
        clients.update(1, 2, log(SPEC, 7, 1, 2));

        assertThat(row(2, 7)).isEqualTo("0,10");
    }

    @Test
    void operationsThatCannotBeUndoneAreKeptApartToo() {
        TableSpec spec = TableSpec.sparse(CellType.LONG).op(Combine.MAX).slack(9);
        RawClients clients = clients(1, spec);
        clock(clients, spec, 0, 1);
        clock(clients, spec, 0, 2);
        clock(clients, spec, 1, 1);

        assertThat(row(1, 0)).isEqualTo("1,1");
        clock(clients, spec, 1, 2);
        assertThat(row(2, 0)).isEqualTo("10,10");
    }

    @Test
    void aTableThatIsMadeByWhoIsAheadIsEmptyAtTheEnd() {
        var server = new ServerCore(2, OPS);
        server.takesTables(1, sink);
        var clients = new RawClients(server);
        clients.open(0, 2, Integer.MAX_VALUE);
        clients.open(1, 2, Integer.MAX_VALUE);
        clients.send(0, Protocol.UPDATE, out -> RawClients.put(out, 1, 1, 1, 0));
        clients.send(0, Protocol.UPDATE, out -> RawClients.put(out, 2, 2, 1, 0));
        clients.define(0, SPEC);
        clients.update(0, 3, log(SPEC, 0, 0, 3));
        clients.send(1, Protocol.UPDATE, out -> RawClients.put(out, 1, 1, 1, 0));

        assertThat(row(1, 0)).isEqualTo("none");
    }

    @Test
    void ofEndsThatOneIsFarPastAFewAreKept() {
        RawClients clients = clients(1, SPEC);
        for (int clock = 1; clock <= 9; clock++) {
            clock(clients, SPEC, 0, clock);
        }
        for (int clock = 1; clock <= 8; clock++) {
            clock(clients, SPEC, 1, clock);
        }
        assertThat(taken).containsOnlyKeys(1, 2, 3, 4);
        clock(clients, SPEC, 1, 9);
        clock(clients, SPEC, 1, 10);
        clock(clients, SPEC, 0, 10);

        assertThat(taken).containsOnlyKeys(1, 2, 3, 4, 9, 10);
        assertThat(row(9, 0)).isEqualTo("111111111,111111111");
        assertThat(row(10, 0)).isEqualTo("1111111111,1111111111");
    }

    @Test
    void whereThereIsNoRoomAClockIsPassedOver() {
        RawClients clients = clients(1, SPEC);
        hasRoom = false;
        clock(clients, SPEC, 0, 1);
        clock(clients, SPEC, 0, 2);
        clock(clients, SPEC, 1, 1);
        hasRoom = true;
        clock(clients, SPEC, 1, 2);

        assertThat(taken).containsOnlyKeys(2);
        assertThat(row(2, 0)).isEqualTo("11,11");
    }

    /** What was past an end before the server was restarted cannot be told apart. */
    @Test
    void aServerThatIsRestartedTakesTheNextEndThatNobodyIsPast() {
        RawClients before = clients(ServerCore.recoverable(2, OPS), 1, SPEC);
        clock(before, SPEC, 0, 1);
        clock(before, SPEC, 0, 2);
        clock(before, SPEC, 1, 1);
        clock(before, SPEC, 0, 3);
        byte[] snapshot = before.server.snapshot();
        taken.clear();

        RawClients clients = clients(ServerCore.restore(snapshot, OPS), 1, SPEC);
        clock(clients, SPEC, 1, 2);
        assertThat(taken).isEmpty();
        clock(clients, SPEC, 0, 4);
        clock(clients, SPEC, 1, 3);
        clock(clients, SPEC, 1, 4);

        assertThat(taken).containsOnlyKeys(3, 4);
        assertThat(row(3, 0)).isEqualTo("111,111");
    }

    @Test
    void whatCannotBeTakenLeavesTheServerAsItIs() {
        var server = new ServerCore(2, OPS);
        server.takesTables(1, new TablesSink() {
            @Override
            public boolean hasRoom() {
                throw new IllegalStateException("the test has no room");
            }

            @Override
            public void take(int clock, byte[] tables) {}
        });
        var clients = new RawClients(server);
        for (int process = 0; process < 2; process++) {
            clients.open(process, 2, Integer.MAX_VALUE);
            clients.define(process, SPEC);
            clock(clients, SPEC, process, 1);
        }

        assertThat(server.globalClock()).isEqualTo(1);
        assertThat(clients.heard).noneMatch(message -> message.contains("failed"));
    }

    @Test
    void tablesOfOtherServersOrClocksAreRefused() {
        RawClients clients = clients(1, SPEC);
        clock(clients, SPEC, 0, 1);
        clock(clients, SPEC, 1, 1);
        byte[] tables = taken.get(1);

        assertThatThrownBy(() -> ClockTables.of(1, List.of(tables, tables), OPS))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("of a run of 1 servers, and there are those of 2");
        assertThatThrownBy(() -> ClockTables.of(2, List.of(tables), OPS)).isInstanceOf(WireException.class);
        for (int length = 0; length < tables.length; length++) {
            byte[] cut = Arrays.copyOf(tables, length);
            assertThatThrownBy(() -> ClockTables.of(1, List.of(cut), OPS)).isInstanceOf(WireException.class);
        }
    }
}
