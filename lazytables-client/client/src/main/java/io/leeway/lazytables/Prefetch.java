package io.leeway.lazytables;

/**
 * How a process asks for rows before a read has to wait for them. {@link Worker#refresh} asks for single rows besides.
 *
 * @param kind what it goes by
 * @param requests at most so many questions of the process to a server are under way when another is asked ahead
 * @param margin of {@link Kind#AUTOMATIC}: a row is asked for when its staleness comes this near to what the read
 *     allows
 */
public record Prefetch(Kind kind, int requests, int margin) {

    /** What prefetching goes by. */
    public enum Kind {
        /** Nothing. */
        NONE,
        /** How stale a row is when it is read. */
        AUTOMATIC,
        /** What the worker read in its last clock. */
        LEARNED,
        /** What the process has read: servers send it when it changes. */
        PUSHED
    }

    /**
     * Rows are asked for when they are read and too old; to a read that waits for nobody ({@link TableSpec#ASYNC}) each
     * is, once in a clock, whatever else is chosen.
     */
    public static final Prefetch NONE = new Prefetch(Kind.NONE, 0, 0);

    private static final int REQUESTS = 1 << 12;

    /** Checks the limits. */
    public Prefetch {
        if (requests < 0 || margin < 0) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_ARGUMENT,
                    "Prefetching with " + requests + " requests and margin " + margin + ": both must be 0 or more");
        }
    }

    /**
     * A read that the cache answers asks for the row once more in the background when it is nearly too old: with margin
     * 1 if the worker's next clock could not read it any more, with {@link Integer#MAX_VALUE} always.
     */
    public static Prefetch automatic(int requests, int margin) {
        return new Prefetch(Kind.AUTOMATIC, requests, margin);
    }

    /**
     * At the begin of a clock a worker asks for all that it read in the one before and that is too old now, in the
     * order in which it was read. For programs that read the same rows in each clock.
     */
    public static Prefetch learned() {
        return new Prefetch(Kind.LEARNED, REQUESTS, 0);
    }

    /**
     * Servers send each row that the process has read whenever all processes have completed a clock, if it has changed,
     * until the process drops it from its cache; nothing is asked. For programs that read the same rows again and again
     * and want them as fresh as can be. Rows of strict tables and reads within a radius are not sent ahead.
     */
    public static Prefetch pushed() {
        return new Prefetch(Kind.PUSHED, 0, 0);
    }
}
