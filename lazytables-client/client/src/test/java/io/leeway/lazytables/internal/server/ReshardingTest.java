package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.wire.WireException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of snapshots that a server would not have stored; those that servers store are spread in {@code ReshardTest}. */
class ReshardingTest {

    private static final CombineOps OPS = CombineOps.of(List.of());
    private static final int SERVERS = 2;

    @Test
    void aPlaceThatTheRunDoesNotHaveIsRefused() {
        for (int place : List.of(SERVERS, SERVERS + 7)) {
            assertThatThrownBy(() -> Resharding.spread(List.of(snapshotOf(0), snapshotOf(place)), 3, OPS))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("The one in directory 2 says that it is of server " + place
                            + ", and there are servers 0 to 1")
                    .hasMessageContaining("take it out of the directory");
        }
    }

    @Test
    void thePlacesOfTheRunAreTakenInAnyOrder() {
        assertThat(Resharding.spread(List.of(snapshotOf(1), snapshotOf(0)), 3, OPS))
                .hasSize(3);
    }

    private static byte[] snapshotOf(int place) {
        ServerCore core = ServerCore.at(0, 1, OPS);
        core.admission.takePlace(place, SERVERS);
        return core.snapshot();
    }
}
