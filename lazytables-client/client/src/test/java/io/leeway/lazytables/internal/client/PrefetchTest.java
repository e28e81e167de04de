package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.TableSpec;
import org.junit.jupiter.api.Test;

/** What is asked for ahead is there when it is read, and else it is not. */
class PrefetchTest {

    private static final TableSpec FRESH = TableSpec.dense(CellType.LONG, 1);
    private static final int ROWS = 5;

    /** Reads rows in a clock, and lets both processes complete it and hear all. */
    private static ByHand readInAClock(TableSpec spec, Prefetch prefetch) {
        var net = new ByHand(2, spec, prefetch);
        net.deliverAll();
        ByHand.Client reader = net.client(0);
        for (int row = 0; row < ROWS; row++) {
            assertThat(reader.read(row)).isNull();
        }
        net.deliverAll();
        for (int row = 0; row < ROWS; row++) {
            assertThat(reader.read(row)).isNotNull();
            net.client(1).add(row, row + 1);
        }
        completeClock(net);
        return net;
    }

    private static void completeClock(ByHand net) {
        net.client(0).clock();
        net.client(1).clock();
        net.deliverAll();
    }

    @Test
    void withoutItRowsAreAskedForWhenTheyAreRead() {
        ByHand net = readInAClock(FRESH, Prefetch.NONE);

        assertThat(net.client(0).read(0)).isNull();
        assertThat(prefetched(net)).isEqualTo(new Statistics.Prefetched(0, 0));
    }

    @Test
    void whatAWorkerReadInAClockIsThereInTheNext() {
        ByHand net = readInAClock(FRESH, Prefetch.learned());

        for (int row = 0; row < ROWS; row++) {
            RowView read = net.client(0).read(row);
            assertThat(read).isNotNull();
            assertThat(read.getLong(0)).isEqualTo(row + 1);
        }
        net.client(0).clock();
        assertThat(prefetched(net)).isEqualTo(new Statistics.Prefetched(ROWS, 0));
    }

    /** It was read two clocks ago, and not in the last. */
    @Test
    void whatItDidNotReadIsNotAskedForAnyMore() {
        ByHand net = readInAClock(FRESH, Prefetch.learned());
        completeClock(net);

        assertThat(net.client(0).read(0)).isNull();
    }

    @Test
    void aRowThatIsNearlyTooOldIsAskedForWhenItIsRead() {
        ByHand net = readInAClock(FRESH.slack(1), Prefetch.automatic(ROWS, 1));
        for (int row = 0; row < ROWS; row++) {
            // One clock behind, which is what the slack allows.
            assertThat(net.client(0).read(row).getLong(0)).isZero();
        }
        net.deliverAll();
        completeClock(net);

        for (int row = 0; row < ROWS; row++) {
            assertThat(net.client(0).read(row).getLong(0)).isEqualTo(row + 1);
        }
        net.client(0).clock();
        assertThat(prefetched(net).useful()).isEqualTo(ROWS);
    }

    @Test
    void withAMarginOfNoughtNothingIsAskedForAhead() {
        ByHand net = readInAClock(FRESH.slack(1), Prefetch.automatic(ROWS, 0));
        assertThat(net.client(0).read(0)).isNotNull();
        net.deliverAll();
        completeClock(net);

        assertThat(net.client(0).read(0)).isNull();
    }

    @Test
    void noMoreRowsAreAskedForAtATimeThanSaid() {
        ByHand net = readInAClock(FRESH.slack(1), Prefetch.automatic(2, 1));
        for (int row = 0; row < ROWS; row++) {
            assertThat(net.client(0).read(row)).isNotNull();
        }
        Statistics now = net.client(0).core.statistics(Statistics.Traffic.NONE);
        assertThat(now.waiting().askedRows()).isEqualTo(2);
        net.deliverAll();
        completeClock(net);

        int there = 0;
        for (int row = 0; row < ROWS; row++) {
            there += net.client(0).read(row) == null ? 0 : 1;
        }
        assertThat(there).isEqualTo(2);
    }

    private static Statistics.Prefetched prefetched(ByHand net) {
        return net.client(0).core.statistics(Statistics.Traffic.NONE).prefetched();
    }
}
