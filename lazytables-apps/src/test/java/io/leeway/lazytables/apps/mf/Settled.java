package io.leeway.lazytables.apps.mf;

import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.Seat;

/**
 * A factorisation that goes on with BSP when its passes are over: from wherever they left it, since all workers have completed
 * all of them by then and see everything that the others did.
 *
 * @param inner whose passes these are
 * @param passes of BSP in the end
 */
record Settled(Application<FactorResult> inner, int passes) implements Application<FactorResult> {

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

        Share(Seat seat, Part<FactorResult> part) {
            this.seat = seat;
            this.part = part;
        }

        @Override
        public void load() {
            part.load();
        }

        @Override
        public void prefetch(int block) {
            part.prefetch(block);
        }

        @Override
        public void work(int block) {
            part.work(block);
        }

        @Override
        public void measure(double[] sums) {
            part.measure(sums);
        }

        /** Reads have slack 0 from here on. */
        @Override
        public void finish(double[] sums) {
            for (int pass = 0; pass < passes; pass++) {
                for (int block = 0; block < seat.settings().blocks(); block++) {
                    part.work(block);
                }
                seat.worker().clock();
            }
            part.finish(sums);
        }

        @Override
        public FactorResult result() {
            return part.result();
        }
    }
}
