package io.leeway.lazytables.apps;

/**
 * An application whose first values are what some passes of BSP make of them: they are gone over before the run's own clocks begin.
 *
 * @param <R> what comes out
 */
public final class Begun<R> extends ForwardingApplication<R> {

    private final int passes;

    /**
     * Before the passes of this one.
     *
     * @param passes of BSP in the begin
     */
    public Begun(Application<R> inner, int passes) {
        super(inner);
        this.passes = passes;
    }

    @Override
    protected Part<R> part(Seat seat, Part<R> part) {
        return new ForwardingPart<>(part) {

            /** The run ends the last of these clocks. */
            @Override
            public void load() {
                super.load();
                int slack = seat.slack();
                seat.slack(0);
                for (int pass = 0; pass < passes; pass++) {
                    seat.worker().clock();
                    for (int block = 0; block < seat.settings().blocks(); block++) {
                        work(block);
                    }
                }
                seat.slack(slack);
                // The first measure is of the run's own clocks.
                measure(new double[sums()]);
            }
        };
    }
}
