package io.leeway.privoxy.internal.schema;

import java.sql.Connection;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A change of the schema, or the commit of one, from its sending to the moment from which on nobody can miss it.
 * Thread-safe.
 *
 * <p>Found by a fuzzer: servers make a change before their answer is here, and go on with one whose connection was
 * aborted. In between others decided with a key that was not there any more ({@code UnansweredChangesIT}).
 */
public final class SchemaChange {

    /**
     * How long a change without answer is waited for where nobody may see whether its session is still there: longer
     * than most wait for a lock, and short enough that it costs little if the session is long gone.
     */
    static final long HIDDEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final @Nullable SessionId session;
    private final LongSupplier nanoTime;
    private final Runnable ended;
    private final AtomicReference<Life> life = new AtomicReference<>(new UnderWay());

    SchemaChange(@Nullable SessionId session, LongSupplier nanoTime, Runnable ended) {
        this.session = session;
        this.nanoTime = nanoTime;
        this.ended = ended;
    }

    /** What is known of a change. */
    private sealed interface Life {

        /** Whether a decision on a schema has to look at it first. */
        boolean concerns(LiveSchema schema);
    }

    /**
     * Sent, and somebody waits for the answer.
     *
     * <p>For all schemas: which ones the change concerns is not known before its end.
     */
    private record UnderWay() implements Life {
        @Override
        public boolean concerns(LiveSchema schema) {
            return true;
        }
    }

    /**
     * Its connection has ended without an answer: the server may make it at any time.
     *
     * <p>Schemas are held weakly, since a change may wait for minutes and a schema may be dropped meanwhile.
     *
     * @param settled the schemas that it does not concern, or no more
     */
    private record Unanswered(long since, Set<LiveSchema> settled) implements Life {
        @Override
        public boolean concerns(LiveSchema schema) {
            return !settled.contains(schema);
        }
    }

    /** The server is done with it, since some moment; not all schemas were looked at since. */
    private record Done(long since, Set<LiveSchema> settled) implements Life {
        @Override
        public boolean concerns(LiveSchema schema) {
            return !settled.contains(schema);
        }
    }

    /** Nothing more can be missed of it. */
    private record Over() implements Life {
        @Override
        public boolean concerns(LiveSchema schema) {
            return false;
        }
    }

    /** The server has answered, also where that was not waited for any more. */
    public void answered() {
        // An answer after #lost ends the wait, but the end was counted then.
        if (life.getAndSet(new Over()) instanceof UnderWay) {
            ended.run();
        }
    }

    /** Its connection has ended, and nobody knows whether the server has made it, or is going to. */
    public void lost() {
        Life now = life();
        if (now instanceof UnderWay && life.compareAndSet(now, new Unanswered(nanoTime.getAsLong(), schemas()))) {
            ended.run();
        }
    }

    private Life life() {
        return Objects.requireNonNull(life.get());
    }

    private static Set<LiveSchema> schemas() {
        return Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    }

    /**
     * A session of another kind of database cannot be of this one; that of the same kind may be, under whatever
     * address.
     */
    boolean concerns(LiveSchema schema) {
        return (session == null || session.dialect() == schema.dialect()) && life().concerns(schema);
    }

    /** Whether it can be forgotten: all schemas are looked at again anyway within an interval after its end. */
    boolean isOver() {
        Life now = life();
        return now instanceof Over
                || now instanceof Done done && nanoTime.getAsLong() - done.since >= LiveSchema.REFRESH_INTERVAL_NANOS;
    }

    /** Asks, where it is not known, whether the schema need not be looked at any more once it was after this. */
    boolean endsFor(Connection connection) {
        Life now = life();
        if (!(now instanceof Unanswered unanswered)) {
            return now instanceof Done;
        }
        SessionId asked = session;
        SessionId.Presence presence = asked == null ? SessionId.Presence.HIDDEN : asked.presence(connection);
        return switch (presence) {
            case THERE -> false;
            // The change is of another server, so this schema need not wait for it.
            case ELSEWHERE -> true;
            // Not seen is not gone: waited for as long as such a change may still wait for a lock.
            case HIDDEN -> nanoTime.getAsLong() - unanswered.since >= HIDDEN_NANOS;
            case GONE -> {
                life.compareAndSet(now, new Done(nanoTime.getAsLong(), unanswered.settled));
                yield true;
            }
        };
    }

    /** A schema was looked at after {@link #endsFor} has said so. */
    void settle(LiveSchema schema) {
        Life now = life();
        if (now instanceof Unanswered unanswered) {
            unanswered.settled.add(schema);
        } else if (now instanceof Done done) {
            done.settled.add(schema);
        }
    }
}
