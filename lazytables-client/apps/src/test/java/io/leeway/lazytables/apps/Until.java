package io.leeway.lazytables.apps;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An application that goes on until a file is there: all workers end at the clock at which all have seen it. One more sum says how many have not.
 *
 * @param <R> what comes out
 */
public final class Until<R> extends ForwardingApplication<R> {

    private final int unseen;
    private final Path stop;

    /** Until this file is there. */
    public Until(Application<R> inner, Path stop) {
        super(inner);
        this.unseen = inner.sums();
        this.stop = stop;
    }

    @Override
    public int sums() {
        return unseen + 1;
    }

    @Override
    public boolean isAtRest(double[] sums) {
        return sums[unseen] == 0;
    }

    @Override
    protected Part<R> part(Seat seat, Part<R> part) {
        return new ForwardingPart<>(part) {

            @Override
            public void measure(double[] sums) {
                super.measure(sums);
                sums[unseen] += Files.exists(stop) ? 0 : 1;
            }
        };
    }
}
