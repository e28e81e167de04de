package io.leeway.lazytables.internal.client;

/**
 * What a server and a client process are to each other over all their connections.
 *
 * <pre>
 *   Outside - the first WELCOME -&gt; Inside - the process is done, or closes -&gt; Leaving
 * </pre>
 */
sealed interface Membership {

    /** Whether the numbers of updates are known that the server expects. */
    default boolean isInside() {
        return true;
    }

    /** Whether the process's end is among its updates. */
    default boolean isLeaving() {
        return false;
    }

    /** Whether what a process before this one sent is stored, where the server has stored all up to an update. */
    boolean hasStored(long durable);

    /** The process says its last word, which only who was let in can number. */
    Leaving leaves();

    /**
     * A process that resumes, and that the server has not let in yet: it does not know how many updates there were
     * before it.
     */
    record Outside() implements Membership {

        @Override
        public boolean isInside() {
            return false;
        }

        @Override
        public boolean hasStored(long durable) {
            return false;
        }

        @Override
        public Leaving leaves() {
            throw new IllegalStateException("The server has not let the process in");
        }
    }

    /**
     * One whose updates go on behind those of the process before it, or begin.
     *
     * @param inherited the number of the last update that a process before it had made
     */
    record Inside(long inherited) implements Membership {

        @Override
        public boolean hasStored(long durable) {
            return durable >= inherited;
        }

        @Override
        public Leaving leaves() {
            return new Leaving(inherited);
        }
    }

    /** One that has said its last word, which comes behind all updates and is sent again like them. */
    record Leaving(long inherited) implements Membership {

        @Override
        public boolean isLeaving() {
            return true;
        }

        @Override
        public boolean hasStored(long durable) {
            return durable >= inherited;
        }

        @Override
        public Leaving leaves() {
            return this;
        }
    }
}
