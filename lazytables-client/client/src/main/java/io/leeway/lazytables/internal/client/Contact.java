package io.leeway.lazytables.internal.client;

/**
 * How far a client process has come with a server over the present connection. A connection that ends takes all of it
 * away; what outlives connections is the {@link Membership}.
 *
 * <pre>
 *   Away - a connection opens, HELLO -&gt; Greeted                          - WELCOME -&gt; Welcomed
 *                                       Greeted - PLACE -&gt; Asked - RESUME -&gt; Told - WELCOME -&gt; Welcomed
 *   any of a connection               - FORSAKE -&gt; Forsaken
 *   all                               - the connection ends -&gt; Away
 * </pre>
 */
sealed interface Contact {

    default boolean isConnected() {
        return true;
    }

    /** Whether the server has said what it holds of this process, so that the rest can be sent. */
    default boolean isWelcome() {
        return false;
    }

    /** Whether the server waits to be told where the process goes on. */
    default boolean waitsForPlace() {
        return false;
    }

    /** Whether nothing is said any more but that nobody can go on where this process was. */
    default boolean isForsaken() {
        return false;
    }

    /** Whether a snapshot was asked for and the server has stored none since. */
    default boolean waitsForSnapshot() {
        return false;
    }

    /** The server asks where the process goes on. One that asks again was told already. */
    default Contact asked() {
        return this;
    }

    /** It was told. */
    default Contact told() {
        return this;
    }

    /** It has said what it holds. */
    default Contact welcomed() {
        return new Welcomed(false);
    }

    /** It was told that nobody can go on where this process was. */
    default Contact forsaken() {
        return new Forsaken(this);
    }

    /** It was asked for a snapshot. */
    default Contact askedToStore() {
        return this;
    }

    /** It has stored one. */
    default Contact stored() {
        return this;
    }

    /** There is no connection. */
    record Away() implements Contact {

        @Override
        public boolean isConnected() {
            return false;
        }
    }

    /** The server was told who the process is, unless it has sent the process away before. */
    record Greeted() implements Contact {

        @Override
        public Contact asked() {
            return new Asked();
        }
    }

    /** The server wants to know where the process goes on, which is decided when all of them have asked. */
    record Asked() implements Contact {

        @Override
        public boolean waitsForPlace() {
            return true;
        }

        @Override
        public Contact told() {
            return new Told();
        }
    }

    /** The server was told where the process goes on, once for a connection. */
    record Told() implements Contact {}

    /**
     * The server has let the process in over this connection.
     *
     * @param waitsForSnapshot whether it was asked for one and has stored none since: what is asked for twice would be
     *     stored twice
     */
    record Welcomed(boolean waitsForSnapshot) implements Contact {

        @Override
        public boolean isWelcome() {
            return true;
        }

        @Override
        public Contact askedToStore() {
            return new Welcomed(true);
        }

        @Override
        public Contact stored() {
            return waitsForSnapshot ? new Welcomed(false) : this;
        }
    }

    /**
     * Nobody can go on where this process was, which is said once for a connection.
     *
     * @param before what there was to say before; answers to it may still come
     */
    record Forsaken(Contact before) implements Contact {

        @Override
        public boolean isWelcome() {
            return before.isWelcome();
        }

        @Override
        public boolean isForsaken() {
            return true;
        }

        @Override
        public Contact asked() {
            return new Forsaken(before.asked());
        }

        @Override
        public Contact welcomed() {
            return new Forsaken(before.welcomed());
        }

        @Override
        public Contact forsaken() {
            return this;
        }
    }
}
