package io.leeway.lazytables.apps.mf;

import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.ForwardingApplication;
import io.leeway.lazytables.apps.Seat;

/**
 * A factorisation that goes on with BSP when its passes are over: from wherever they left it, since all workers have completed
 * all of them by then and see everything that the others did.
 */
final class Settled extends ForwardingApplication<FactorResult> {

    private final int passes;

    /**
     * After the passes of this one.
     *
     * @param passes of BSP in the end
     */
    Settled(Application<FactorResult> inner, int passes) {
        super(inner);
        this.passes = passes;
    }

    @Override
    protected Part<FactorResult> part(Seat seat, Part<FactorResult> part) {
        return new ForwardingPart<>(part) {

            /** Reads have slack 0 from here on. */
            @Override
            public void finish(double[] sums) {
                for (int pass = 0; pass < passes; pass++) {
                    for (int block = 0; block < seat.settings().blocks(); block++) {
                        work(block);
                    }
                    seat.worker().clock();
                }
                super.finish(sums);
            }
        };
    }
}
