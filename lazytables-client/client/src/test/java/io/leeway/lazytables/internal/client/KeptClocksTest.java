package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.TableSpec;
import org.junit.jupiter.api.Test;

/** What counts as kept of clocks that are small: messages of next to nothing, and objects in memory all the same. */
class KeptClocksTest {

    private static final int CLOCKS = 1_000;
    private static final int LEAST_OF_OBJECTS = 100;

    @Test
    void aClockOfNothingCountsForEachServer() {
        ClientCore client = Clients.welcomed(2, Prefetch.NONE);
        for (int i = 0; i < CLOCKS; i++) {
            client.clock(client.worker(0));
        }

        assertThat(client.keptBytes()).isGreaterThanOrEqualTo(2L * CLOCKS * LEAST_OF_OBJECTS);
    }

    @Test
    void aClockOfOneCellCountsAsMore() {
        ClientCore client = Clients.welcomed(1, Prefetch.NONE);
        ClientTable table = client.define("t", TableSpec.sparse(CellType.LONG));
        for (int i = 0; i < CLOCKS; i++) {
            client.worker(0).updateLong(table, 0, i, 1);
            client.clock(client.worker(0));
        }

        assertThat(client.keptBytes()).isGreaterThanOrEqualTo(3L * CLOCKS * LEAST_OF_OBJECTS);
    }

    /** Each clock has a place for each worker's log. */
    @Test
    void aClockThatOneOfManyWorkersIsAheadCountsForAllOfThem() {
        int workers = 500;
        var log = new ProcessLog(workers, 1, ProcessLog.PART_BYTES);
        for (int ahead = 1; ahead <= CLOCKS; ahead++) {
            log.add(0, new WorkerLog(ahead), ahead);
        }

        assertThat(log.bytes()).isGreaterThanOrEqualTo(4L * workers * CLOCKS);
        for (int clock = 0; clock < CLOCKS; clock++) {
            log.next();
        }
        assertThat(log.bytes()).isZero();
    }
}
