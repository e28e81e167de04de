package io.leeway.lazytables.apps;

import io.leeway.lazytables.Pace;

/**
 * An application that does what another one does, for those who watch it or change a part of it.
 *
 * <p>As thread-safe as the other one.
 *
 * @param <R> what comes out
 */
public abstract class ForwardingApplication<R> implements Application<R> {

    private final Application<R> inner;

    /** Does what this one does. */
    protected ForwardingApplication(Application<R> inner) {
        this.inner = inner;
    }

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
    public boolean falls() {
        return inner.falls();
    }

    @Override
    public boolean isObjective() {
        return inner.isObjective();
    }

    @Override
    public boolean isAtRest(double[] sums) {
        return inner.isAtRest(sums);
    }

    @Override
    public boolean hasDiverged(double first, double now) {
        return inner.hasDiverged(first, now);
    }

    @Override
    public boolean mustSettle() {
        return inner.mustSettle();
    }

    @Override
    public boolean canResume() {
        return inner.canResume();
    }

    @Override
    public Part<R> part(Seat seat) {
        return part(seat, inner.part(seat));
    }

    /** The part of one worker, around that of the other application; called by the worker's thread. */
    protected abstract Part<R> part(Seat seat, Part<R> part);

    /**
     * Does what another part does. Used by its worker's thread only.
     *
     * @param <R> what comes out
     */
    public static class ForwardingPart<R> implements Part<R> {

        private final Part<R> part;

        /** Does what this one does. */
        public ForwardingPart(Part<R> part) {
            this.part = part;
        }

        @Override
        public void load() {
            part.load();
        }

        @Override
        public void resume() {
            part.resume();
        }

        @Override
        public Pace pace(long blocks, Pace before) {
            return part.pace(blocks, before);
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

        @Override
        public void finish(double[] sums) {
            part.finish(sums);
        }

        @Override
        public R result() {
            return part.result();
        }
    }
}
