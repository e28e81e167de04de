package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.wire.Protocol;

/**
 * How a process began, as one server knows it. One that resumes is first asked where it goes on, and says so when it
 * has heard all servers; one that began with the run goes on at once.
 *
 * <pre>
 *   Begun  - somebody takes its place -&gt; Asked   - RESUME -&gt; Begun
 * </pre>
 *
 * <p>Whoever begins where the others had gone on without it skips clocks, on all servers or on none. What a server says
 * of that when it asks (PLACE) is how the next one, where this one ends in the midst of its beginning, tells servers
 * that were told from those that were not.
 */
sealed interface Begin {

    // In snapshots.
    int NOT_RESUMED = 4;
    int SKIPPED = 16;
    int JOINED = 128;

    /** The bits by which a snapshot says so. */
    int flags();

    /** Another process takes the place, and is asked where it goes on. */
    Asked again();

    /** Something that it did was applied: where it began is settled on this server. */
    Begin applied();

    /** It was not told yet where it goes on; until then it holds the others back. */
    record Asked(Before before) implements Begin {

        @Override
        public int flags() {
            return switch (before) {
                case COUNTED -> NOT_RESUMED;
                case SKIPPED -> NOT_RESUMED | SKIPPED;
                case GONE_ON -> NOT_RESUMED | JOINED;
            };
        }

        /** Whoever could not say so before it ended leaves the question as it was. */
        @Override
        public Asked again() {
            return this;
        }

        /** Of a predecessor that skipped clocks; that the others had gone on stays true. */
        @Override
        public Begin applied() {
            return before == Before.SKIPPED ? new Asked(Before.COUNTED) : this;
        }
    }

    /**
     * It goes on.
     *
     * @param skipped whether clocks were skipped when it began, and it has done nothing since
     */
    record Begun(boolean skipped) implements Begin {

        @Override
        public int flags() {
            return skipped ? SKIPPED : 0;
        }

        @Override
        public Asked again() {
            return new Asked(skipped ? Before.SKIPPED : Before.COUNTED);
        }

        @Override
        public Begin applied() {
            return skipped ? new Begun(false) : this;
        }
    }

    /** What was there before one that is asked. */
    enum Before {
        /** A process whose clocks the others waited for; or none, and nobody has gone on. */
        COUNTED(0),
        /** One that began where clocks were skipped, and did nothing since. */
        SKIPPED(Protocol.SKIPPED),
        /** Nobody: the others had gone on. */
        GONE_ON(Protocol.JOINED);

        private final int said;

        Before(int said) {
            this.said = said;
        }

        /** As PLACE says it. */
        int said() {
            return said;
        }
    }

    /** What a snapshot says. */
    static Begin of(int flags) {
        boolean skipped = (flags & SKIPPED) != 0;
        if ((flags & NOT_RESUMED) == 0) {
            return new Begun(skipped);
        }
        return (flags & JOINED) != 0 ? new Asked(Before.GONE_ON) : new Begun(skipped).again();
    }
}
