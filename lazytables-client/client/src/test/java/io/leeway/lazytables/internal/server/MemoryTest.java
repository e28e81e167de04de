package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.row.SpecCodec;
import io.leeway.lazytables.internal.wire.Protocol;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What clients have a server keep is counted before it is taken: who asks for more than there is is refused, and the others go on. */
class MemoryTest {

    private static final CombineOps OPS = CombineOps.of(List.of());
    private static final int WIDE = 1 << 24;
    private static final TableSpec SMALL = TableSpec.dense(CellType.LONG, 4);
    private static final String REFUSED = "1:" + Protocol.REFUSED + " 1502";

    private final ServerCore server = new ServerCore(2, OPS);
    private final RawClients clients = new RawClients(server);

    @Test
    void tablesAndEmptyRowsTakeNothing() {
        server.limitsMemory(1 << 20);
        clients.open(0, 2, Integer.MAX_VALUE);
        clients.open(1, 2, Integer.MAX_VALUE);
        // More than this Java machine has, if each took a row.
        for (int table = 0; table < 200; table++) {
            define(1, table, "wide" + table, TableSpec.dense(CellType.LONG, WIDE));
        }
        clients.ask(1, 0, false, 0, 3);
        clients.flush();

        assertThat(clients.heard)
                .filteredOn(heard -> heard.equals("1:" + Protocol.ROW))
                .isNotEmpty();
        assertThat(clients.closed).isEmpty();
    }

    @Test
    void aFewCellsOfWideRowsAreRefusedBeforeTheRowsAreMade() {
        server.limitsMemory(64 << 20);
        both(TableSpec.dense(CellType.LONG, WIDE));

        clients.update(1, 1, cell(TableSpec.dense(CellType.LONG, WIDE), 0));
        clients.flush();

        assertRefused("An update of process 1 takes about 134");
        othersGoOn();
    }

    @Test
    void rowsOfOneMessageCountTogether() {
        server.limitsMemory(20 << 20);
        TableSpec spec = TableSpec.dense(CellType.LONG, 1 << 20);
        both(spec);
        clients.update(1, 1, cell(spec, 0), cell(spec, 1));
        clients.flush();
        assertThat(clients.closed).isEmpty();

        clients.update(1, 2, cell(spec, 2), cell(spec, 3), cell(spec, 4));
        clients.flush();

        assertRefused("An update of process 1 takes about 25");
        othersGoOn();
    }

    @Test
    void whatIsPutOffCountsWithTheRowsThatItWillMake() {
        server.limitsMemory(20 << 20);
        TableSpec spec = TableSpec.dense(CellType.LONG, 1 << 20).asStrict();
        both(spec);
        for (int clock = 1; clock <= 10 && clients.closed.isEmpty(); clock++) {
            clients.update(1, clock, cell(spec, clock));
            clients.flush();
        }

        assertRefused("An update of process 1 takes about 8");
        othersGoOn();
    }

    @Test
    void questionsCountWhileTheyWaitAndAreGivenBack() {
        server.limitsMemory(1 << 20);
        for (int round = 0; round < 3; round++) {
            both(SMALL);
            clients.ask(1, 5, false, 0, 4_000);
            clients.flush();
            assertThat(clients.closed).isEmpty();

            clients.ask(1, 5, false, 0, 4_000);
            clients.flush();
            assertRefused("One more question");
            clients.heard.clear();
            clients.closed.clear();
            server.onClosed(0, null);
            server.onClosed(1, null);
        }
    }

    @Test
    void rowsThatAreSentWhenTheyChangeCount() {
        server.limitsMemory(1 << 20);
        both(SMALL);
        clients.ask(1, 0, true, 0, 10_000);
        clients.flush();

        assertRefused("One more row that is to be sent when it changes");
        othersGoOn();
    }

    @Test
    void rowsOfUpdatesThatWaitForTheirWordCountOnce() {
        server.limitsMemory(20 << 20);
        TableSpec spec = TableSpec.dense(CellType.LONG, 1 << 20);
        clients.open(0, 2, Integer.MAX_VALUE);
        clients.openResuming(1, 2);
        define(0, 0, "t", spec);
        define(0, 1, "small", SMALL);
        define(1, 0, "t", spec);
        // Of clocks that wait, each writes the same two rows: their memory is needed once.
        for (int clock = 1; clock <= 10; clock++) {
            clients.update(1, clock + 1, clock, cell(spec, 0), cell(spec, 1));
        }
        clients.flush();
        assertThat(clients.closed).isEmpty();

        // A third would be more than there is, when all is applied.
        clients.update(1, 12, 11, cell(spec, 2));
        clients.flush();

        assertRefused("An update of process 1 takes about 8");
        othersGoOn();
    }

    @Test
    void whatIsGivenUpBeforeItCountsIsGivenBack() {
        var memory = new Memory();
        memory.limit(20 << 20);
        TableSpec spec = TableSpec.dense(CellType.LONG, 1 << 20);
        var table = new ServerTable("t", spec, memory);
        ClockPart first = part(1, table, cell(spec, 0));
        ClockPart second = part(2, table, cell(spec, 0));
        first.waits(memory);
        second.waits(memory);

        second.isGivenUp(memory);
        assertThat(table.needs(cell(spec, 0))).as("still expected").isLessThan(1 << 20);

        first.isGivenUp(memory);
        assertThat(table.needs(cell(spec, 0))).isGreaterThan(8 << 20);
        memory.require(20 << 20, "All that there is");
    }

    private static ClockPart part(int clock, ServerTable table, RowLog log) {
        return new ClockPart(clock, clock, true, 10, List.of(new TableUpdates(table, List.of(log))));
    }

    @Test
    void whoseAnswerFindsNoRoomWhenItsClockComesIsSentAwayAlone() {
        var three = new ServerCore(3, OPS);
        var readers = new RawClients(three);
        for (int process = 0; process < 3; process++) {
            readers.open(process, 3, Integer.MAX_VALUE);
            readers.define(process, SMALL);
        }
        for (int process = 1; process < 3; process++) {
            readers.update(process, 1);
            readers.ask(process, 1, process == 1, 0, 3);
        }

        three.limitsMemory(1);
        readers.send(0, Protocol.BYE, out -> out.putVar(1));
        readers.flush();

        assertThat(readers.closed).containsExactly(1);
        assertThat(readers.heard)
                .contains("2:" + Protocol.ROW)
                .filteredOn(heard -> heard.contains(":" + Protocol.REFUSED))
                .singleElement()
                .asString()
                .startsWith(REFUSED);
        assertThat(three.status().pendingReads()).isZero();
    }

    private void both(TableSpec spec) {
        for (int process = 0; process < 2; process++) {
            clients.open(process, 2, Integer.MAX_VALUE);
            define(process, 0, "t", spec);
            define(process, 1, "small", SMALL);
        }
        clients.flush();
    }

    private void assertRefused(String why) {
        assertThat(clients.heard)
                .filteredOn(heard -> heard.startsWith(REFUSED))
                .singleElement()
                .asString()
                .contains(why, "lazytables.server.memory");
        assertThat(clients.closed).containsExactly(1);
    }

    private void othersGoOn() {
        clients.heard.clear();
        clients.send(0, Protocol.READ, out -> {
            RawClients.put(out, 1, 0, 0);
            out.putSigned(0);
            out.putVar(0);
        });
        clients.flush();
        assertThat(clients.heard).contains("0:" + Protocol.ROW);
    }

    private void define(int process, int id, String name, TableSpec spec) {
        clients.send(process, Protocol.TABLE, out -> {
            out.putVar(id);
            out.putText(name);
            SpecCodec.write(spec, out);
        });
    }

    private static RowLog cell(TableSpec spec, long row) {
        var log = new RowLog(spec, row);
        log.updateLong(3, 1);
        return log;
    }
}
