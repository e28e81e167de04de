package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.wire.Protocol;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Questions that wait for clocks: as many as processes ask ahead, and not without a limit for each. */
class WaitingReadsTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.INT, 1);
    /** What a process asks ahead at most. */
    private static final int AHEAD = 1 << 14;

    @Test
    void manyProcessesMayAskAhead() {
        RawClients clients = begun(70);
        for (int process = 0; process < 70; process++) {
            clients.ask(process, 1, false, 0, AHEAD);
        }
        clients.flush();

        assertThat(clients.closed).isEmpty();
        assertThat(clients.server.status().pendingReads()).isEqualTo(70 * AHEAD);
    }

    @Test
    void whoAsksForTooMuchIsSentAway() {
        RawClients clients = begun(2);
        clients.ask(0, 1, false, 0, (1 << 20) + 1);
        clients.ask(1, 1, false, 0, 1 << 20);
        clients.flush();

        assertThat(clients.heard)
                .filteredOn(message -> message.contains(":" + Protocol.REFUSED))
                .singleElement()
                .asString()
                .startsWith("0:")
                .contains("More than 1048576 reads of process 0 wait for clocks");
        assertThat(clients.closed).containsExactly(0);
    }

    @Test
    void whatWasAnsweredDoesNotCount() {
        RawClients clients = begun(1);
        for (int clock = 1; clock <= 5; clock++) {
            clients.ask(0, clock, false, 0, 1 << 19);
            clients.update(0, clock);
            clients.flush();
        }

        assertThat(clients.closed).isEmpty();
        assertThat(clients.server.status().pendingReads()).isZero();
    }

    private static RawClients begun(int processes) {
        var clients = new RawClients(new ServerCore(processes, CombineOps.of(List.of())));
        for (int process = 0; process < processes; process++) {
            clients.open(process, processes, Integer.MAX_VALUE);
            clients.define(process, SPEC);
        }
        return clients;
    }
}
