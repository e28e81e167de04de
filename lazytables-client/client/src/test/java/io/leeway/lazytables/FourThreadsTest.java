package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.client.ClientSettings;
import io.leeway.lazytables.internal.client.ClientTable;
import io.leeway.lazytables.internal.client.WorkerCore;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ServerCore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The example by which bounded staleness is explained: four threads with slack 1, of which two are in clock 3; one may run in clock 4, and one waits at the begin of clock 5 for everything of clock 3.
 * Where slack is 0, both wait at the begin of clock 4.
 */
class FourThreadsTest {

    private final ClientCore client = new ClientCore(ClientSettings.of(0, 1, 4, 1, 1));
    private final ServerCore server = new ServerCore(1, CombineOps.of(List.of()));
    private final ClientTable table = client.define("t", TableSpec.dense(CellType.LONG, 4));
    private final WorkerCore t1 = client.worker(0);
    private final WorkerCore t2 = client.worker(1);
    private final WorkerCore t3 = client.worker(2);
    private final WorkerCore t4 = client.worker(3);

    private final List<byte[]> frames = new ArrayList<>();
    private boolean connected;

    @Test
    void withSlackOneTheThreadInClockFiveWaitsForClockThree() {
        complete(t1, 3);
        complete(t2, 2);
        complete(t3, 4);
        complete(t4, 2);

        assertThat(canRead(t2, 1)).isTrue();
        assertThat(canRead(t4, 1)).isTrue();
        assertThat(canRead(t1, 1)).isTrue();
        assertThat(canRead(t3, 1)).isFalse();

        complete(t2, 1);
        assertThat(canRead(t3, 1)).isFalse();
        complete(t4, 1);
        assertThat(canRead(t3, 1)).isTrue();
        assertThat(client.read(t3, table, 0, 1).getLong(1)).isEqualTo(3);
    }

    @Test
    void withSlackZeroBothThreadsAheadWait() {
        complete(t1, 3);
        complete(t2, 2);
        complete(t3, 3);
        complete(t4, 2);

        assertThat(canRead(t2, 0)).isTrue();
        assertThat(canRead(t4, 0)).isTrue();
        assertThat(canRead(t1, 0)).isFalse();
        assertThat(canRead(t3, 0)).isFalse();
    }

    private void complete(WorkerCore worker, int clocks) {
        for (int i = 0; i < clocks; i++) {
            worker.updateLong(table, 0, worker.index(), 1);
            client.clock(worker);
        }
    }

    private boolean canRead(WorkerCore worker, int slack) {
        boolean could = client.read(worker, table, 0, slack) != null;
        deliver();
        return could || client.read(worker, table, 0, slack) != null;
    }

    /** Has both sides send until neither has anything to say. */
    private void deliver() {
        if (!connected) {
            connected = true;
            server.onOpen(0);
            client.onOpen(0);
        }
        do {
            frames.clear();
            client.flush(CopyingSender.into(frames));
            frames.forEach(frame -> server.onFrame(0, frame, 0, frame.length));
            frames.clear();
            server.flush(CopyingSender.into(frames));
            frames.forEach(frame -> client.onFrame(0, frame, 0, frame.length));
        } while (!frames.isEmpty());
    }
}
