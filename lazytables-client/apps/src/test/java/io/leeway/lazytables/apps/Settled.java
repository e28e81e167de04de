package io.leeway.lazytables.apps;

/**
 * An application that goes on with BSP when its passes are over: from wherever they left it, since all workers have completed
 * all of them by then and see everything that the others did.
 *
 * @param <R> what comes out
 */
public final class Settled<R> extends ForwardingApplication<R> {

    private final int passes;

    /**
     * After the passes of this one.
     *
     * @param passes of BSP in the end
     */
    public Settled(Application<R> inner, int passes) {
        super(inner);
        this.passes = passes;
    }

    @Override
    protected Part<R> part(Seat seat, Part<R> part) {
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
