package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import org.junit.jupiter.api.Test;

/** Caches of a limited number of rows: they keep to it from clock to clock, and what they drop is asked for again and right. */
class BoundedCachesTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 1).slack(3);
    private static final int ROWS = 100;
    private static final int LIMIT = 10;

    @Test
    void aProcessKeepsNoMoreRowsThanSaid() {
        var net = new ByHand(1, SPEC, Prefetch.NONE, LIMIT, LIMIT);
        ByHand.Client client = net.client(0);
        net.deliverAll();
        for (int clock = 1; clock <= 3; clock++) {
            for (int row = 0; row < ROWS; row++) {
                assertThat(read(net, row)).isEqualTo(clock - 1);
                client.add(row, 1);
            }
            assertThat(client.table.size()).isGreaterThan(LIMIT);
            client.clock();
            net.deliverAll();

            assertThat(client.table.size()).isLessThanOrEqualTo(LIMIT);
            assertThat(client.core.worker(0).cachedRows()).isLessThanOrEqualTo(LIMIT);
        }
    }

    /** Rows that were read in the last clock stay rather than those that were not. */
    @Test
    void whatIsReadInEachClockStays() {
        var net = new ByHand(1, SPEC, Prefetch.NONE, LIMIT, LIMIT);
        ByHand.Client client = net.client(0);
        net.deliverAll();
        for (int clock = 0; clock < 5; clock++) {
            read(net, 0);
            read(net, 1 + clock);
            client.clock();
            net.deliverAll();
        }
        for (int row = 20; row < 20 + LIMIT - 1; row++) {
            read(net, row);
        }
        read(net, 0);
        client.clock();
        net.deliverAll();

        assertThat(client.table.size()).isLessThanOrEqualTo(LIMIT);
        assertThat(client.table.find(0, 0)).isNotNull();
        assertThat(client.table.find(1, 0)).isNull();
    }

    @Test
    void withoutALimitAllStays() {
        var net = new ByHand(1, SPEC, Prefetch.NONE);
        net.deliverAll();
        for (int row = 0; row < ROWS; row++) {
            read(net, row);
        }
        net.client(0).clock();
        net.deliverAll();

        assertThat(net.client(0).table.size()).isEqualTo(ROWS);
    }

    private static long read(ByHand net, int row) {
        RowView read = net.client(0).read(row);
        if (read == null) {
            net.deliverAll();
            read = net.client(0).read(row);
        }
        assertThat(read).isNotNull();
        return read.getLong(0);
    }
}
