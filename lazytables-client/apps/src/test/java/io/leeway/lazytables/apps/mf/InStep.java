package io.leeway.lazytables.apps.mf;

import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.apps.ForwardingApplication;
import io.leeway.lazytables.apps.Seat;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A factorisation in which all workers have read all factors of items before any begins the work of a clock: so none sees what others do in the same clock, and how stale reads are does not depend on
 * which threads the machine runs first.
 */
final class InStep extends ForwardingApplication<FactorResult> {

    private static final long PATIENCE_SECONDS = 120;

    private final int items;
    private final int rank;
    private final CyclicBarrier barrier;
    private final boolean asks;

    /**
     * With workers that meet at a barrier.
     *
     * @param asks whether rows are asked for ahead; if not, and reads wait for nobody, they ask behind themselves: all wait then until
     *     that is answered, so that what a worker reads in the next clock lacks no more than the last two of others
     */
    InStep(FactorApplication inner, int items, int rank, CyclicBarrier barrier, boolean asks) {
        super(inner);
        this.items = items;
        this.rank = rank;
        this.barrier = barrier;
        this.asks = asks;
    }

    @Override
    protected Part<FactorResult> part(Seat seat, Part<FactorResult> part) {
        return new Share(seat, part);
    }

    private final class Share extends ForwardingPart<FactorResult> {

        private final Seat seat;
        private final Table table;
        private int readIn = -1;

        Share(Seat seat, Part<FactorResult> part) {
            super(part);
            this.seat = seat;
            table = seat.table("items", TableSpec.dense(CellType.FLOAT, rank).rows(items));
        }

        @Override
        public void prefetch(int block) {
            if (asks) {
                super.prefetch(block);
            }
        }

        @Override
        public void work(int block) {
            if (readIn != seat.worker().clocks()) {
                readIn = seat.worker().clocks();
                for (int item = 0; item < items; item++) {
                    seat.read(table, item);
                }
                if (!asks) {
                    await().pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(1))
                            .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                            .until(() -> seat.statistics().waiting().askedRows() == 0);
                }
                meet();
            }
            super.work(block);
        }

        private void meet() {
            try {
                barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException("a worker did not come", e);
            }
        }
    }
}
