package io.leeway.eppi.internal.session;

import org.jspecify.annotations.Nullable;

/** How far a construction is; read by pages. Thread-safe. */
public final class Progress {

    /** The life of a construction at a node. */
    public sealed interface State {

        /** Nothing was constructed yet. */
        record Idle() implements State {}

        /**
         * It runs.
         *
         * @param epoch which
         * @param attempt from 1
         * @param step what is done, in words
         * @param share of all steps, 0 to 1
         */
        record Running(long epoch, int attempt, String step, double share) implements State {}

        /**
         * The last one ended well.
         *
         * @param epoch which
         * @param seconds how long it took
         */
        record Done(long epoch, double seconds) implements State {}

        /**
         * The last one was given up.
         *
         * @param epoch which
         * @param error why
         */
        record Failed(long epoch, String error) implements State {}
    }

    private volatile State state = new State.Idle();
    private volatile @Nullable Runnable listener;

    /** What there is to say. */
    public State state() {
        return state;
    }

    /** Another step. */
    public void running(long epoch, int attempt, String step, double share) {
        set(new State.Running(epoch, attempt, step, share));
    }

    /** The end. */
    public void set(State next) {
        state = next;
        Runnable told = listener;
        if (told != null) {
            told.run();
        }
    }

    /** Who is told of every change. */
    public void onChange(Runnable told) {
        listener = told;
    }
}
