package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.Protocol;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a process begins that comes to a server that was restarted. */
class JoiningProcessTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 3);
    private static final CombineOps OPS = CombineOps.of(List.of());
    private static final String PLACE = "1:" + Protocol.PLACE;

    @Test
    void itWaitsUntilTheServerIsAgainWhereTheOthersWere() {
        var clients = new RawClients(restartedAtClockZero());
        hello(clients, 1, Protocol.COMMITS | Protocol.ASKS, 0);
        clients.flush();
        assertThat(clients.heard).doesNotContain(PLACE);

        // Had completed a clock, of which others were told and have rows, and sends it again.
        hello(clients, 0, 0, 1);
        clients.define(0, SPEC);
        clients.flush();
        assertThat(clients.heard).doesNotContain(PLACE);
        clients.update(0, 1, new RowLog(SPEC, 0));
        clients.flush();
        assertThat(clients.heard).contains(PLACE);

        clients.resume(1, 1, 1);
        clients.flush();
        assertThat(clients.heard).contains("1:" + Protocol.WELCOME);
        assertThat(clients.server.globalClock()).isEqualTo(1);
    }

    @Test
    void oneThatIsGoneMeanwhileKeepsNobodyWaiting() {
        var clients = new RawClients(restartedAtClockZero());
        hello(clients, 1, Protocol.COMMITS | Protocol.ASKS, 0);
        clients.server.onClosed(1, null);
        hello(clients, 0, 0, 0);
        clients.define(0, SPEC);
        clients.update(0, 1, new RowLog(SPEC, 0));
        clients.flush();

        assertThat(clients.server.globalClock()).isEqualTo(1);
    }

    @Test
    void whereAllHaveEndedThereIsNothingToWaitFor() {
        var before = new RawClients(ServerCore.recoverable(1, OPS));
        hello(before, 0, 0, 0);
        before.send(0, Protocol.BYE, out -> RawClients.put(out, 1));
        var clients = new RawClients(ServerCore.restore(before.server.snapshot(), OPS));

        hello(clients, 1, Protocol.COMMITS | Protocol.ASKS, 0);
        clients.flush();

        assertThat(clients.heard).contains(PLACE);
    }

    /** Where other servers know of clocks of it, this one has lost them; it must not say that it went on without it. */
    @Test
    void whoIsWaitedForIsNoNewcomerWhereNobodyKnowsIt() {
        var clients = new RawClients(new ServerCore(1, OPS));
        hello(clients, 0, Protocol.COMMITS | Protocol.ASKS, 0);
        hello(clients, 1, Protocol.COMMITS | Protocol.ASKS, 0);

        assertThat(clients.server.members.values())
                .extracting(Member::saidOfBefore)
                .containsExactly(0, Protocol.JOINED);
    }

    private static ServerCore restartedAtClockZero() {
        var before = new RawClients(ServerCore.recoverable(1, OPS));
        hello(before, 0, 0, 0);
        return ServerCore.restore(before.server.snapshot(), OPS);
    }

    private static void hello(RawClients clients, int process, int flags, int made) {
        clients.server.onOpen(process);
        clients.send(process, Protocol.HELLO, out -> {
            RawClients.put(out, Protocol.VERSION, flags, 0, process, 1, 1);
            out.putLong(process + 1L);
            RawClients.put(out, made, 0, 1);
        });
    }
}
