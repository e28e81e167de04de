package io.leeway.lazytables.apps.mf;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.Seat;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A factorisation in which all workers have read all factors of items before any begins the work of a clock: so none sees what others do in the same clock, and how stale reads are does not depend on
 * which threads the machine runs first.
 *
 * @param asks whether rows are asked for ahead; if not, and if reads wait for nobody, workers in instances of their own never hear
 *     of each other
 */
record InStep(FactorApplication inner, int items, int rank, CyclicBarrier barrier, boolean asks)
        implements Application<FactorResult> {

    private static final long PATIENCE_SECONDS = 120;

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public String measure() {
        return inner.measure();
    }

    @Override
    public int sums() {
        return inner.sums();
    }

    @Override
    public double value(double[] sums) {
        return inner.value(sums);
    }

    @Override
    public boolean hasDiverged(double first, double now) {
        return inner.hasDiverged(first, now);
    }

    @Override
    public Part<FactorResult> part(Seat seat) {
        return new Share(seat, inner.part(seat));
    }

    private final class Share implements Part<FactorResult> {

        private final Seat seat;
        private final Part<FactorResult> part;
        private final Table table;
        private int readIn = -1;

        Share(Seat seat, Part<FactorResult> part) {
            this.seat = seat;
            this.part = part;
            table = seat.table("items", TableSpec.dense(CellType.FLOAT, rank).rows(items));
        }

        @Override
        public void load() {
            part.load();
        }

        @Override
        public void prefetch(int block) {
            if (asks) {
                part.prefetch(block);
            }
        }

        @Override
        public void work(int block) {
            if (readIn != seat.worker().clocks()) {
                readIn = seat.worker().clocks();
                for (int item = 0; item < items; item++) {
                    seat.read(table, item);
                }
                meet();
            }
            part.work(block);
        }

        private void meet() {
            try {
                barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException("a worker did not come", e);
            }
        }

        @Override
        public void measure(double[] sums) {
            part.measure(sums);
        }

        @Override
        public void finish(double[] sums) {
            part.finish(sums);
        }

        @Override
        public FactorResult result() {
            return part.result();
        }
    }
}
