package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.Protocol;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the server is: what is told of those who wait, and who asks more often than it reads. */
class StatusQuestionsTest {

    private static final int ASKER = 1;
    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 1 << 17);
    private static final int SMALL = 1 << 10;

    private final ServerCore server = new ServerCore(2, CombineOps.of(List.of()));
    private final RawClients clients = new RawClients(server);

    @Test
    void whoAsksWithoutReadingIsSentAwayBeforeItFillsTheMemory() {
        open(TableSpec.dense(CellType.LONG, 1));
        int asked = 0;
        // One answer takes about 70 bytes, and 4 MB are written before it is seen whether there is room.
        while (asked < 200_000) {
            ask();
            asked++;
        }
        clients.flush();

        assertThat(clients.heard)
                .filteredOn(message -> message.startsWith(ASKER + ":" + Protocol.REFUSED))
                .singleElement()
                .asString()
                .contains("More than 1000 questions for the status wait");
        assertThat(clients.closed).containsExactly(ASKER);
    }

    @Test
    void allQuestionsAreAnsweredInOrderWhenThereIsRoom() {
        open(SPEC);
        for (int i = 0; i < 6; i++) {
            change(i + 1);
        }
        // More than is written before it is seen whether there is room.
        for (int row = 0; row < 6; row++) {
            clients.ask(ASKER, 0, false, row, 1);
        }
        for (int i = 0; i < SMALL - 100; i++) {
            ask();
        }
        assertThat(server.status().pendingReads()).isBetween(1L, 5L);
        clients.heard.clear();
        clients.flush();

        assertThat(clients.closed).isEmpty();
        assertThat(clients.heard.stream().filter(message -> message.equals(ASKER + ":" + Protocol.IS)))
                .hasSize(SMALL - 100);
        assertThat(clients.heard.lastIndexOf(ASKER + ":" + Protocol.ROW))
                .isLessThan(clients.heard.indexOf(ASKER + ":" + Protocol.IS));
        assertThat(server.status().pendingReads()).isZero();
    }

    @Test
    void readsWithinARadiusThatWaitAreTold() {
        open(TableSpec.dense(CellType.LONG, 1).maxStep(1));
        clients.askWithin(ASKER, 0, 5, 0);
        clients.flush();

        assertThat(server.status().pendingReads()).isEqualTo(1);
    }

    @Test
    void whoSaysTwiceWhoItIsIsSentAway() {
        open(TableSpec.dense(CellType.LONG, 1));
        clients.send(ASKER, Protocol.HELLO, out -> {
            RawClients.put(out, Protocol.VERSION, 0, 0, ASKER, 2, 1);
            out.putLong(ASKER + 1L);
            RawClients.put(out, 0, 0, 1);
        });
        clients.flush();

        assertThat(clients.heard)
                .filteredOn(message -> message.startsWith(ASKER + ":" + Protocol.REFUSED))
                .singleElement()
                .asString()
                .contains("HELLO came again");
        assertThat(clients.closed).containsExactly(ASKER);
    }

    private void open(TableSpec spec) {
        for (int process = 0; process < 2; process++) {
            clients.open(process, 2, Integer.MAX_VALUE);
            clients.define(process, spec);
        }
    }

    private void ask() {
        clients.send(ASKER, Protocol.STATUS, out -> out.putVar(Protocol.VERSION));
    }

    /** Row and clock: each has a row of a megabyte that is not empty. */
    private void change(int clock) {
        var log = new RowLog(SPEC, clock - 1);
        for (int column = 0; column < 1 << 17; column++) {
            log.updateLong(column, Long.MAX_VALUE / 2 + column);
        }
        clients.update(0, clock, log);
    }
}
