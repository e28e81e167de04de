package io.leeway.lazytables.internal.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.client.ClientSettings;
import io.leeway.lazytables.internal.client.ClientTable;
import io.leeway.lazytables.internal.client.WorkerCore;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ServerCore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that keeps more for its servers than it may has them store it, so that no clock waits for ever. */
class KeptUpdatesTest {

    private static final int LIMIT = 10_000;
    private static final int COLUMNS = 20;
    private static final TableSpec SPEC =
            TableSpec.dense(CellType.LONG, COLUMNS).slack(1);

    private final List<ServerCore> servers = new ArrayList<>();
    private final List<ClientCore> clients = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void whatIsSpreadOverManyServersIsStoredByAll(int count) {
        Network network = begin(count, false);
        for (int clock = 0; clock < 5; clock++) {
            exceedTheLimit(network);

            storeWhatIsWanted(network);
            assertThat(clients.get(0).keptBytes()).isLessThanOrEqualTo(LIMIT);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aClockThatIsNotCommittedYetIsStoredWhenItIs(int count) {
        Network network = begin(count, true);
        for (int clock = 0; clock < 5; clock++) {
            exceedTheLimit(network);

            storeWhatIsWanted(network);
            assertThat(clients.get(0).keptBytes()).isLessThanOrEqualTo(LIMIT);
        }
    }

    @Test
    void whoKeepsLittleAsksForNothing() {
        Network network = begin(3, false);
        clockOf(3);
        settle(network);

        assertThat(servers).noneMatch(ServerCore::wantsSnapshot);
    }

    private Network begin(int count, boolean resumes) {
        for (int i = 0; i < count; i++) {
            servers.add(ServerCore.recoverable(1, CombineOps.of(List.of())));
        }
        clients.add(new ClientCore(new ClientSettings(
                0, 1, 1, count, 1, Prefetch.NONE, Integer.MAX_VALUE, Integer.MAX_VALUE, resumes, LIMIT)));
        var network = new Network(clients, servers);
        settle(network);
        // What a process that resumes waits for before its workers begin.
        storeWhatIsWanted(network);
        assertThat(clients.get(0).isInheritanceStored()).isTrue();
        return network;
    }

    private void exceedTheLimit(Network network) {
        clockOf(LIMIT * 6 / 5 / (COLUMNS * 12));
        assertThat(clients.get(0).keptBytes()).isGreaterThan(LIMIT);
        settle(network);
    }

    private void clockOf(int rows) {
        ClientTable table = clients.get(0).define("t", SPEC);
        WorkerCore worker = clients.get(0).worker(0);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                worker.updateLong(table, row, column, 1);
            }
        }
        clients.get(0).clock(worker);
    }

    /** Lets everything happen that happens by itself. */
    private static void settle(Network network) {
        var random = new Random(1);
        network.flushClient(0);
        while (network.links().stream().anyMatch(Network.Link::isBusy)) {
            network.links().stream().filter(Network.Link::isBusy).forEach(link -> link.step(random));
        }
    }

    /** Stores snapshots as servers do that take them for nothing but the asking. */
    private void storeWhatIsWanted(Network network) {
        while (servers.stream().anyMatch(ServerCore::wantsSnapshot)) {
            for (int i = 0; i < servers.size(); i++) {
                if (servers.get(i).wantsSnapshot()) {
                    servers.get(i).snapshot();
                    servers.get(i).snapshotStored();
                    network.flushServer(i);
                }
            }
            settle(network);
        }
    }
}
