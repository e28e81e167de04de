package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.wire.Protocol;
import java.util.List;

/**
 * The life of a process in a run, as one server knows it: whether the others wait for it, whether something more comes
 * of it, and what it is called for people. A {@link Member} has one, and only what is here takes it from one to
 * another:
 *
 * <pre>
 *   Playing    - BYE -&gt;  Ended       - another leg of the run begins -&gt;  Awaited
 *              - QUIT -&gt; Unfinished
 *   whoever is waited for - away for too long -&gt; Dropped   - another leg begins -&gt; Awaited
 *                         - FORSAKE -&gt;           Lost
 *   all        - somebody takes its place -&gt; Playing
 * </pre>
 *
 * <p>Servers hear of these in orders of their own, so each of them decides by itself; what they must agree on are
 * clocks and legs ({@link Legs}), which are numbers that only grow.
 */
sealed interface Life {

    // In snapshots: what is set says which life it is, so that several bits belong to one.
    // Bits 4, 16 and 128 are Begin's, 8 and 256 Member's: a snapshot has one number for all of them. None may come to
    // mean something else, as servers go on from snapshots of the release before.
    int LEFT = 1;
    int DROPPED = 2;
    int AWAITED = 32;
    int UNFINISHED = 64;
    int LOST = 512;

    /** Whether the clocks of the others go on without it. */
    default boolean hasLeft() {
        return false;
    }

    /** Whether it has said that nothing more comes of it, so that a server that is started again misses nothing. */
    boolean hasEnded();

    /** Whether it ended in a leg of the run, and has not begun in a later one. */
    default boolean hasEndedLeg() {
        return hasLeft();
    }

    /** Whether the others have gone on, or may have, beyond the clock of its own, so that a successor skips clocks. */
    default boolean isBehind(int clock, int globalClock) {
        return hasLeft();
    }

    /** The clock of which nothing is missing to the others, where it completed this one itself. */
    default int counted(int clock) {
        return clock;
    }

    /**
     * Why whoever waits for it may wait in vain, as {@link Protocol#COMES} and others have it, where nobody is dropped
     * who stays away.
     *
     * @param isReplaceable whether somebody can go on where it is
     */
    default int outlook(boolean isReplaceable) {
        return Protocol.COMES;
    }

    /** What it is, for people. */
    ServerStatus.State state(boolean isConnected);

    /** The bits by which a snapshot says which it is. */
    int flags();

    /** Is waited for again, at this global clock; asked only of what has left, or is waited for. */
    default Life awaited(int globalClock) {
        return new Awaited(globalClock, false);
    }

    /** It closed before it was done. Asked only of what has not ended. */
    default Life closed() {
        return new Unfinished();
    }

    /** A part of what it did is gone. Of who has left nobody needs it. */
    default Life forsaken() {
        return new Lost(this);
    }

    /**
     * It counts, and more comes of it. Whether it is connected is no part of its life: connections come and go, and
     * only time away makes another one of it.
     */
    record Playing() implements Life {

        @Override
        public boolean hasEnded() {
            return false;
        }

        @Override
        public ServerStatus.State state(boolean isConnected) {
            return isConnected ? ServerStatus.State.CONNECTED : ServerStatus.State.AWAY;
        }

        @Override
        public int flags() {
            return 0;
        }
    }

    /**
     * It closed before it was done: it holds the others back, at the clock that it completed, until somebody takes its
     * place. Nothing is missing of what it completed.
     */
    record Unfinished() implements Life {

        @Override
        public boolean hasEnded() {
            return true;
        }

        @Override
        public int outlook(boolean isReplaceable) {
            return isReplaceable ? Protocol.COMES : Protocol.UNFINISHED;
        }

        @Override
        public ServerStatus.State state(boolean isConnected) {
            return ServerStatus.State.UNFINISHED;
        }

        @Override
        public int flags() {
            return UNFINISHED;
        }
    }

    /**
     * It had left, and is waited for again in a leg of the run that has begun since.
     *
     * @param since the global clock then: its own may be an earlier one, of which its client may still ask
     * @param dropped whether it had left since it was dropped. What waited for its word was applied then, on this
     *     server and perhaps on no other: its clock is not one that all have, even where it is not behind the others'
     */
    record Awaited(int since, boolean dropped) implements Life {

        @Override
        public boolean hasEnded() {
            return true;
        }

        @Override
        public boolean hasEndedLeg() {
            return true;
        }

        @Override
        public Life awaited(int globalClock) {
            return new Awaited(globalClock, dropped);
        }

        @Override
        public boolean isBehind(int clock, int globalClock) {
            return dropped || clock < globalClock;
        }

        @Override
        public int counted(int clock) {
            return Math.max(clock, since);
        }

        @Override
        public ServerStatus.State state(boolean isConnected) {
            return isConnected ? ServerStatus.State.CONNECTED : ServerStatus.State.AWAY;
        }

        @Override
        public int flags() {
            return dropped ? AWAITED | DROPPED : AWAITED;
        }
    }

    /**
     * It said that it is done: the others go on without it. Its clocks count as they are; a global clock that goes on
     * beyond them holds nothing of it, and nothing is missing.
     */
    record Ended() implements Life {

        @Override
        public boolean hasLeft() {
            return true;
        }

        @Override
        public boolean hasEnded() {
            return true;
        }

        @Override
        public ServerStatus.State state(boolean isConnected) {
            return ServerStatus.State.ENDED;
        }

        @Override
        public int flags() {
            return LEFT;
        }

        @Override
        public Life forsaken() {
            return this;
        }
    }

    /**
     * It was away for too long and is taken to be dead: the others go on without it, and it is refused if it comes back
     * after all. Refused by its incarnation: what it did since it was dropped is in no clock that others were told of.
     * A successor is let in.
     */
    record Dropped() implements Life {

        @Override
        public boolean hasLeft() {
            return true;
        }

        @Override
        public boolean hasEnded() {
            return true;
        }

        @Override
        public ServerStatus.State state(boolean isConnected) {
            return ServerStatus.State.DROPPED;
        }

        @Override
        public int flags() {
            return LEFT | DROPPED;
        }

        @Override
        public Life awaited(int globalClock) {
            return new Awaited(globalClock, true);
        }

        @Override
        public Life forsaken() {
            return this;
        }
    }

    /**
     * Nobody can go on where it was, since a part of what it did is gone with it and with a server: who waits for it is
     * told.
     *
     * @param before what it was when that was said, by which its clocks go on to count
     */
    record Lost(Life before) implements Life {

        @Override
        public boolean hasEnded() {
            return before.hasEnded();
        }

        @Override
        public boolean hasEndedLeg() {
            return before.hasEndedLeg();
        }

        @Override
        public boolean isBehind(int clock, int globalClock) {
            return before.isBehind(clock, globalClock);
        }

        @Override
        public int counted(int clock) {
            return before.counted(clock);
        }

        @Override
        public int outlook(boolean isReplaceable) {
            return Protocol.GONE;
        }

        @Override
        public ServerStatus.State state(boolean isConnected) {
            return ServerStatus.State.LOST;
        }

        @Override
        public int flags() {
            return before.flags() | LOST;
        }

        @Override
        public Life closed() {
            return new Lost(before.closed());
        }

        @Override
        public Life forsaken() {
            return this;
        }
    }

    /**
     * The life of which a snapshot says so. Since when somebody is awaited it does not say: whoever asks asks again, of
     * clocks that the server has.
     */
    static Life of(int flags) {
        if ((flags & LEFT) != 0) {
            // Before all else: of who has left, nobody asks what else was said of it.
            return (flags & DROPPED) != 0 ? new Dropped() : new Ended();
        }
        Life life = (flags & AWAITED) != 0
                ? new Awaited(0, (flags & DROPPED) != 0)
                : (flags & UNFINISHED) != 0 ? new Unfinished() : new Playing();
        return (flags & LOST) != 0 ? new Lost(life) : life;
    }

    /**
     * What servers that agree on the clocks of a process make of its lives. Who is awaited by one of them is by all;
     * what one has heard counts for all.
     */
    static Life merged(List<Life> lives) {
        int flags = 0;
        for (Life life : lives) {
            flags |= life.flags();
        }
        // Where one server has begun the next leg, those that have not will hear of it.
        return of((flags & AWAITED) != 0 ? flags & ~(LEFT | DROPPED) : flags);
    }
}
