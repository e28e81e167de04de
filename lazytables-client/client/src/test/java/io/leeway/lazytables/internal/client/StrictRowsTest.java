package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.TableSpec;
import org.junit.jupiter.api.Test;

/** Rows of strict tables, of which a process keeps one for each clock. */
class StrictRowsTest {

    @Test
    void aRowThatWasAskedForAndIsNotWantedAnyMoreIsForgotten() {
        var net = new ByHand(2, TableSpec.dense(CellType.LONG, 1).asStrict(), Prefetch.NONE);
        ByHand.Client early = net.client(0);
        net.deliverAll();
        early.core.refresh(early.table, 7, 1);
        net.deliverAll();
        // It goes beyond the clock without a read, and the answer comes when the other one has completed it.
        for (int i = 0; i < 3; i++) {
            early.clock();
        }
        assertThat(asked(early)).isZero();

        net.client(1).clock();
        net.deliverAll();

        assertThat(asked(early)).isZero();
    }

    @Test
    void itIsNotAskedForIfItWasNotYet() {
        var net = new ByHand(1, TableSpec.dense(CellType.LONG, 1).asStrict(), Prefetch.NONE);
        ByHand.Client client = net.client(0);
        net.deliverAll();
        client.core.refresh(client.table, 7, 1);
        for (int i = 0; i < 3; i++) {
            client.clock();
        }
        client.add(7, 1);
        client.clock();
        net.deliverAll();

        assertThat(client.read(7)).isNull();
        net.deliverAll();
        assertThat(client.read(7).getLong(0)).isEqualTo(1);
        assertThat(asked(client)).isZero();
    }

    private static long asked(ByHand.Client client) {
        Statistics statistics = client.core.statistics(Statistics.Traffic.NONE);
        return statistics.waiting().askedRows();
    }
}
