package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A worker that goes through rows in their order finds the next ones in its own cache. */
class RowsTakenAheadTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 1).slack(30);
    private static final int ROWS = 4 * Row.AT_ONCE;

    private final ByHand net = new ByHand(2, SPEC, Prefetch.NONE);
    private final ByHand.Client client = net.client(0);
    private final ByHand.Client other = net.client(1);

    @Test
    void rowsBehindOneThatIsReadHaveWhatTheProcessHas() {
        readAll();
        for (int clock = 1; clock <= 2; clock++) {
            for (int row = 0; row < ROWS; row++) {
                other.add(row, row + 1);
            }
            client.add(3, 100);
            endClock();
            askForNewest();
            client.read(0);
            client.read(1);

            for (int row = 2; row < 1 + Row.AT_ONCE; row++) {
                RowView ahead = cached(row);
                assertThat(ahead).as("row %d", row).isNotNull();
                assertThat(ahead.getLong(0)).isEqualTo(clock * (row + 1L + (row == 3 ? 100 : 0)));
                assertThat(ahead.dataClock()).isEqualTo(clock);
            }
            assertThat(cached(1 + Row.AT_ONCE)).isNull();
            readLast();
        }
    }

    @Test
    void whatIsLoggedInTheClockIsSeen() {
        readAll();
        endClock();
        client.add(2, 5);
        client.read(0);
        client.read(1);

        assertThat(cached(2).getLong(0)).isEqualTo(5);
    }

    @Test
    void rowsThatAreReadNoMoreAreLeftAfterSomeClocks() {
        readAll();
        for (int clock = 1; clock <= WorkerCopies.MOST_TIMES_AHEAD; clock++) {
            endClock();
            readTwo();
            assertThat(cached(2)).as("clock %d", clock).isNotNull();
            readLast();
        }
        endClock();
        readTwo();
        assertThat(cached(2)).isNull();
        readLast();

        endClock();
        readTwo();
        assertThat(cached(2)).isNull();
    }

    @Test
    void rowsThatAreReadAreTakenInMostClocks() {
        readAll();
        int taken = 0;
        for (int clock = 1; clock <= 2 * (WorkerCopies.MOST_TIMES_AHEAD + 1); clock++) {
            endClock();
            readTwo();
            taken += cached(2) == null ? 0 : 1;
            assertThat(readOrAsk(2)).isNotNull();
            readLast();
        }
        assertThat(taken).isEqualTo(2 * WorkerCopies.MOST_TIMES_AHEAD);
    }

    /** What the process has is too old for the slack: nothing is taken, and the read asks. */
    @Test
    void whatIsTooOldIsNotTaken() {
        readAll();
        for (int clock = 1; clock <= SPEC.slack() + 1; clock++) {
            for (int row = 0; row < ROWS; row++) {
                other.add(row, 1);
            }
            client.core.clock(client.core.worker(0));
            other.clock();
            net.deliverAll();
            if (clock <= SPEC.slack()) {
                for (int row = 2; row < ROWS; row++) {
                    assertThat(client.read(row)).isNotNull();
                }
            }
        }

        readTwo();
        assertThat(cached(2)).isNull();
        assertThat(readOrAsk(2).getLong(0)).isEqualTo(SPEC.slack() + 1);
    }

    private void readAll() {
        net.deliverAll();
        for (int row = 0; row < ROWS; row++) {
            readOrAsk(row);
        }
    }

    private void readTwo() {
        readOrAsk(0);
        readOrAsk(1);
    }

    /** Goes on to the end, so that the worker begins again in its next clock. */
    private void readLast() {
        readOrAsk(ROWS - 2);
        readOrAsk(ROWS - 1);
    }

    private void askForNewest() {
        int now = client.core.worker(0).clock();
        for (int row = 0; row < ROWS; row++) {
            client.core.refresh(client.table, row, now);
        }
        net.deliverAll();
    }

    private RowView readOrAsk(int row) {
        RowView read = client.read(row);
        if (read == null) {
            net.deliverAll();
            read = client.read(row);
        }
        assertThat(read).isNotNull();
        return read;
    }

    private void endClock() {
        client.clock();
        other.clock();
        net.deliverAll();
    }

    /** The row, if the worker need not look at what the process has. */
    private @Nullable RowView cached(int row) {
        WorkerCore worker = client.core.worker(0);
        return worker.cached(client.table, row, worker.required(SPEC.slack()));
    }
}
